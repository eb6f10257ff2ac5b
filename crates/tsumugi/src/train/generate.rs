//! `tsumugi train generate`.

use super::evaluation::EvalArgs;
use anyhow::{Context, bail};
use arena::openings::{Order, read};
use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use train::generate::{Limits, Openings, Progress, Recipe, Series};

/// Play games of the engine against itself and keep every position with its score.
///
/// Game number N depends on the evaluation, the settings and N alone: the packs come out the same with any number of
/// threads, and several machines can make parts of one series with `--first-game`. The same command again goes on where
/// the last one ended, however it ended.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct GenerateArgs {
    /// Folder for the packs (`games-0000.pack` and so on) and `manifest.json`.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// How many games the series has; without it, `--seconds` or Ctrl-C ends it.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop after so many seconds, when the games in play are over.
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Number of the first game.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first_game: u64,
    /// Threads; one game is played on each. By default as many as there are cores.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    eval: EvalArgs,
    /// What all chance comes from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Nodes of a search; the iteration that reaches them is finished.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Depth of a search, if that comes first.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    depth: Option<u16>,
    /// Megabytes of each thread's table.
    #[arg(long, value_name = "MB", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Positions that half of the games begin from, as `position` takes them, one to a line.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Percent of games that begin from them.
    #[arg(long, value_name = "P", default_value_t = 50, requires = "openings", value_parser = clap::value_parser!(u8).range(..=100))]
    opening_percent: u8,
    /// Random moves before a game from the start position (up to two more are played).
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(..=60))]
    random_plies: u16,
    /// Starts with a larger score are replaced.
    #[arg(long, value_name = "SCORE", default_value_t = 600, value_parser = clap::value_parser!(i16).range(1..))]
    start_limit: i16,
    /// A game is decided when its scores stay beyond this for four plies.
    #[arg(long, value_name = "SCORE", default_value_t = 3000, value_parser = clap::value_parser!(i16).range(1..))]
    score_limit: i16,
    /// A game of so many moves is a draw.
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
    /// In the first 30 plies, play any of the three best moves that are at most this much worse than the best one.
    #[arg(long, value_name = "SCORE", default_value_t = 0, value_parser = clap::value_parser!(i16).range(0..))]
    varied_window: i16,
}

/// What a series was made with; another run may only go on with it if this is the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Manifest {
    program: String,
    evaluation: String,
    openings: String,
    first_game: u64,
    recipe: Recipe,
}

const MANIFEST: &str = "manifest.json";
const NAME: &str = "games";

impl GenerateArgs {
    fn recipe(&self) -> Recipe {
        Recipe {
            seed: self.seed,
            nodes: self.nodes,
            depth: self.depth.map(usize::from),
            hash: usize::from(self.hash),
            random_plies: usize::from(self.random_plies),
            opening_percent: self.opening_percent,
            start_limit: self.start_limit,
            score_limit: self.score_limit,
            max_moves: self.max_moves,
            varied_window: self.varied_window,
            ..Recipe::default()
        }
    }
}

/// Plays.
pub fn run(args: &GenerateArgs) -> anyhow::Result<()> {
    if args.games.is_none() && args.seconds.is_none() && !io::stderr().is_terminal() {
        bail!("how long? give --games N or --seconds N");
    }
    let chosen = args.eval.load()?;
    let (openings, openings_identity) = load_openings(args.openings.as_deref())?;
    let recipe = args.recipe();
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let manifest = Manifest {
        program: format!("tsumugi {}", env!("CARGO_PKG_VERSION")),
        evaluation: chosen.identity,
        openings: openings_identity,
        first_game: args.first_game,
        recipe: recipe.clone(),
    };
    manifest.agree(&args.out.join(MANIFEST))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let limits = Limits {
        first_game: args.first_game,
        games: args.games.unwrap_or(u64::MAX),
        time: args.seconds.map(Duration::from_secs),
        threads: args.threads.unwrap_or(cores),
    };
    let series = Series {
        folder: &args.out,
        name: NAME,
        recipe: &recipe,
        openings: &openings,
        evaluation: &chosen.evaluation,
    };
    let mut told = Teller { last: Instant::now(), limits, live: io::stderr().is_terminal() };
    let summary = series.play(limits, &AtomicBool::new(false), |progress| told.tell(progress))?;
    if summary.cut > 0 {
        eprintln!("cut {} bytes of a block that the last run had not finished", summary.cut);
    }
    println!("{}{}", if told.live { "\r" } else { "" }, line(&summary.progress));
    Ok(())
}

impl Manifest {
    /// Writes it, or compares it with the one that is there.
    fn agree(&self, path: &Path) -> anyhow::Result<()> {
        let Ok(text) = std::fs::read(path) else {
            let text = serde_json::to_string_pretty(self)? + "\n";
            return platform::atomic_file::write(path, text.as_bytes())
                .with_context(|| path.display().to_string());
        };
        let old: Self = serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
        if old == *self {
            return Ok(());
        }
        let (old, new) = (serde_json::to_value(&old)?, serde_json::to_value(self)?);
        let mut differences = Vec::new();
        differ("", &old, &new, &mut differences);
        bail!(
            "{} was made with other settings ({}); choose another folder or the same settings",
            path.with_file_name("").display(),
            differences.join(", ")
        )
    }
}

/// Names what differs.
fn differ(name: &str, old: &serde_json::Value, new: &serde_json::Value, found: &mut Vec<String>) {
    if let (Some(old), Some(new)) = (old.as_object(), new.as_object()) {
        for (key, value) in old {
            differ(key, value, new.get(key).unwrap_or(&serde_json::Value::Null), found);
        }
    } else if old != new {
        found.push(format!("{name}: {old} there, {new} now"));
    }
}

fn load_openings(path: Option<&Path>) -> anyhow::Result<(Openings, String)> {
    let Some(path) = path else { return Ok((Openings::default(), "none".to_owned())) };
    let lines = read(path, None, Order::Sequential).with_context(|| path.display().to_string())?;
    let hash = train::fingerprint(lines.join("\n").as_bytes());
    let openings = Openings::new(lines.iter().map(String::as_str)).map_err(anyhow::Error::msg)?;
    Ok((openings, format!("{} positions {hash:016x}", lines.len())))
}

/// Tells how far it has come, now and then.
struct Teller {
    last: Instant,
    limits: Limits,
    live: bool,
}

impl Teller {
    fn tell(&mut self, progress: &Progress) {
        let pause = if self.live { 1 } else { 10 };
        if self.last.elapsed() < Duration::from_secs(pause) {
            return;
        }
        self.last = Instant::now();
        let mut err = io::stderr();
        let left = self.left(progress).map_or(String::new(), |left| format!(", {} s left", left.as_secs()));
        // When this fails there is no place left for a message.
        let _ = if self.live {
            write!(err, "\r{}{left}   ", line(progress))
        } else {
            writeln!(err, "{}{left}", line(progress))
        };
        let _ = err.flush();
    }

    fn left(&self, progress: &Progress) -> Option<Duration> {
        let by_time = self.limits.time.map(|time| time.saturating_sub(progress.elapsed));
        let games = self.limits.games.checked_sub(progress.games).filter(|_| self.limits.games < u64::MAX);
        let by_games = games.map(|games| {
            let each = progress.elapsed.as_secs_f64() * progress.positions as f64
                / (progress.new_positions as f64 * progress.games as f64).max(1.0);
            Duration::from_secs_f64((each * games as f64).clamp(0.0, 1e9))
        });
        by_time.into_iter().chain(by_games).min()
    }
}

fn line(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    format!(
        "{} games, {} positions, {:.0} positions/s, {:.0} nodes/position, {:.0} knps",
        progress.games,
        progress.positions,
        progress.new_positions as f64 / seconds,
        progress.nodes as f64 / progress.new_positions.max(1) as f64,
        progress.nodes as f64 / seconds / 1000.0
    )
}

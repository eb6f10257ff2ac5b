//! `tsumugi train generate`.

#[cfg(feature = "cluster")]
mod hub;

use super::evaluation::EvalArgs;
use crate::words::cores;
use anyhow::{Context, bail};
use arena::openings::{Order, read};
use clap::value_parser;
use platform::ProgressLine;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use train::generate::{Limits, Manifest, Openings, Recipe, Series};

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
    /// Number of games of the series; by default, `--seconds` or Ctrl-C ends it.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Time limit in seconds; the games in play are finished.
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Number of the first game.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first_game: u64,
    /// Threads; each plays one game at a time. By default one per core.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    eval: EvalArgs,
    /// Seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Nodes per search; the iteration that reaches them is finished.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum depth of a search.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=200))]
    depth: Option<u16>,
    /// Megabytes of each thread's table.
    #[arg(long, value_name = "MB", default_value_t = 8, value_parser = value_parser!(u16).range(1..))]
    hash: u16,
    /// Openings for half of the games, in the syntax of `position`, one per line.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Percentage of games that start from them.
    #[arg(long, value_name = "P", default_value_t = 50, requires = "openings", value_parser = value_parser!(u8).range(..=100))]
    opening_percent: u8,
    /// Random moves before a game from the start position (up to two more are played).
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = value_parser!(u16).range(..=60))]
    random_plies: u16,
    /// Start positions with a larger score are replaced.
    #[arg(long, value_name = "SCORE", default_value_t = 600, value_parser = value_parser!(i16).range(1..))]
    start_limit: i16,
    /// A game ends when its scores exceed this for four plies.
    #[arg(long, value_name = "SCORE", default_value_t = 3000, value_parser = value_parser!(i16).range(1..))]
    score_limit: i16,
    /// Draw a game after this many moves.
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = value_parser!(u32).range(1..))]
    max_moves: u32,
    /// In the first 30 plies, play any of the three best moves that are at most this much worse than the best.
    #[arg(long, value_name = "SCORE", default_value_t = 0, value_parser = value_parser!(i16).range(0..))]
    varied_window: i16,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    hub: crate::cluster::HubChoice,
}

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

pub fn run(args: &GenerateArgs) -> anyhow::Result<()> {
    let mut line = ProgressLine::new();
    if args.games.is_none() && args.seconds.is_none() && !line.is_live() {
        bail!("no limit: give --games N or --seconds N");
    }
    let chosen = args.eval.load()?;
    let lines = match &args.openings {
        Some(path) => read(path, None, Order::Sequential).with_context(|| path.display().to_string())?,
        None => Vec::new(),
    };
    let openings = Openings::new(lines.iter().map(String::as_str)).map_err(anyhow::Error::msg)?;
    let recipe = args.recipe();
    Manifest::new(chosen.identity, &openings, args.first_game, recipe.clone()).agree(&args.out)?;
    #[cfg(feature = "cluster")]
    if let Some(hub) = args.hub.connect()? {
        return hub::generate(args, &hub, &lines, recipe);
    }
    let limits = Limits {
        first_game: args.first_game,
        games: args.games.unwrap_or(u64::MAX),
        time: args.seconds.map(Duration::from_secs),
        threads: args.threads.unwrap_or_else(cores),
    };
    let (recipe, openings, evaluation) = (&recipe, &openings, &chosen.evaluation);
    let series = Series { folder: &args.out, name: "games", recipe, openings, evaluation };
    let summary = series.play(limits, &AtomicBool::new(false), |progress| {
        let left = limits.time_left(progress);
        let left = left.map_or(String::new(), |left| format!(", {} s left", left.as_secs()));
        line.update(format_args!("{progress}{left}"));
    })?;
    if summary.cut > 0 {
        line.keep(format_args!("cut {} bytes of a block that the last run had not finished", summary.cut));
    }
    println!("{}{}", if line.is_live() { "\r\x1b[K" } else { "" }, summary.progress);
    Ok(())
}

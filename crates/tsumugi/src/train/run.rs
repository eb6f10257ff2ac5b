//! `tsumugi train run`: the whole way from nothing to a network, as a list of commands that are run one after the other.

use anyhow::{Context, bail};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use train::corpus::{self, CorpusError};

/// Make a network from nothing: games of the material evaluation, a network that learns from them, a match between the
/// two; then games of that network, and so on.
///
/// Each step is a command of this program and is shown before it is run. Interrupted, the same command again goes on with the
/// step that was not finished.
///
///     tsumugi train run --out first
///     tsumugi train run --out more --rounds 3 --minutes 180
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct RunArgs {
    /// Folder for games, networks and matches.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Minutes for everything, about: three quarters are for games.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// Networks to be made, each from the games of all before it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Level of the material evaluation that plays the first games and the matches.
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    material: u8,
    /// Nodes of a search in the games.
    #[arg(long, value_name = "N", default_value_t = 150)]
    nodes: u64,
    /// Shape of the networks; see `train fit --help`.
    #[arg(long, value_name = "SHAPE", default_value = "mirrored-128-15-32-k3k3", value_parser = shape)]
    shape: String,
    /// Games of a match; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 100)]
    match_games: u32,
    /// Threads; by default as many as there are cores.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// What all chance comes from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Show the commands and run none.
    #[arg(long)]
    dry_run: bool,
}

fn shape(text: &str) -> Result<String, String> {
    train::fit::parse_shape(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// Runs what has not been run.
pub fn run(args: &RunArgs) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("where this program is")?;
    let steps = steps(args, &program.to_string_lossy())?;
    if args.dry_run {
        for step in &steps {
            println!("{step}");
        }
        return Ok(());
    }
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let log = args.out.join("steps.txt");
    let done = fs::read_to_string(&log).unwrap_or_default();
    let (count, mut done) = (steps.len(), done.lines());
    for (number, step) in (1..).zip(&steps) {
        let line = step.to_string();
        match done.next() {
            Some(other) if other == line => continue,
            Some(other) => bail!(
                "{} has a run with other settings; step {number} there:\n  {other}\nhere:\n  {line}",
                args.out.display()
            ),
            None => eprintln!("[{number}/{count}] {line}"),
        }
        if step.plays() {
            write_openings(args)?;
        }
        let status = Command::new(&program).args(&step.0).status().context("starting the step")?;
        if !status.success() {
            bail!("step {number} of {count} failed: {line}");
        }
        let mut log = OpenOptions::new().create(true).append(true).open(&log)?;
        writeln!(log, "{line}")?;
    }
    let net = args.out.join(format!("{NET}{}", args.rounds));
    eprintln!("the network is {}", net.join("nn.bin").display());
    eprintln!("how it learned is shown by {}", net.join("report.html").display());
    eprintln!("to play with it: setoption name EvalDir value {}", std::path::absolute(&net)?.display());
    Ok(())
}

/// Matches begin where games of the first round did: after random moves, and not lost.
fn write_openings(args: &RunArgs) -> anyhow::Result<()> {
    let wanted = args.match_games.div_ceil(2) as usize;
    let mut lines = Vec::new();
    for file in corpus::files(&[args.out.join(format!("{GAMES}1"))])? {
        let read = corpus::read_games(&file, |game| {
            lines.push(format!("sfen {}\n", game.start.sfen()));
            if lines.len() < wanted { Ok(()) } else { Err(Enough::Found) }
        });
        match read {
            Ok(()) => {}
            Err(Enough::Found) => break,
            Err(Enough::Bad(error)) => return Err(error.into()),
        }
    }
    let path = openings(&args.out);
    fs::write(&path, lines.concat()).with_context(|| path.display().to_string())
}

/// Why reading ended early.
enum Enough {
    Found,
    Bad(CorpusError),
}

impl From<CorpusError> for Enough {
    fn from(error: CorpusError) -> Self {
        Self::Bad(error)
    }
}

fn openings(out: &Path) -> PathBuf {
    out.join("openings.txt")
}

/// What folders of games begin with.
const GAMES: &str = "games";
/// What folders of networks begin with.
const NET: &str = "net";

fn steps(args: &RunArgs, program: &str) -> anyhow::Result<Vec<Step>> {
    let folder =
        |name: &str, round: u32| args.out.join(format!("{name}{round}")).to_string_lossy().into_owned();
    // Engines run in a folder of their own.
    let out = std::path::absolute(&args.out).with_context(|| args.out.display().to_string())?;
    let net = |round: u32| out.join(format!("{NET}{round}")).to_string_lossy().into_owned();
    let seconds = args.minutes * 60 * 3 / 4 / u64::from(args.rounds);
    let steps = (1..=args.rounds)
        .flat_map(|round| {
            let play = Step::of("train generate").with("--out", folder(GAMES, round));
            let play = if round == 1 {
                play.with_number("--material", args.material)
            } else {
                play.with("--eval", folder(NET, round - 1))
            };
            let play = play
                .with_number("--nodes", args.nodes)
                .with_number("--seconds", seconds)
                .with_number("--seed", args.seed + u64::from(round))
                .with_threads("--threads", args.threads);
            let fit = Step::of("train fit --data")
                .and((1..=round).map(|round| folder(GAMES, round)))
                .with("--out", folder(NET, round))
                .with("--shape", &args.shape)
                .with_number("--seed", args.seed)
                .and(FITTING.split(' '))
                .with_threads("--threads", args.threads);
            let contest = Step::of("match")
                .with("--engine", format!("name={NET}{round}"))
                .and([format!("cmd={program}"), format!("option.EvalDir={}", net(round))])
                .with("--engine", "name=material")
                .and([format!("cmd={program}"), "option.EvalDir=<material>".to_owned()])
                .and([format!("option.MaterialLevel={}", args.material)])
                .and("--each nodes=1000 threads=1 hash=16 --records none".split(' '))
                .with_number("--games", args.match_games.next_multiple_of(2))
                .with("--openings", openings(&args.out).to_string_lossy())
                .with("--out", folder("match", round))
                .with_threads("--concurrency", args.threads);
            [play, fit].into_iter().chain((args.match_games > 0).then_some(contest))
        })
        .collect();
    Ok(steps)
}

/// What small sets of our own games want: seen once, in small batches.
const FITTING: &str = "--epochs 1 --batch 2048 --lr 0.0008 --lambda 0.3";

/// A command, as the words after the program's name.
struct Step(Vec<String>);

impl Step {
    fn of(words: &str) -> Self {
        Self(Vec::new()).and(words.split(' '))
    }

    fn and(mut self, words: impl IntoIterator<Item: Into<String>>) -> Self {
        self.0.extend(words.into_iter().map(Into::into));
        self
    }

    fn with(self, name: &str, value: impl Into<String>) -> Self {
        self.and([name.to_owned(), value.into()])
    }

    fn with_number(self, name: &str, number: impl Into<u64>) -> Self {
        self.with(name, number.into().to_string())
    }

    fn with_threads(self, name: &str, threads: Option<usize>) -> Self {
        match threads {
            Some(threads) => self.with(name, threads.to_string()),
            None => self,
        }
    }

    fn plays(&self) -> bool {
        self.0[0] == "match"
    }
}

/// In one line, as a shell takes it.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,".contains(c);
        f.write_str("tsumugi")?;
        for word in &self.0 {
            if word.chars().all(plain) {
                write!(f, " {word}")?;
            } else {
                write!(f, " '{}'", word.replace('\'', r"'\''"))?;
            }
        }
        Ok(())
    }
}

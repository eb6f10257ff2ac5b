//! `tsumugi analyze`.

use crate::games;
use crate::records::VariantChoice;
use crate::terminal::{print, tell, warn};
use analysis::{Effort, Job, Limit, Progress};
use anyhow::{Context, bail};
use arena::{ENGINE_WORDS, EngineSpec, TimeControl};
use indicatif::{ProgressBar, ProgressStyle};
use record::convert::Input;
use record::{Format, IllegalMoves};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Analyse game records: values, best lines, mistakes and missed mates of every position.
///
/// The folder gets report.html for people, analysis.json for programs, and each input with the results as comments. A
/// run that was killed resumes where it was; finished positions are not searched again.
///
///     tsumugi analyze game.kif --nodes 200000 -o result
///     tsumugi analyze games/ --depth 12 --lines 1 --to kif --to csa -o result
///     tsumugi analyze game.csa --movetime 1000 --engine cmd=./YaneuraOu option.EvalDir=eval -o result
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct AnalyzeArgs {
    /// Files, folders (with all below them), zip archives, patterns such as 'games/**/*.kif'; - is standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The folder for the results.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Nodes per position; the default, with 100000.
    #[arg(long, value_name = "N", conflicts_with_all = ["depth", "movetime"], value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth per position in plies.
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    depth: Option<u64>,
    /// Time per position in milliseconds.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Principal variations per position (`MultiPV`).
    #[arg(long, default_value = "3", value_name = "K")]
    lines: NonZeroUsize,
    /// Nodes of the mate solver per position; 0 turns it off.
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    mate_nodes: u64,
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help = engine_help())]
    engine: Vec<String>,
    /// Positions searched at the same time, each by an engine of its own; by default as many as there are cores for
    /// engines of --threads.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Threads of each engine. With more than one, results differ from run to run.
    #[arg(long, default_value = "1", value_name = "N")]
    threads: NonZeroUsize,
    /// Formats of the annotated records, each given once: kif, ki2, csa, csa3 or jkf; by default that of the input, or
    /// kif.
    #[arg(long, value_name = "FORMAT")]
    to: Vec<Format>,
    #[command(flatten)]
    variant: VariantChoice,
    /// No progress bar, no warnings, no summary.
    #[arg(short, long)]
    quiet: bool,
}

fn engine_help() -> String {
    format!("The engine, if not our own, or its options: {ENGINE_WORDS}")
}

/// Size of each engine's table in megabytes, unless its words set it.
const MEGABYTES: &str = "32";

impl AnalyzeArgs {
    fn limit(&self) -> Limit {
        match (self.depth, self.movetime) {
            (Some(depth), _) => Limit::Depth(depth),
            (_, Some(time)) => Limit::Movetime(time),
            _ => Limit::Nodes(self.nodes.unwrap_or(100_000)),
        }
    }

    /// The engine for searching, and ours for mates if that is another one.
    fn engines(&self) -> anyhow::Result<(EngineSpec, Option<EngineSpec>)> {
        let own = std::env::current_exe().context("this program")?;
        let own = format!("cmd={}", own.display());
        let hash = format!("hash={MEGABYTES}");
        let usual = ["name=Tsumugi", &own, &hash];
        let is_other = self.engine.iter().any(|word| word.starts_with("cmd="));
        let first: &[&str] = if is_other { &usual[2..] } else { &usual };
        let words = first.iter().copied().chain(self.engine.iter().map(String::as_str));
        let engine = EngineSpec::from_words(words).context("--engine")?;
        if engine.time != TimeControl::default() {
            bail!("--engine: the limit of a search is --nodes, --depth or --movetime");
        }
        let mates = is_other.then(|| EngineSpec::from_words(usual)).transpose()?;
        Ok((engine, mates))
    }
}

/// Runs the command.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let notation = args.variant.notation(None, IllegalMoves::Cut)?;
    let catalogue = games::with_file(args.variant.path())?;
    let (engine, mate_engine) = args.engines()?;
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = args.jobs.map_or((cores / args.threads.get()).max(1), NonZeroUsize::get);
    let job = Job {
        inputs: args.inputs.iter().map(Input::from).collect(),
        out: args.output.clone(),
        notation: &*notation,
        catalogue: &catalogue,
        engine,
        mate_engine: mate_engine.filter(|_| args.mate_nodes > 0),
        // Book moves have no value of a search.
        preferences: [("USI_OwnBook", "false"), ("Threads", &args.threads.to_string())]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
        variant_path: args.variant.path().map(PathBuf::from),
        effort: Effort { limit: args.limit(), lines: args.lines.get(), mate_nodes: args.mate_nodes },
        jobs,
        formats: args.to.clone(),
    };
    let bar = Bar::new(args.quiet);
    let done = analysis::run(&job, &bar);
    bar.bar.finish_and_clear();
    let done = done?;
    if !args.quiet {
        let plural = if done.games == 1 { "" } else { "s" };
        tell(format_args!("{} game{plural}, {} positions", done.games, done.positions))?;
        for file in &done.files {
            print(file.display())?;
        }
    }
    match (done.unreadable, done.failed) {
        (0, 0) => Ok(()),
        (unreadable, 0) => bail!("{unreadable} of the inputs could not be read"),
        (_, failed) => bail!("{failed} positions could not be analysed; run the same command again"),
    }
}

/// A progress bar; logs and pipes get none.
struct Bar {
    bar: ProgressBar,
    quiet: bool,
}

impl Bar {
    fn new(quiet: bool) -> Self {
        let hidden = quiet || !io::stderr().is_terminal();
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(0) };
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {pos}/{len} positions {elapsed} eta {eta}")
        {
            bar.set_style(style);
        }
        Self { bar, quiet }
    }
}

impl Progress for Bar {
    fn total(&self, positions: usize, known: usize) {
        self.bar.set_length(positions as u64);
        self.bar.set_position(known as u64);
        self.bar.reset_eta();
        if known > 0 && !self.quiet {
            let line = format!("{known} of {positions} positions are known already");
            self.bar.suspend(|| warn(&line));
        }
    }

    fn advance(&self) {
        self.bar.inc(1);
    }

    fn warn(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| warn(format_args!("warning: {message}")));
        }
    }
}

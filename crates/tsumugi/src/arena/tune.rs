use super::play_args::{Engines, PlayArgs};
use anyhow::{Context, ensure};
use arena::tournament::{ITERATIONS, RunFolder};
use arena::tune::{Gains, ParametersFile, TuneConfig, run_tune as run};
use game::Game;
use shogi::Shogi;
use std::io::{self, Write};
use std::path::PathBuf;

/// Tune options of an engine by self-play (SPSA).
///
/// The .params file has a line name,type,value,min,max,step,delta for each option; [[NOT USED]] on a line keeps
/// its value. The same command with the same --out, or --resume FOLDER, goes on where it was stopped.
///
///     tsumugi tune --engine cmd=./engine nodes=10000 --params search.params --iterations 5000
///         --concurrency 16 --openings openings.txt
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct TuneArgs {
    #[command(flatten)]
    engines: Engines,
    /// The parameters.
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    params: Option<PathBuf>,
    /// Pairs of games.
    #[arg(long, default_value_t = 1000)]
    iterations: u64,
    #[command(flatten)]
    play: PlayArgs,
    /// The folder of the run [default: the first free tune-1, tune-2, …].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Continue the run in this folder; only --concurrency and --pin may be changed.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["engine", "out", "params"])]
    resume: Option<PathBuf>,
}

/// Tunes, or continues a tuning.
pub fn run_tune(args: &TuneArgs) -> anyhow::Result<()> {
    let cores = args.play.cores()?;
    let (config, openings, mut folder) = match &args.resume {
        Some(path) => RunFolder::resume(path, ITERATIONS)?,
        None => begin(args)?,
    };
    let mut out = io::stdout().lock();
    run(&Shogi::default(), &config, &openings, &mut folder, args.play.concurrency, cores, &mut out)?;
    writeln!(out, "results: {}", folder.path().display())?;
    Ok(())
}

fn begin(args: &TuneArgs) -> anyhow::Result<(TuneConfig, Vec<String>, RunFolder)> {
    let engines = args.engines.specs()?;
    let [engine] = engines.as_slice() else {
        anyhow::bail!("tuning needs one --engine, found {}", engines.len())
    };
    ensure!(engine.time.is_limited(), "engine `{}` has no limit: give nodes= or a clock", engine.name);
    let path = args.params.as_deref().context("--params is missing")?;
    let parameters = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    ParametersFile::read(&parameters).with_context(|| path.display().to_string())?;
    let config = TuneConfig {
        game: Shogi::default().name().to_owned(),
        engine: engine.clone(),
        parameters,
        iterations: args.iterations,
        gains: Gains::default(),
        seed: args.play.seed,
        conditions: args.play.conditions()?,
        declaration: args.play.rule.clone(),
        max_moves: args.play.max_moves,
    };
    let openings = args.play.openings()?;
    Ok(RunFolder::begin(args.out.as_deref(), "tune", ITERATIONS, config, openings)?)
}

//! `tsumugi bench eval`: evaluations per second.

use crate::terminal::print;
use anyhow::{Context, bail};
use eval::nnue::Isa;
use eval::{BenchLength, EvalBench, Evaluator, LoadOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;
use usi::options::Folders;

/// Measure evaluations per second.
///
/// Every legal move of every position of some games is made, evaluated and taken back ("incremental"); every position
/// is evaluated from scratch ("refresh"). For a network, there is a line for each instruction set of this processor.
/// The time for making and taking back moves is measured separately and subtracted.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct BenchEvalArgs {
    /// Network file, or folder of `nn.bin` or of KPPT tables, or `<material>`.
    ///
    /// Without it: `eval`, else the built-in network, else material.
    pub eval: Option<PathBuf>,
    /// Only this instruction set.
    #[arg(long, value_parser = parse_isa)]
    pub isa: Option<Isa>,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub seconds: u64,
    /// Number of passes over the positions instead of a time, for counting instructions.
    #[arg(long, conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: Option<u64>,
}

fn parse_isa(word: &str) -> Result<Isa, String> {
    let isa: Isa = word.parse().map_err(|error| format!("{error}"))?;
    if isa.is_available() { Ok(isa) } else { Err(format!("this processor does not have {isa}")) }
}

/// Runs the command.
pub fn run(args: &BenchEvalArgs) -> anyhow::Result<()> {
    let length = match args.rounds {
        Some(rounds) => BenchLength::Rounds(rounds),
        None => BenchLength::Time(Duration::from_secs(args.seconds)),
    };
    let (evaluator, name) = load(args.eval.as_deref(), args.isa.unwrap_or_else(Isa::best))?;
    print(name)?;
    Ok(EvalBench::new().run(evaluator, args.isa, length, |line| print(line))?)
}

/// The evaluation and its name.
fn load(path: Option<&Path>, isa: Isa) -> anyhow::Result<(Evaluator, String)> {
    let options = LoadOptions { isa, ..LoadOptions::default() };
    let candidates = path.map_or_else(|| Folders::of_process().candidates("eval"), |path| vec![path.into()]);
    for candidate in &candidates {
        let loaded = Evaluator::load(candidate, options)
            .with_context(|| format!("cannot use {}", candidate.display()))?;
        if let Some((evaluator, remarks)) = loaded {
            return Ok((evaluator, format!("{}: {}", candidate.display(), remarks.join("; "))));
        }
    }
    if let Some(path) = path {
        bail!("neither nn.bin nor KPPT tables in {}", path.display());
    }
    let evaluator = Evaluator::built_in(options)?;
    let name = if matches!(evaluator, Evaluator::Nnue(_)) { "the built-in network" } else { "material" };
    Ok((evaluator, name.to_owned()))
}

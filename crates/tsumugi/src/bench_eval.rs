//! `tsumugi bench eval`: evaluations per second.

use anyhow::{Context, bail};
use eval::nnue::Isa;
use eval::{BenchLength, EmbeddedNet, EvalBench, Evaluator, LoadOptions, Material};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use usi::options::Folders;

/// Measure evaluations per second.
///
/// Every legal move of every position of some games is made, evaluated and taken back ("incremental"); every position is
/// evaluated from nothing ("refresh"). For a network, each instruction set of this processor has a line. What making and
/// taking back the moves costs is measured alone and left out.
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
    /// Walk through the positions so often instead, for counting instructions.
    #[arg(long, conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: Option<u64>,
}

fn parse_isa(word: &str) -> Result<Isa, String> {
    let isa: Isa = word.parse().map_err(|error| format!("{error}"))?;
    if isa.is_available() { Ok(isa) } else { Err(format!("this processor does not have {isa}")) }
}

/// Measures and prints.
pub fn run(args: &BenchEvalArgs) -> anyhow::Result<()> {
    let length = match args.rounds {
        Some(rounds) => BenchLength::Rounds(rounds),
        None => BenchLength::Time(Duration::from_secs(args.seconds)),
    };
    let (evaluator, name) = load(args.eval.as_deref(), args.isa.unwrap_or_else(Isa::best))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{name}")?;
    EvalBench::new().run(evaluator, args.isa, length, |line| writeln!(out, "{line}"))?;
    Ok(())
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
    match (path, EmbeddedNet::of_build()) {
        (Some(path), _) => bail!("neither nn.bin nor KPPT tables in {}", path.display()),
        (None, Some(net)) => Ok((Evaluator::Nnue(Box::new(net.unpack(isa)?)), "the built-in network".into())),
        (None, None) => Ok((Evaluator::Material(Material::default()), "material".into())),
    }
}

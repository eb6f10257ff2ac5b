use arena::stats::{EloModel, Pentanomial, Sprt, llr};
use std::io::{self, Write};

/// Compute what results of games mean.
#[derive(clap::Args, PartialEq, Debug)]
pub struct SprtArgs {
    #[command(subcommand)]
    command: SprtCommand,
}

#[derive(clap::Subcommand, PartialEq, Debug)]
enum SprtCommand {
    /// The log-likelihood ratio of two hypotheses; it is the last word of the output.
    Llr {
        /// How many pairs brought 0, 1, 2, 3 and 4 half points: LL,LD,DD,DW,WW.
        #[arg(long)]
        penta: Pentanomial,
        /// The first hypothesis.
        #[arg(long, allow_negative_numbers = true)]
        elo0: f64,
        /// The second hypothesis.
        #[arg(long, allow_negative_numbers = true)]
        elo1: f64,
        /// The unit of both, as in `match --sprt`: Elo (logistic) or normalised Elo.
        #[arg(long, default_value_t = Sprt::default().model)]
        model: EloModel,
    },
    /// Elo, normalised Elo and likelihood of superiority, with intervals of 95 % confidence.
    Elo {
        /// How many pairs brought 0, 1, 2, 3 and 4 half points: LL,LD,DD,DW,WW.
        #[arg(long)]
        penta: Pentanomial,
    },
}

/// Prints the statistics.
pub fn run_sprt(args: &SprtArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match &args.command {
        SprtCommand::Llr { penta, elo0, elo1, model } => {
            anyhow::ensure!(
                elo0.is_finite() && elo1.is_finite(),
                "expected finite numbers for --elo0 and --elo1"
            );
            let (low, high) = Sprt::default().bounds();
            let ratio = llr(penta, *model, *elo0, *elo1);
            writeln!(
                out,
                "{} pairs, {model} model, bounds {low:.3} and {high:.3} for 5 % errors",
                penta.pairs()
            )?;
            writeln!(out, "LLR {ratio}")?;
        }
        SprtCommand::Elo { penta } => {
            let (elo, normalized) = (penta.elo(), penta.normalized_elo());
            writeln!(out, "Elo  {elo:.3}")?;
            writeln!(out, "nElo {normalized:.3}")?;
            writeln!(out, "LOS  {:.4} %", 100.0 * penta.los())?;
        }
    }
    Ok(())
}

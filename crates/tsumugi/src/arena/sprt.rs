use crate::terminal::print;
use arena::stats::{EloModel, Pentanomial, Sprt, llr};

/// Compute statistics of game results.
#[derive(clap::Args, PartialEq, Debug)]
pub struct SprtArgs {
    #[command(subcommand)]
    command: SprtCommand,
}

#[derive(clap::Subcommand, PartialEq, Debug)]
enum SprtCommand {
    /// The log-likelihood ratio of two hypotheses; it is the last word of the output.
    Llr {
        /// Number of pairs with 0, 1, 2, 3 and 4 half points: LL,LD,DD,DW,WW.
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
    /// Elo, normalised Elo and likelihood of superiority, with 95 % confidence intervals.
    Elo {
        /// Number of pairs with 0, 1, 2, 3 and 4 half points: LL,LD,DD,DW,WW.
        #[arg(long)]
        penta: Pentanomial,
    },
}

/// Prints the statistics.
pub fn run_sprt(args: &SprtArgs) -> anyhow::Result<()> {
    match &args.command {
        SprtCommand::Llr { penta, elo0, elo1, model } => {
            let finite = elo0.is_finite() && elo1.is_finite();
            anyhow::ensure!(finite, "expected finite numbers for --elo0 and --elo1");
            let ((low, high), pairs) = (Sprt::default().bounds(), penta.pairs());
            print(format_args!(
                "{pairs} pairs, {model} model, bounds {low:.3} and {high:.3} for 5 % errors"
            ))?;
            print(format_args!("LLR {}", llr(penta, *model, *elo0, *elo1)))?;
        }
        SprtCommand::Elo { penta } => {
            print(format_args!("Elo  {:.3}", penta.elo()))?;
            print(format_args!("nElo {:.3}", penta.normalized_elo()))?;
            print(format_args!("LOS  {:.4} %", 100.0 * penta.los()))?;
        }
    }
    Ok(())
}

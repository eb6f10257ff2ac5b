//! `tsumugi binarsi`: the console of the original, and the solver.

mod solve;

use crate::language;
use solve::SolveArgs;
use std::path::PathBuf;
use std::time::Duration;

/// Play Binarsi on the console of the original program, or solve it.
///
/// The console understands `help`. Through the ordinary console, `setoption name USI_Variant value binarsi` chooses the
/// game.
#[derive(clap::Args, PartialEq, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BinarsiArgs {
    #[command(subcommand)]
    what: Option<What>,
    /// Seconds per move of the computer.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    time: f64,
}

#[derive(clap::Subcommand, PartialEq, Debug)]
enum What {
    Solve(SolveArgs),
    /// Check a certificate that `solve --certificate` wrote.
    ///
    /// Uses only the rules of the game, no part of the solver.
    Verify {
        /// The certificate.
        file: PathBuf,
    },
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if (0.0..=86_400.0).contains(&number) {
        Ok(number)
    } else {
        Err("expected 0 to 86400 seconds".to_owned())
    }
}

/// Runs the command.
pub fn run(args: &BinarsiArgs) -> anyhow::Result<()> {
    match &args.what {
        Some(What::Solve(args)) => solve::solve(args),
        Some(What::Verify { file }) => solve::verify(file),
        None => Ok(engines::run_binarsi_console(language::current(), Duration::from_secs_f64(args.time))?),
    }
}

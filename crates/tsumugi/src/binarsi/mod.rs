//! Binarsi: the console of the original, the solver.

mod console;
mod solve;

use console::Lang;
use solve::{SolveArgs, VerifyArgs};
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
    /// Language of the console's texts.
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    /// Seconds that the computer thinks about a move.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    time: f64,
}

#[derive(clap::Subcommand, PartialEq, Debug)]
enum What {
    Solve(SolveArgs),
    Verify(VerifyArgs),
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
        Some(What::Verify(args)) => solve::verify(args),
        None => console::run(args.lang, Duration::from_secs_f64(args.time)),
    }
}

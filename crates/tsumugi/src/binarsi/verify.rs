//! `tsumugi binarsi verify`: checks a proof by the rules alone.

use anyhow::Context;
use binarsi::{Certificate, Verified};
use std::io::{self, Write};
use std::path::PathBuf;

/// Check a certificate that `solve --certificate` wrote.
///
/// Uses the rules of the game and nothing of the solver.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct VerifyArgs {
    /// The certificate.
    pub file: PathBuf,
}

/// Runs the command.
pub fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    let name = || args.file.display().to_string();
    let bytes = std::fs::read(&args.file).with_context(name)?;
    let certificate = Certificate::from_bytes(&bytes).with_context(name)?;
    let Verified { board, winner, positions } = certificate.verify().with_context(name)?;
    writeln!(io::stdout(), "{winner} wins `sfen {board}`: {positions} positions checked")?;
    Ok(())
}

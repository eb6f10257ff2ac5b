//! `tsumugi binarsi solve` and `verify`.

use crate::terminal::print;
use anyhow::Context;
use binarsi::{Binarsi, Certificate, SolveError, SolveSettings, Verified};
use game::Game;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Prove who wins.
///
/// Progress goes to standard error. With --checkpoint, results are written to a file at intervals, and the same command
/// resumes from it.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct SolveArgs {
    /// `startpos` or `sfen SFEN`, then optionally `moves MOVE...`.
    #[arg(default_value = "startpos", num_args = 0.., trailing_var_arg = true)]
    position: Vec<String>,
    /// Size of the table in megabytes.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Threads; all cores if not given.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Save results to this file, and start from its content.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Seconds between checkpoints.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    interval: u64,
    /// Maximum number of positions in a checkpoint, those with the most work; 16 bytes each.
    #[arg(long, value_name = "NUMBER", default_value_t = 4_000_000)]
    checkpoint_entries: usize,
    /// Time limit in seconds.
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Limit of nodes.
    #[arg(long)]
    nodes: Option<u64>,
    /// Write a proof for `tsumugi binarsi verify` once the position is decided.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Decide every legal move, not only the position.
    #[arg(long)]
    all: bool,
}

/// Solves a position.
pub fn solve(args: &SolveArgs) -> anyhow::Result<()> {
    let command = args.position.join(" ");
    let position = Binarsi.position_command(&command).with_context(|| format!("bad position '{command}'"))?;
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let settings = SolveSettings {
        megabytes: usize::try_from(args.memory).context("--memory is too large for this machine")?,
        threads: args.threads.unwrap_or(cores),
        checkpoint: args.checkpoint.clone(),
        interval: Duration::from_secs(args.interval),
        checkpoint_entries: args.checkpoint_entries,
        time: args.time.map(Duration::from_secs),
        nodes: args.nodes,
        certificate: args.certificate.clone(),
        all: args.all,
        progress: Duration::from_secs(if io::stderr().is_terminal() { 1 } else { 30 }),
    };
    match binarsi::solve(position.board(), &settings, &mut io::stderr(), &mut io::stdout().lock()) {
        // A closed pipe is not an error.
        Err(SolveError::Output(error)) => Err(error.into()),
        solved => Ok(solved?),
    }
}

/// Verifies a proof by the rules alone.
pub fn verify(file: &Path) -> anyhow::Result<()> {
    let name = || file.display().to_string();
    let bytes = std::fs::read(file).with_context(name)?;
    let certificate = Certificate::from_bytes(&bytes).with_context(name)?;
    let Verified { board, winner, positions } = certificate.verify().with_context(name)?;
    Ok(print(format_args!("{winner} wins `sfen {board}`: {positions} positions checked"))?)
}

//! `tsumugi train perturb`: positions near those of games.

use super::data::Paths;
use super::evaluation::EvalArgs;
use crate::words::cores;
use anyhow::bail;
use clap::value_parser;
use platform::ProgressLine;
use std::path::PathBuf;
use train::DataFile;
use train::perturb::{Perturb, Visited};

/// Write positions near those of training data, for a network to score (`tools/teach_gpu.py`).
///
/// They are those that one or two random moves lead to or, with `--search`, those that a short search of the engine from
/// each position visits, as a network evaluates them when it plays; `--search` needs games. They have no scores, results
/// and best moves of their own.
///
///     tsumugi train perturb games/ -o beside.psv
///     tsumugi train perturb games/ -o visited.psv --search 60 --each 4
#[derive(clap::Args, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub struct PerturbArgs {
    #[command(flatten)]
    paths: Paths,
    /// The file to write; its extension sets the format: .bin, .psv, .hcpe, .txt, .sfen.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file of another kind.
    #[arg(long)]
    force: bool,
    /// Maximum number of random moves from each position.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=100))]
    moves: u16,
    /// The same seed gives the same positions, with any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write positions visited by searches of this many nodes; the iteration that reaches them is finished.
    #[arg(long, value_name = "NODES", conflicts_with = "moves", value_parser = value_parser!(u64).range(1..))]
    search: Option<u64>,
    /// Number of positions per search, all of them distinct within a game.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "search", value_parser = value_parser!(u16).range(1..=1000))]
    each: u16,
    /// Search one of this many positions.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "search", value_parser = value_parser!(u16).range(1..))]
    every: u16,
    /// Maximum number of games to search.
    #[arg(long, value_name = "N", requires = "search")]
    games: Option<usize>,
    /// Megabytes of each thread's table.
    #[arg(long, value_name = "MB", default_value_t = 8, requires = "search", value_parser = value_parser!(u16).range(1..))]
    hash: u16,
    /// Threads; each searches one game at a time. By default one per core.
    #[arg(long, value_name = "N", requires = "search")]
    threads: Option<usize>,
    #[command(flatten)]
    eval: EvalArgs,
}

pub fn run(args: &PerturbArgs) -> anyhow::Result<()> {
    let out = DataFile::of_positions(&args.out, args.force)?;
    let files = args.paths.files()?;
    let written = if let Some(nodes) = args.search {
        let [each, every, hash] = [args.each, args.every, args.hash].map(usize::from);
        let visited = Visited { seed: args.seed, nodes, each, every, hash };
        let games = args.games.unwrap_or(usize::MAX);
        let (evaluation, threads) = (args.eval.load()?.evaluation, args.threads.unwrap_or_else(cores));
        let mut line = ProgressLine::new();
        visited.write(files, games, &evaluation, threads, out, |progress| line.update(progress))?.to_string()
    } else if args.eval.is_chosen() {
        bail!("an evaluation is used only with --search NODES: give --search");
    } else {
        Perturb::new(usize::from(args.moves), args.seed).write(&files, out)?.to_string()
    };
    eprintln!("{written} written to {}", args.out.display());
    Ok(())
}

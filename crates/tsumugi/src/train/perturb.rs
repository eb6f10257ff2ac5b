//! `tsumugi train perturb`: positions beside those of games.

use super::data::{Paths, cores};
use super::evaluation::EvalArgs;
use super::progress::ProgressLine;
use anyhow::bail;
use clap::value_parser;
use std::path::PathBuf;
use train::DataFile;
use train::perturb::{Perturb, Visited};

/// Write positions beside those of training data, for a network to score (`tools/teach_gpu.py`).
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
    /// The file to write; its ending tells the format: .bin, .psv, .hcpe, .txt, .sfen.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that holds something else.
    #[arg(long)]
    force: bool,
    /// At most so many random moves from each position.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=100))]
    moves: u16,
    /// The same again for the same seed, with any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write positions that a search of so many nodes visits; the iteration that reaches them is finished.
    #[arg(long, value_name = "NODES", conflicts_with = "moves", value_parser = value_parser!(u64).range(1..))]
    search: Option<u64>,
    /// How many positions of each search, none of them twice for a game.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "search", value_parser = value_parser!(u16).range(1..=1000))]
    each: u16,
    /// Search one position of so many.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "search", value_parser = value_parser!(u16).range(1..))]
    every: u16,
    /// Search no more than so many games.
    #[arg(long, value_name = "N", requires = "search")]
    games: Option<usize>,
    /// Megabytes of each thread's table.
    #[arg(long, value_name = "MB", default_value_t = 8, requires = "search", value_parser = value_parser!(u16).range(1..))]
    hash: u16,
    /// Threads; one game is searched on each. By default as many as there are cores.
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
        bail!("random moves need no evaluation; give --search NODES, too");
    } else {
        Perturb::new(usize::from(args.moves), args.seed).write(&files, out)?.to_string()
    };
    eprintln!("{written} written to {}", args.out.display());
    Ok(())
}

//! `tsumugi train stray`: positions beside those of games.

use super::data::{RecordWriter, cores, format_of, write_file};
use super::evaluation::EvalArgs;
use super::overwrite::Output;
use anyhow::bail;
use platform::atomic_file::write_at;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use train::corpus::{self, CorpusError, TeacherFormat};
use train::{Stray, TeacherGame, Visited};

/// Write positions beside those of teachers, for a network to judge (`tools/teach_gpu.py`).
///
/// They are those that one or two random moves lead to or, with `--search`, those that a short search of the engine from
/// each position visits: that is what a network is asked about when it plays. They have no scores, results and best moves
/// of their own.
///
///     tsumugi train stray games/ -o beside.psv
///     tsumugi train stray games/ -o visited.psv --search 60 --each 4
#[derive(clap::Args, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub struct StrayArgs {
    /// Files or folders of teachers; `--search` needs games.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The file to write; its ending tells the format: .bin, .psv, .hcpe, .txt, .sfen.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that holds something else.
    #[arg(long)]
    force: bool,
    /// At most so many random moves from each position.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=100))]
    moves: u16,
    /// The same again for the same seed, with any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write positions that a search of so many nodes visits; the iteration that reaches them is finished.
    #[arg(long, value_name = "NODES", conflicts_with = "moves", value_parser = clap::value_parser!(u64).range(1..))]
    search: Option<u64>,
    /// How many positions of each search, none of them twice for a game.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "search", value_parser = clap::value_parser!(u16).range(1..=1000))]
    each: u16,
    /// Search one position of so many.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "search", value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    /// Search no more than so many games.
    #[arg(long, value_name = "N", requires = "search")]
    games: Option<usize>,
    /// Megabytes of each thread's table.
    #[arg(long, value_name = "MB", default_value_t = 8, requires = "search", value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Threads; one game is searched on each. By default as many as there are cores.
    #[arg(long, value_name = "N", requires = "search")]
    threads: Option<usize>,
    #[command(flatten)]
    eval: EvalArgs,
}

/// Leads astray.
pub fn stray(args: &StrayArgs) -> anyhow::Result<()> {
    // Single positions are no games.
    let format = format_of(&args.out, ".bin, .psv, .hcpe, .txt or .sfen", |format| {
        !matches!(format, Some(TeacherFormat::Pack | TeacherFormat::Hcpe3))
    })?;
    Output::Data(format).check(&args.out, args.force)?;
    let files = corpus::files(&args.paths)?;
    if let Some(nodes) = args.search {
        let settings = Visited {
            seed: args.seed,
            nodes,
            each: usize::from(args.each),
            every: usize::from(args.every),
            hash: usize::from(args.hash),
        };
        let told = write_at(&args.out, |part| search(args, settings, files, format, part))?;
        eprintln!("{told} written to {}", args.out.display());
        return Ok(());
    }
    if args.eval.is_chosen() {
        bail!("random moves need no evaluation; give --search NODES, too");
    }
    let mut stray = Stray::new(usize::from(args.moves), args.seed);
    let beside = files.into_iter().map(|file| {
        let mut corpus = corpus::read(&file)?;
        corpus.records = corpus.records.iter().filter_map(|record| stray.lead(record)).collect();
        corpus.games.clear();
        Ok(corpus)
    });
    let count = write_file(&args.out, format, beside)?;
    eprintln!("{count} positions written to {}", args.out.display());
    Ok(())
}

/// The games of files, one file after the other.
fn games_of(files: Vec<PathBuf>) -> impl Iterator<Item = Result<TeacherGame, CorpusError>> + Send {
    files.into_iter().flat_map(|file| {
        let (games, failed) = match corpus::games(&file) {
            Ok(games) => (Some(games), None),
            Err(error) => (None, Some(Err(error))),
        };
        games.into_iter().flatten().chain(failed)
    })
}

/// Writes what searches visit; says how much that was.
fn search(
    args: &StrayArgs,
    settings: Visited,
    files: Vec<PathBuf>,
    format: Option<TeacherFormat>,
    part: &Path,
) -> anyhow::Result<String> {
    let evaluation = args.eval.load()?.evaluation;
    let mut writer = RecordWriter::create(part, format)?;
    let mut counted = Counted::new();
    let games = games_of(files).take(args.games.unwrap_or(usize::MAX));
    settings.search(games, &evaluation, args.threads.unwrap_or_else(cores), |of_game| {
        writer.push(&of_game.records)?;
        counted.games += 1;
        counted.positions += of_game.records.len() as u64;
        counted.searches += of_game.searches;
        counted.nodes += of_game.nodes;
        counted.tell();
        Ok::<_, anyhow::Error>(())
    })?;
    if writer.finish()? == 0 {
        bail!("no position was visited");
    }
    Ok(counted.line())
}

/// How far it has come.
struct Counted {
    games: u64,
    searches: u64,
    nodes: u64,
    positions: u64,
    start: Instant,
    last: Instant,
}

impl Counted {
    fn new() -> Self {
        let now = Instant::now();
        Self { games: 0, searches: 0, nodes: 0, positions: 0, start: now, last: now }
    }

    /// Now and then.
    fn tell(&mut self) {
        let pause = if io::stderr().is_terminal() { 1 } else { 10 };
        if self.last.elapsed() >= Duration::from_secs(pause) {
            self.last = Instant::now();
            eprintln!("{}", self.line());
        }
    }

    fn line(&self) -> String {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        format!(
            "{} games, {} searches, {:.0} nodes/search, {:.0} searches/s, {:.0} positions/s, {} positions",
            self.games,
            self.searches,
            self.nodes as f64 / self.searches.max(1) as f64,
            self.searches as f64 / seconds,
            self.positions as f64 / seconds,
            self.positions
        )
    }
}

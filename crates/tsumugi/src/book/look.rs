//! Commands that read books.

use super::work::{Force, WorkArgs, parse_position, warn};
use crate::terminal::{Bar, print};
use crate::words::{SIDES, one_of};
use anyhow::ensure;
use book::{
    BookFaults, BookStats, ExportFilter, Library, Loading, Output, Plies, Problems, diff, export_positions,
    open_stream, sorted_streams,
};
use shogi::Color;
use std::path::PathBuf;
use std::time::Instant;

/// Look positions up as an engine would.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ProbeArgs {
    /// The books, in order of priority.
    #[arg(required = true)]
    books: Vec<PathBuf>,
    /// The position: startpos or an SFEN, perhaps with `moves MOVE...`.
    #[arg(long, default_value = "startpos")]
    position: String,
    /// Leave the book on disk; it must be sorted.
    #[arg(long)]
    on_the_fly: bool,
    /// Find the position only with the same move number.
    #[arg(long)]
    match_ply: bool,
    /// Do not look for the position rotated by 180 degrees.
    #[arg(long)]
    no_flip: bool,
    /// Benchmark: look up this many random positions of the first book.
    #[arg(long, value_name = "N")]
    bench: Option<u64>,
}

impl ProbeArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let position = parse_position(&self.position)?;
        let loading = if self.on_the_fly { Loading::OnTheFly } else { Loading::Memory };
        let plies = if self.match_ply { Plies::Matter } else { Plies::Ignored };
        let begin = Instant::now();
        let library = Library::open(&self.books, loading)?;
        let mut remarks = Vec::new();
        let moves =
            library.find_with_remarks(&position, plies, !self.no_flip, &mut |remark| remarks.push(remark))?;
        for remark in &remarks {
            eprintln!("warning: {remark}");
        }
        if let Some(count) = self.bench {
            print(format_args!("open + first probe: {:.3} ms", begin.elapsed().as_secs_f64() * 1e3))?;
            let (found, elapsed) = library.bench(plies, count)?;
            let speed = count as f64 / elapsed.as_secs_f64();
            return Ok(print(format_args!("{count} probes, {found} found, {speed:.0} per second"))?);
        }
        moves.iter().try_for_each(print)?;
        ensure!(!moves.is_empty(), "the position is in none of the books");
        Ok(())
    }
}

/// Print a book as text, position by position.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ShowArgs {
    /// The book.
    book: PathBuf,
    /// Maximum number of positions.
    #[arg(long, value_name = "N", default_value_t = 10)]
    head: usize,
}

impl ShowArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let problems = Problems::stop();
        let mut stream = open_stream(&self.book, problems.clone())?;
        for _ in 0..self.head {
            let Some(entry) = stream.next_entry()? else { break };
            print(entry)?;
        }
        warn(&problems);
        Ok(())
    }
}

/// Compare two books: - only in the first, + only in the second, < and > in both with different moves.
#[derive(clap::Args, PartialEq, Debug)]
pub struct DiffArgs {
    /// The first book.
    first: PathBuf,
    /// The second book.
    second: PathBuf,
    /// Print only the counts.
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl DiffArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let options = self.work.options(&self.first);
        let bar = Bar::new("reading");
        let books = [self.first.as_path(), self.second.as_path()];
        let [mut first, mut second] = sorted_streams(books, &options, &mut |part| bar.tell(part))?;
        drop(bar);
        warn(&options.problems);
        let mut printed = Ok(());
        let counts = diff(&mut first, &mut second, |difference| {
            if !self.count && printed.is_ok() {
                printed = print(difference);
            }
        })?;
        printed?;
        Ok(print(counts)?)
    }
}

/// The argument of a book to read.
#[derive(clap::Args, PartialEq, Debug)]
pub struct BookPath {
    /// The book.
    book: PathBuf,
}

impl BookPath {
    pub fn stats(&self) -> anyhow::Result<()> {
        let problems = Problems::stop();
        let stats = BookStats::of(&mut open_stream(&self.book, problems.clone())?)?;
        warn(&problems);
        Ok(print(stats)?)
    }

    pub fn check(&self) -> anyhow::Result<()> {
        let faults = BookFaults::find(&self.book)?;
        faults.examples.iter().try_for_each(print)?;
        Ok(print(format_args!("{} positions, nothing wrong", faults.verdict?))?)
    }
}

/// Write positions of a book as openings for matches, one `sfen` per line.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ExportArgs {
    /// The book.
    book: PathBuf,
    /// The file to write.
    out: PathBuf,
    /// Minimum value of the best move.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    min_value: Option<i32>,
    /// Maximum value of the best move.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    max_value: Option<i32>,
    /// Maximum move number.
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Minimum move number.
    #[arg(long, value_name = "N")]
    min_ply: Option<u32>,
    /// Side to move.
    #[arg(long, value_parser = one_of(SIDES))]
    side: Option<Color>,
}

impl ExportArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        force.check(&self.out, Output::Positions)?;
        let &Self { min_value, max_value, min_ply, max_ply, side, .. } = self;
        let filter = ExportFilter { min_value, max_value, min_ply, max_ply, side };
        let problems = Problems::stop();
        let count = export_positions(&self.book, &self.out, &filter, &problems)?;
        warn(&problems);
        Ok(print(format_args!("{count} positions in {}", self.out.display()))?)
    }
}

//! Commands that look into books.

use super::work::{Bar, OutputFile, WorkArgs, parse_position, print, warn};
use anyhow::bail;
use book::{
    BookStats, Difference, Entry, EntryStream, Library, Loading, Output, Plies, Problems, diff, open_stream,
    sorted_stream,
};
use shogi::Color;
use std::path::PathBuf;
use std::time::Instant;

/// Look positions up, as a player would.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ProbeArgs {
    /// The book; more of them are asked one after the other.
    #[arg(required = true)]
    books: Vec<PathBuf>,
    /// The position: startpos or an SFEN, perhaps with `moves MOVE...`.
    #[arg(long, default_value = "startpos")]
    position: String,
    /// Leave the book on disk; it must be sorted.
    #[arg(long)]
    on_the_fly: bool,
    /// Find the position only after the same number of moves.
    #[arg(long)]
    match_ply: bool,
    /// Do not look for the position turned by 180 degrees.
    #[arg(long)]
    no_flip: bool,
    /// Measure: look up so many positions of the first book at random.
    #[arg(long, value_name = "N")]
    bench: Option<u64>,
}

impl ProbeArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let position = parse_position(&self.position)?;
        let loading = if self.on_the_fly { Loading::OnTheFly } else { Loading::Memory };
        let plies = if self.match_ply { Plies::Matter } else { Plies::Ignored };
        let begin = Instant::now();
        let mut library = Library::default();
        for book in &self.books {
            library.add(book, loading)?;
        }
        let mut remarks = Vec::new();
        let moves =
            library.find_with_remarks(&position, plies, !self.no_flip, &mut |remark| remarks.push(remark))?;
        for remark in &remarks {
            eprintln!("warning: {remark}");
        }
        let opened = begin.elapsed();
        if let Some(count) = self.bench {
            print(format_args!("open + first probe: {:.3} ms", opened.as_secs_f64() * 1e3))?;
            return self.measure(&library, plies, count);
        }
        for m in &moves {
            let mut line = Vec::new();
            m.write(&mut line);
            print(String::from_utf8_lossy(&line))?;
        }
        if moves.is_empty() {
            bail!("the position is in none of the books");
        }
        Ok(())
    }

    /// Random positions of the first book, taken from all over it.
    fn measure(&self, library: &Library, plies: Plies, count: u64) -> anyhow::Result<()> {
        let mut stream = open_stream(&self.books[0], Problems::skip())?;
        let mut lots = platform::Random::new(7);
        let mut sample = Vec::new();
        let mut seen = 0u64;
        while let Some(entry) = stream.next_entry()? {
            seen += 1;
            if (sample.len() as u64) < 10_000 {
                sample.push(entry.clone());
            } else {
                let at = book::Lots::below(&mut lots, seen) as usize;
                if let Some(slot) = sample.get_mut(at) {
                    slot.clone_from(entry);
                }
            }
        }
        let positions: Vec<_> = sample.iter().filter_map(|entry| entry.position().ok()).collect();
        if positions.is_empty() {
            bail!("{} has no positions", self.books[0].display());
        }
        let begin = Instant::now();
        let mut found = 0u64;
        for _ in 0..count {
            let at = book::Lots::below(&mut lots, positions.len() as u64) as usize;
            found += u64::from(!library.find(&positions[at], plies, false)?.is_empty());
        }
        let seconds = begin.elapsed().as_secs_f64();
        print(format_args!("{count} probes, {found} found, {:.0} per second", count as f64 / seconds))?;
        Ok(())
    }
}

/// Print a book as text, position by position.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ShowArgs {
    /// The book.
    book: PathBuf,
    /// Only so many positions.
    #[arg(long, value_name = "N", default_value_t = 10)]
    head: usize,
}

fn print_entry(mark: &str, entry: &Entry) -> anyhow::Result<()> {
    print(format_args!("{mark}sfen {}", entry.sfen()))?;
    for m in &entry.moves {
        let mut line = Vec::new();
        m.write(&mut line);
        print(format_args!("{mark}{}", String::from_utf8_lossy(&line)))?;
    }
    Ok(())
}

impl ShowArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let problems = Problems::stop();
        let mut stream = open_stream(&self.book, problems.clone())?;
        for _ in 0..self.head {
            let Some(entry) = stream.next_entry()? else { break };
            print_entry("", entry)?;
        }
        warn(&problems);
        Ok(())
    }
}

/// Tell how two books differ: - only in the first, + only in the second, < and > in both but otherwise.
#[derive(clap::Args, PartialEq, Debug)]
pub struct DiffArgs {
    /// The first book.
    first: PathBuf,
    /// The second book.
    second: PathBuf,
    /// Only count.
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl DiffArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let options = self.work.options(&self.first);
        let bar = Bar::new("reading");
        let mut first = sorted_stream(&self.first, &options, &mut |part| bar.tell(part / 2.0))?;
        let mut second = sorted_stream(&self.second, &options, &mut |part| bar.tell(0.5 + part / 2.0))?;
        drop(bar);
        warn(&options.problems);
        let mut counts = [0u64; 3];
        let mut failed = None;
        let same = diff(&mut first, &mut second, |difference| {
            let (which, parts): (usize, Vec<(&str, &Entry)>) = match difference {
                Difference::Removed(entry) => (0, vec![("- ", entry)]),
                Difference::Added(entry) => (1, vec![("+ ", entry)]),
                Difference::Changed(one, other) => (2, vec![("< ", one), ("> ", other)]),
            };
            counts[which] += 1;
            if !self.count && failed.is_none() {
                failed = parts.into_iter().find_map(|(mark, entry)| print_entry(mark, entry).err());
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let [removed, added, changed] = counts;
        print(format_args!("{same} the same, {changed} changed, {removed} removed, {added} added"))?;
        Ok(())
    }
}

/// Count what is in a book.
#[derive(clap::Args, PartialEq, Debug)]
pub struct StatsArgs {
    /// The book.
    book: PathBuf,
}

impl StatsArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let problems = Problems::stop();
        let stats = BookStats::of(&mut open_stream(&self.book, problems.clone())?)?;
        warn(&problems);
        print(format_args!(
            "{} positions ({} black, {} white to move), {} moves",
            stats.positions,
            stats.black,
            stats.positions - stats.black,
            stats.moves
        ))?;
        if let Some((least, most)) = stats.plies {
            print(format_args!("move numbers {least} to {most}"))?;
        }
        for (name, histogram, step) in [("depth", &stats.depths, 8), ("value", &stats.values, 100)] {
            for (from, count) in histogram {
                print(format_args!("{name} {from} to {}: {count}", from + step - 1))?;
            }
        }
        Ok(())
    }
}

/// Say what is wrong with a book; an error if anything is.
#[derive(clap::Args, PartialEq, Debug)]
pub struct CheckArgs {
    /// The book.
    book: PathBuf,
}

impl CheckArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let format = book::BookFormat::of_path(&self.book)?;
        let mut bad_lines = 0;
        let stats = if format == book::BookFormat::Db {
            let problems = Problems::skip();
            let stats = BookStats::of(&mut open_stream(&self.book, problems.clone())?)?;
            bad_lines = problems.left_out() + problems.forgiven();
            for line in problems.first() {
                print(line)?;
            }
            stats
        } else {
            let mut stats = BookStats::of(&mut open_stream(&self.book, Problems::stop())?)?;
            // Binary books have orders of their own.
            stats.unsorted = 0;
            if format == book::BookFormat::Ybb {
                stats.unsorted = u64::from(book::Ybb::open(&self.book)?.first_unsorted().is_some());
            }
            stats
        };
        for (m, sfen) in &stats.examples {
            print(format_args!("illegal move {m}: sfen {sfen}"))?;
        }
        if stats.is_sound() && bad_lines == 0 {
            print(format_args!("{} positions, nothing wrong", stats.positions))?;
            return Ok(());
        }
        bail!(
            "{}: {bad_lines} bad lines, {} illegal moves, {} repeated positions, {} out of order, {} impossible \
             (`tsumugi book repair` writes a sound copy)",
            self.book.display(),
            stats.illegal,
            stats.repeated,
            stats.unsorted,
            stats.impossible
        )
    }
}

/// Write positions of a book as start positions for matches, one `sfen` to a line.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ExportArgs {
    /// The book.
    book: PathBuf,
    /// Where to write.
    out: PathBuf,
    /// Only positions whose best move is worth this or more.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    min_value: Option<i32>,
    /// Only positions whose best move is worth this or less.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    max_value: Option<i32>,
    /// Only positions before this move or at it.
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Only positions at this move or after it.
    #[arg(long, value_name = "N")]
    min_ply: Option<u32>,
    /// Only positions with this side to move.
    #[arg(long, value_enum)]
    side: Option<Side>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Side {
    Black,
    White,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

impl ExportArgs {
    pub fn output(&self) -> OutputFile<'_> {
        (&self.out, Output::Positions)
    }

    fn wants(&self, entry: &Entry) -> bool {
        let best = entry.moves.iter().map(|m| m.value).max();
        let white = entry.place_str().split(' ').nth(1) == Some("w");
        self.min_value.is_none_or(|least| best.is_some_and(|best| best >= least))
            && self.max_value.is_none_or(|most| best.is_some_and(|best| best <= most))
            && self.min_ply.is_none_or(|least| entry.ply >= least)
            && self.max_ply.is_none_or(|most| entry.ply <= most)
            && self.side.is_none_or(|side| white == (side == Side::White))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let problems = Problems::stop();
        let mut stream = open_stream(&self.book, problems.clone())?;
        let mut lines = Vec::new();
        while let Some(entry) = stream.next_entry()? {
            if self.wants(entry) {
                lines.push(format!("sfen {}", entry.sfen()));
            }
        }
        book::write_lines(&lines, &self.out)?;
        warn(&problems);
        print(format_args!("{} positions in {}", lines.len(), self.out.display()))?;
        Ok(())
    }
}

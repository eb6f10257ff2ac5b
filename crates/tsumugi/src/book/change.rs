//! Commands that make a book from books.

use super::work::{Bar, OutputFile, WorkArgs, parse_position, print, warn};
use anyhow::bail;
use book::{
    BookFormat, BookMove, DbWriter, Edit, Edited, MergePolicy, MinMaxOptions, Output, Problems, Repaired,
    SynthOptions, convert_book, create_book, edit_book, merge_books, minmax, open_stream, sort_book,
    sorted_stream, synthesize, write_any,
};
use shogi::{Color, Move};
use std::path::{Path, PathBuf};

/// Bring a book into order, so that it can be used on the fly.
#[derive(clap::Args, PartialEq, Debug)]
pub struct SortArgs {
    /// The book.
    book: PathBuf,
    /// Where to write; by default the book itself.
    out: Option<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

impl SortArgs {
    fn out(&self) -> &Path {
        self.out.as_ref().unwrap_or(&self.book)
    }

    pub fn output(&self) -> anyhow::Result<OutputFile<'_>> {
        let (path, output) =
            text_book(self.out(), "sort writes a .db; `book convert` writes the other formats")?;
        if self.out.is_none() && output.check(path).is_err() {
            // Which line of the book is at fault says more than that it is none.
            let mut stream = open_stream(path, Problems::stop())?;
            while stream.next_entry()?.is_some() {}
        }
        Ok((path, output))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let out = self.out();
        let bar = Bar::new("sorting");
        let options = self.work.options(out);
        let written = sort_book(&self.book, out, &options, &mut |part| bar.tell(part))?;
        drop(bar);
        warn(&options.problems);
        print(format_args!("{written} positions in {}", out.display()))?;
        Ok(())
    }
}

/// A .db to write, and nothing else.
fn text_book<'a>(path: &'a Path, otherwise: &str) -> anyhow::Result<OutputFile<'a>> {
    match BookFormat::of_path(path)? {
        BookFormat::Db => Ok((path, Output::Book(BookFormat::Db))),
        _ => bail!("{}: {otherwise}", path.display()),
    }
}

/// Make one book from two.
#[derive(clap::Args, PartialEq, Debug)]
pub struct MergeArgs {
    /// The first book.
    first: PathBuf,
    /// The second book.
    second: PathBuf,
    /// Where to write.
    out: PathBuf,
    /// Who wins where both have a position.
    #[arg(long, value_enum, default_value_t = Policy::Both)]
    policy: Policy,
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Policy {
    /// The values of the deeper search, and all moves that were only played; their counts are added.
    Both,
    /// The deeper search, then more moves, then the first book.
    Depth,
    /// All moves; of the same move the one chosen more often.
    MaxCount,
    /// All moves, counts added up.
    SumCount,
    /// The first book.
    First,
    /// Black's positions from the first book, White's from the second.
    Bw,
    /// White's positions from the first book, Black's from the second.
    Wb,
}

impl MergeArgs {
    pub fn output(&self) -> anyhow::Result<OutputFile<'_>> {
        Ok((&self.out, Output::book(&self.out)?))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let policy = match self.policy {
            Policy::Both => MergePolicy::Both,
            Policy::Depth => MergePolicy::DepthFirst,
            Policy::MaxCount => MergePolicy::MaxCount,
            Policy::SumCount => MergePolicy::SumCounts,
            Policy::First => MergePolicy::PreferFirst,
            Policy::Bw => MergePolicy::BySide(Color::Black),
            Policy::Wb => MergePolicy::BySide(Color::White),
        };
        let bar = Bar::new("merging");
        let options = self.work.options(&self.out);
        let books = [self.first.as_path(), self.second.as_path()];
        let summary = merge_books(books, &self.out, policy, &options, &mut |part| bar.tell(part))?;
        drop(bar);
        warn(&options.problems);
        print(format_args!(
            "{} positions in both books, {} only in the first, {} only in the second; {}",
            summary.same,
            summary.only_first,
            summary.only_second,
            summary.dropped_message()
        ))?;
        Ok(())
    }
}

/// Give every move the value it has when both sides play the best of the book (peta shock).
#[derive(clap::Args, PartialEq, Debug)]
pub struct MinMaxArgs {
    /// The book, .db or .ybb.
    book: PathBuf,
    /// Where to write, in the same format.
    out: PathBuf,
    /// Keep only the moves that are worth as much as the best.
    #[arg(long)]
    shrink: bool,
    /// Number of threads; by default one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    work: WorkArgs,
}

impl MinMaxArgs {
    pub fn output(&self) -> anyhow::Result<OutputFile<'_>> {
        Ok((&self.out, Output::book(&self.out)?))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let mut options =
            MinMaxOptions { shrink: self.shrink, line_end: self.work.line_end(), ..MinMaxOptions::default() };
        if let Some(threads) = self.threads {
            options.threads = threads.get();
        }
        let bar = Bar::new("reading");
        let summary = minmax(&self.book, &self.out, &options, &|what, part| bar.stage(what, part))?;
        drop(bar);
        warn(&options.problems);
        print(format_args!(
            "{} positions, {} on or above repetitions, {} on loops of checks, {} moves found that were not listed",
            summary.positions,
            summary.positions - summary.settled,
            summary.on_check_loops,
            summary.converged_moves
        ))?;
        Ok(())
    }
}

/// Turn a book into another format; the ends of the names say which.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ConvertArgs {
    /// The book.
    book: PathBuf,
    /// Where to write.
    out: PathBuf,
    #[command(flatten)]
    work: WorkArgs,
}

impl ConvertArgs {
    pub fn output(&self) -> anyhow::Result<OutputFile<'_>> {
        Ok((&self.out, Output::book(&self.out)?))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let bar = Bar::new("converting");
        let options = self.work.options(&self.out);
        let summary = convert_book(&self.book, &self.out, &options, &mut |part| bar.tell(part))?;
        drop(bar);
        warn(&options.problems);
        print(format_args!("{} positions in {}", summary.positions, self.out.display()))?;
        for line in summary.loss_messages() {
            print(line)?;
        }
        Ok(())
    }
}

/// Change one position of a .db; everything else in the file, comments included, stays as it is.
///
///     tsumugi book edit book.db "startpos moves 7g7f" --set "3c3d 2g2f 30 20 1"
///     tsumugi book edit book.db startpos --remove 1g1f --comment "nobody plays 1g1f"
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct EditArgs {
    /// The book.
    book: PathBuf,
    /// The position: startpos or an SFEN, perhaps with `moves MOVE...`.
    position: String,
    /// Add a move or change it: "MOVE REPLY VALUE DEPTH COUNT", as far as known.
    #[arg(long, value_name = "MOVE")]
    set: Vec<String>,
    /// Remove a move.
    #[arg(long, value_name = "MOVE")]
    remove: Vec<Move>,
    /// Put a comment behind the position.
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Remove the position.
    #[arg(long, conflicts_with_all = ["set", "remove", "comment"])]
    delete: bool,
}

impl EditArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if BookFormat::of_path(&self.book)? != BookFormat::Db {
            bail!("{}: only a .db can be edited; convert it first", self.book.display());
        }
        let position = parse_position(&self.position)?;
        let mut edits = Vec::new();
        for text in &self.set {
            let m = BookMove::parse(text.as_bytes())?;
            if !m.play.is_some_and(|play| position.is_legal(play)) {
                bail!("--set {text}: not a legal move of this position");
            }
            edits.push(Edit::Set(m));
        }
        edits.extend(self.remove.iter().map(|m| Edit::RemoveMove(*m)));
        edits.extend(self.comment.iter().map(|text| Edit::Comment(text.clone())));
        if self.delete {
            edits.push(Edit::RemovePosition);
        }
        if edits.is_empty() {
            bail!("nothing to change: give --set, --remove, --comment or --delete");
        }
        for edit in &edits {
            let what = match edit_book(&self.book, &position, edit)? {
                Edited::Changed => "changed",
                Edited::Added => "added",
                Edited::Absent => bail!("the position is not in {}", self.book.display()),
            };
            print(format_args!("{what}: sfen {}", position.sfen()))?;
        }
        Ok(())
    }
}

/// Write a book without what is wrong with it: lines that make no sense, illegal moves, repeated positions, disorder.
#[derive(clap::Args, PartialEq, Debug)]
pub struct RepairArgs {
    /// The book.
    book: PathBuf,
    /// Where to write.
    out: PathBuf,
    #[command(flatten)]
    work: WorkArgs,
}

impl RepairArgs {
    pub fn output(&self) -> anyhow::Result<OutputFile<'_>> {
        Ok((&self.out, Output::book(&self.out)?))
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let mut options = self.work.options(&self.out);
        options.problems = Problems::skip();
        let bar = Bar::new("repairing");
        let sorted = sorted_stream(&self.book, &options, &mut |part| bar.tell(part))?;
        let mut repaired = Repaired::new(sorted);
        let summary = write_any(&self.out, &mut repaired, &options)?;
        drop(bar);
        warn(&options.problems);
        print(format_args!(
            "{} positions in {}, {} moves left out",
            summary.positions,
            self.out.display(),
            repaired.removed
        ))?;
        Ok(())
    }
}

/// Make a book for tests and measurements: random lines from the start position, the same for the same seed.
#[derive(clap::Args, PartialEq, Debug)]
pub struct SynthArgs {
    /// Where to write; a .db in the order of discovery, anything else in its own.
    out: PathBuf,
    /// The same seed gives the same book.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many positions.
    #[arg(long, default_value_t = 3_000_000)]
    positions: usize,
    /// How many moves a position has at most.
    #[arg(long, default_value_t = 4)]
    moves: usize,
    #[command(flatten)]
    work: WorkArgs,
}

impl SynthArgs {
    pub fn output(&self) -> anyhow::Result<OutputFile<'_>> {
        text_book(&self.out, "synth writes a .db")
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let options = SynthOptions { positions: self.positions, seed: self.seed, moves: self.moves };
        let bar = Bar::new("making");
        let mut writer = DbWriter::new(create_book(&self.out)?, self.work.line_end())?;
        let mut failed = None;
        synthesize(options, |entry| {
            failed = failed.take().or(writer.write(entry).err());
            if writer.written().is_multiple_of(1 << 14) {
                bar.tell(writer.written() as f64 / self.positions as f64);
            }
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        let written = writer.written();
        writer.into_inner().commit()?;
        drop(bar);
        print(format_args!("{written} positions in {}", self.out.display()))?;
        Ok(())
    }
}

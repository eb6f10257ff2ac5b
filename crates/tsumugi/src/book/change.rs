//! Commands that make books from books.

use super::work::{Force, WorkArgs, parse_position, warn, work};
use crate::terminal::{Bar, print};
use crate::words::one_of;
use anyhow::bail;
use book::{
    BookFormat, BookMove, Edit, Edited, MergePolicy, MinMaxOptions, Output, Problems, SynthOptions,
    convert_book, edit_book, merge_books, minmax, open_stream, repair_book, sort_book, write_synth,
};
use shogi::Move;
use std::path::PathBuf;

/// Sort a book, so that it can be used on the fly.
#[derive(clap::Args, PartialEq, Debug)]
pub struct SortArgs {
    /// The book.
    book: PathBuf,
    /// The file to write; by default the book itself.
    out: Option<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

impl SortArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        let out = self.out.as_ref().unwrap_or(&self.book);
        let output = Output::text_book(out, "sort writes a .db; `book convert` writes the other formats")?;
        if self.out.is_none() && output.check(out).is_err() {
            // An error with the faulty line is more helpful than "not a book".
            let mut stream = open_stream(out, Problems::stop())?;
            while stream.next_entry()?.is_some() {}
        }
        force.check(out, output)?;
        let options = self.work.options(out);
        work("sorting", &options.problems, |tell| {
            let written = sort_book(&self.book, out, &options, tell)?;
            Ok(format!("{written} positions in {}", out.display()))
        })
    }
}

/// Merge two books.
#[derive(clap::Args, PartialEq, Debug)]
pub struct MergeArgs {
    /// The first book.
    first: PathBuf,
    /// The second book.
    second: PathBuf,
    /// The file to write.
    out: PathBuf,
    /// Which data to keep if both books have a position.
    #[arg(long, value_parser = one_of(&MergePolicy::WORDS), default_value = "both")]
    policy: MergePolicy,
    #[command(flatten)]
    work: WorkArgs,
}

impl MergeArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        force.check_book(&self.out)?;
        let options = self.work.options(&self.out);
        let books = [self.first.as_path(), self.second.as_path()];
        work("merging", &options.problems, |tell| merge_books(books, &self.out, self.policy, &options, tell))
    }
}

/// Give every move its value if both sides play the best moves of the book (peta shock).
#[derive(clap::Args, PartialEq, Debug)]
pub struct MinMaxArgs {
    /// The book, .db or .ybb.
    book: PathBuf,
    /// The file to write, in the same format.
    out: PathBuf,
    /// Keep only the moves that are as good as the best.
    #[arg(long)]
    shrink: bool,
    /// Number of threads; by default one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    work: WorkArgs,
}

impl MinMaxArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        force.check_book(&self.out)?;
        let mut options =
            MinMaxOptions { shrink: self.shrink, line_end: self.work.eol, ..MinMaxOptions::default() };
        if let Some(threads) = self.threads {
            options.threads = threads.get();
        }
        let bar = Bar::new("reading");
        let summary = minmax(&self.book, &self.out, &options, &|what, part| bar.stage(what, part))?;
        drop(bar);
        warn(&options.problems);
        Ok(print(summary)?)
    }
}

/// A book to read and one to write.
#[derive(clap::Args, PartialEq, Debug)]
pub struct InOutArgs {
    /// The book.
    book: PathBuf,
    /// The file to write.
    out: PathBuf,
    #[command(flatten)]
    work: WorkArgs,
}

impl InOutArgs {
    pub fn repair(&self, force: Force) -> anyhow::Result<()> {
        force.check_book(&self.out)?;
        let mut options = self.work.options(&self.out);
        options.problems = Problems::skip();
        work("repairing", &options.problems, |tell| {
            let (written, removed) = repair_book(&self.book, &self.out, &options, tell)?;
            Ok(format!("{written} positions in {}, {removed} moves left out", self.out.display()))
        })
    }

    pub fn convert(&self, force: Force) -> anyhow::Result<()> {
        force.check_book(&self.out)?;
        let options = self.work.options(&self.out);
        work("converting", &options.problems, |tell| {
            Ok(convert_book(&self.book, &self.out, &options, tell)?.report(&self.out))
        })
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
    /// Add or replace a move: "MOVE REPLY VALUE DEPTH COUNT", as far as known.
    #[arg(long, value_name = "MOVE")]
    set: Vec<String>,
    /// Remove a move.
    #[arg(long, value_name = "MOVE")]
    remove: Vec<Move>,
    /// Add a comment to the position.
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
        let set = |text: &String| match BookMove::parse(text.as_bytes())? {
            m if m.play.is_some_and(|play| position.is_legal(play)) => Ok(Edit::Set(m)),
            _ => bail!("--set {text}: not a legal move of this position"),
        };
        let mut edits = self.set.iter().map(set).collect::<anyhow::Result<Vec<Edit>>>()?;
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

/// Make a book for tests and measurements: random lines from the start position, reproducible by seed.
#[derive(clap::Args, PartialEq, Debug)]
pub struct SynthArgs {
    /// The file to write; a .db in the order of generation, other formats in their own.
    out: PathBuf,
    /// The same seed gives the same book.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of positions.
    #[arg(long, default_value_t = 3_000_000)]
    positions: usize,
    /// Maximum number of moves of a position.
    #[arg(long, default_value_t = 4)]
    moves: usize,
    #[command(flatten)]
    work: WorkArgs,
}

impl SynthArgs {
    pub fn run(&self, force: Force) -> anyhow::Result<()> {
        force.check(&self.out, Output::text_book(&self.out, "synth writes a .db")?)?;
        let &Self { seed, positions, moves, .. } = self;
        work("making", &Problems::stop(), |tell| {
            let options = SynthOptions { positions, seed, moves };
            let written = write_synth(&self.out, options, self.work.eol, tell)?;
            Ok(format!("{written} positions in {}", self.out.display()))
        })
    }
}

//! Whole books from whole books: sort, merge, convert. Every result is written beside its place and put there when
//! it is complete.

use crate::db::check_text_book;
use crate::error::{At, BookError};
use crate::stream::{Entries, EntrySorter, EntryStream, SortedEntries};
use crate::text_records::{merge_texts, sort_text};
use crate::ybb::write_ybb_from_db;
use crate::ybb_convert::{db_to_ybb, ybb_to_db};
use crate::{
    AperyBook, BookFormat, DbReader, DbWriter, LineEnd, MergePolicy, MergeSummary, Merged, Problems,
    SortLimits, Ybb, YbbLosses, create_book, read_sbk, write_apery, write_sbk, write_ybb,
};
use std::io::Read;
use std::path::Path;

/// How books are read and written.
#[derive(Clone, Debug, Default)]
pub struct WorkOptions {
    /// What to do about bad lines.
    pub problems: Problems,
    /// Memory for sorting.
    pub limits: SortLimits,
    /// Line ends of a `.db`.
    pub line_end: LineEnd,
}

/// What was lost or left out on the way from one format to another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConvertSummary {
    /// Positions written.
    pub positions: u64,
    /// What a `.ybb` has no room for.
    pub losses: Option<YbbLosses>,
    /// Keys of an Apery book that cannot be reached from the start position.
    pub islands: usize,
    /// Positions of an Apery book whose moves are another's.
    pub collisions: u64,
}

/// The positions of a book of any format, in the order of the file.
pub fn open_stream(path: &Path, problems: Problems) -> Result<Box<dyn EntryStream>, BookError> {
    Ok(match BookFormat::of_path(path)? {
        BookFormat::Db => Box::new(Measured::open(path, problems)?),
        BookFormat::Ybb => Box::new(Ybb::open(path)?.into_stream()),
        BookFormat::Apery => Box::new(Entries::new(AperyBook::open(path)?.walk().entries)),
        BookFormat::Sbk => Box::new(Entries::new(read_sbk(path)?)),
    })
}

/// So much of a text book is looked at before it is read.
const LOOK: u64 = 1 << 16;

/// A text book with its progress.
struct Measured {
    reader: DbReader<std::fs::File>,
    length: u64,
}

impl Measured {
    fn open(path: &Path, problems: Problems) -> Result<Self, BookError> {
        let length = std::fs::metadata(path).at(path)?.len();
        let mut beginning = Vec::new();
        std::fs::File::open(path).at(path)?.take(LOOK).read_to_end(&mut beginning).at(path)?;
        check_text_book(&beginning, path)?;
        Ok(Self { reader: DbReader::open(path, problems)?, length })
    }
}

impl EntryStream for Measured {
    fn next_entry(&mut self) -> Result<Option<&crate::Entry>, BookError> {
        self.reader.next_entry()
    }

    fn progress(&self) -> Option<f64> {
        Some(self.reader.consumed() as f64 / self.length.max(1) as f64)
    }
}

/// The positions of a book in the order of `.db` files.
pub fn sorted_stream(
    path: &Path,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<SortedEntries, BookError> {
    let mut sorter = EntrySorter::new(options.limits.clone());
    let understood = match BookFormat::of_path(path)? {
        BookFormat::Db if options.problems.are_fatal() => sorter.push_db(path, tell)?,
        BookFormat::Ybb => sorter.push_ybb(Ybb::open(path)?, path, tell)?,
        _ => false,
    };
    if understood {
        return sorter.finish().at(path);
    }
    // Line by line, to say which one is at fault or to leave it out.
    let mut sorter = EntrySorter::new(options.limits.clone());
    let mut stream = open_stream(path, options.problems.clone())?;
    let mut count = 0u32;
    while let Some(entry) = stream.next_entry()? {
        sorter.push(entry).at(path)?;
        count = count.wrapping_add(1);
        if count.is_multiple_of(1 << 14) {
            tell(stream.progress().unwrap_or(0.0));
        }
    }
    sorter.finish().at(path)
}

/// Writes sorted positions as a `.db`, their moves in order.
pub fn write_db(
    path: &Path,
    stream: &mut (impl EntryStream + ?Sized),
    line_end: LineEnd,
) -> Result<u64, BookError> {
    let mut writer = DbWriter::new(create_book(path)?, line_end).at(path)?;
    let mut sorted = crate::Entry::default();
    while let Some(entry) = stream.next_entry()? {
        if entry.is_sorted() {
            writer.write(entry).at(path)?;
            continue;
        }
        sorted.clone_from(entry);
        sorted.sort();
        writer.write(&sorted).at(path)?;
    }
    let written = writer.written();
    writer.into_inner().commit()?;
    Ok(written)
}

/// Writes positions of a format that knows no counts: four columns, and how many there are.
fn write_without_counts(
    path: &Path,
    stream: &mut SortedEntries,
    count: usize,
    line_end: LineEnd,
) -> Result<u64, BookError> {
    let mut writer = DbWriter::new(create_book(path)?, line_end).at(path)?;
    writer.comment(&format!("# NOE:{count}")).at(path)?;
    while let Some(entry) = stream.next_entry()? {
        writer.write_four_columns(entry).at(path)?;
    }
    let written = writer.written();
    writer.into_inner().commit()?;
    Ok(written)
}

/// `sort`: reads and writes.
pub fn sort_book(
    input: &Path,
    output: &Path,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<u64, BookError> {
    let text = BookFormat::of_path(input)? == BookFormat::Db && options.problems.are_fatal();
    if text && let Some(written) = sort_text(input, output, options.line_end, &options.limits)? {
        return Ok(written);
    }
    write_db(output, &mut sorted_stream(input, options, tell)?, options.line_end)
}

/// `merge`: two books of any format into one.
pub fn merge_books(
    [first, second]: [&Path; 2],
    output: &Path,
    policy: MergePolicy,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<MergeSummary, BookError> {
    let mut texts = true;
    for path in [first, second, output] {
        texts &= BookFormat::of_path(path)? == BookFormat::Db;
    }
    if texts
        && options.problems.are_fatal()
        && let Some(summary) =
            merge_texts([first, second], output, policy, options.line_end, &options.limits)?
    {
        return Ok(summary);
    }
    let mut options = options.clone();
    // Both are sorted at the same time.
    options.limits.memory /= 2;
    let first = sorted_stream(first, &options, &mut |part| tell(part / 2.0))?;
    let second = sorted_stream(second, &options, &mut |part| tell(0.5 + part / 2.0))?;
    let mut merged = Merged::new(first, second, policy)?;
    write_any(output, &mut merged, &options)?;
    Ok(merged.summary)
}

/// Writes positions in whatever format the name asks for. A `.db` needs them sorted; see [`sorted_stream`].
pub fn write_any(
    path: &Path,
    stream: &mut (impl EntryStream + ?Sized),
    options: &WorkOptions,
) -> Result<ConvertSummary, BookError> {
    let mut summary = ConvertSummary::default();
    match BookFormat::of_path(path)? {
        BookFormat::Db => summary.positions = write_db(path, stream, options.line_end)?,
        BookFormat::Ybb => {
            let (positions, losses) = write_ybb(path, stream, options.limits.clone())?;
            (summary.positions, summary.losses) = (positions, Some(losses));
        }
        BookFormat::Apery => summary.positions = write_apery(path, stream, options.limits.clone())?,
        BookFormat::Sbk => summary.positions = write_sbk(path, stream)?,
    }
    Ok(summary)
}

/// From one format to another.
pub fn convert_book(
    input: &Path,
    output: &Path,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<ConvertSummary, BookError> {
    let (from, to) = (BookFormat::of_path(input)?, BookFormat::of_path(output)?);
    if from == BookFormat::Apery {
        let walk = AperyBook::open(input)?.walk();
        let (islands, collisions) = (walk.islands, walk.collisions);
        let mut sorter = EntrySorter::new(options.limits.clone());
        sorter.push_all(&mut Entries::new(walk.entries), input)?;
        let written = write_any(output, &mut sorter.finish().at(input)?, options)?;
        return Ok(ConvertSummary { islands, collisions, ..written });
    }
    if (from, to) == (BookFormat::Ybb, BookFormat::Db) {
        let book = Ybb::open(input)?;
        let count = book.len();
        if options.problems.are_fatal()
            && let Some(positions) = ybb_to_db(book, output, options.line_end, &options.limits)?
        {
            return Ok(ConvertSummary { positions, ..ConvertSummary::default() });
        }
        let mut sorted = sorted_stream(input, options, tell)?;
        let positions = write_without_counts(output, &mut sorted, count, options.line_end)?;
        return Ok(ConvertSummary { positions, ..ConvertSummary::default() });
    }
    // Only text is sorted by SFEN; the binary formats sort by their own keys.
    if to == BookFormat::Ybb && from == BookFormat::Db {
        if options.problems.are_fatal() {
            let written = match db_to_ybb(input, output, &options.limits)? {
                None => write_ybb_from_db(input, output, options.limits.clone(), tell)?,
                written => written,
            };
            if let Some((positions, losses)) = written {
                return Ok(ConvertSummary { positions, losses: Some(losses), ..ConvertSummary::default() });
            }
        }
        let mut stream = open_stream(input, options.problems.clone())?;
        return write_any(output, &mut stream, options);
    }
    write_any(output, &mut sorted_stream(input, options, tell)?, options)
}

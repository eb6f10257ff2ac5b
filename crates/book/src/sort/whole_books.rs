//! Sorts, merges and converts whole books. Every result is written atomically.

use crate::error::{At, BookError};
use crate::format::db::{check_text_book, push_entry};
use crate::format::ybb::write_ybb_from_db;
use crate::sort::entry_stream::{Entries, EntrySorter, EntryStream, SortedEntries};
use crate::sort::render_parts::render_parts;
use crate::{
    AperyBook, BookFormat, BookMove, DbReader, DbWriter, Entry, HEADER, LineEnd, MergePolicy, MergeSummary,
    Merged, PlayedBook, Problems, Repaired, SortLimits, Ybb, YbbLosses, create_book, read_sbk, write_apery,
    write_sbk, write_ybb,
};
use std::io::{Read, Write};
use std::path::Path;

/// Options of reading and writing.
#[derive(Clone, Debug, Default)]
pub struct WorkOptions {
    /// What to do about faulty lines.
    pub problems: Problems,
    /// Memory for sorting.
    pub limits: SortLimits,
    /// Line ends of a `.db`.
    pub line_end: LineEnd,
}

impl WorkOptions {
    /// Options for writing `out`: temporary files go to its folder, unless another one is given.
    #[must_use]
    pub fn beside(out: &Path, temporary: Option<&Path>) -> Self {
        let beside = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = temporary.unwrap_or(beside).to_owned();
        Self { limits: SortLimits { folder, ..SortLimits::default() }, ..Self::default() }
    }
}

/// The losses of a conversion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConvertSummary {
    /// Positions written.
    pub positions: u64,
    /// Information that a `.ybb` cannot hold.
    pub losses: Option<YbbLosses>,
    /// Keys of an Apery book that are not reachable from the start position.
    pub unreachable: usize,
    /// Positions of an Apery book whose moves are another's.
    pub collisions: u64,
}

impl ConvertSummary {
    /// A message about what was written to `out` and what was lost.
    #[must_use]
    pub fn report(&self, out: &Path) -> String {
        let written = format!("{} positions in {}", self.positions, out.display());
        std::iter::once(written).chain(self.loss_messages()).collect::<Vec<_>>().join("\n")
    }

    /// Messages about losses, one for each kind.
    #[must_use]
    pub fn loss_messages(&self) -> Vec<String> {
        let losses = self.losses.unwrap_or_default();
        let counted = [
            (losses.replies, "expected replies have no place in a .ybb"),
            (losses.counts, "counts have no place in a .ybb"),
            (losses.cut, "values or depths were cut to 16 bits"),
            (losses.positions, "positions cannot be packed and were left out"),
            (
                self.unreachable as u64,
                "positions cannot be reached from the start position and were left out",
            ),
            (self.collisions, "positions have the moves of another one under the same key and were left out"),
        ];
        counted
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect()
    }
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

/// Number of bytes examined to recognise a text book.
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
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
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
    sorter.push_book(path, options.problems.clone(), tell)?;
    sorter.finish().at(path)
}

/// The positions of two books in the same order.
pub fn sorted_streams(
    [first, second]: [&Path; 2],
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<[SortedEntries; 2], BookError> {
    let first = sorted_stream(first, options, &mut |part| tell(part / 2.0))?;
    Ok([first, sorted_stream(second, options, &mut |part| tell(0.5 + part / 2.0))?])
}

/// Writes sorted positions as a `.db`, their moves in order.
pub fn write_db(
    path: &Path,
    stream: &mut (impl EntryStream + ?Sized),
    line_end: LineEnd,
) -> Result<u64, BookError> {
    let mut writer = DbWriter::new(create_book(path)?, line_end).at(path)?;
    let mut sorted = Entry::default();
    while let Some(entry) = stream.next_entry()? {
        sorted.clone_from(entry);
        sorted.sort();
        writer.write(&sorted).at(path)?;
    }
    let written = writer.written();
    writer.into_inner().commit()?;
    Ok(written)
}

/// Bytes of text rendered at a time.
const RENDERED: usize = 1 << 20;

/// Text, with the number of its positions.
type Rendered = (Vec<u8>, u64);

/// Like [`write_db`], for positions in parts rendered by several threads; returns their number and the parts.
fn write_db_parts<S: EntryStream + Send>(
    path: &Path,
    parts: Vec<S>,
    options: &WorkOptions,
    comment: &str,
    write: impl Fn(&mut Vec<u8>, &Entry) + Sync,
) -> Result<(u64, Vec<S>), BookError> {
    let mut file = create_book(path)?;
    file.write_all(format!("{HEADER}{}{comment}", options.line_end.as_str()).as_bytes()).at(path)?;
    let render = |part: &mut S, (text, count): &mut Rendered| {
        while let Some(entry) = part.next_entry()? {
            let begin = text.len();
            write(text, entry);
            *count += u64::from(text.len() > begin);
            if text.len() > RENDERED {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let mut written = 0;
    let take = |(text, count): Rendered| {
        written += count;
        file.write_all(&text).at(path)
    };
    let parts = render_parts(parts, options.limits.threads, render, take)?;
    file.commit()?;
    Ok((written, parts))
}

/// Appends an entry with its moves in order.
fn push_sorted(text: &mut Vec<u8>, entry: &Entry, line_end: LineEnd) {
    if entry.is_sorted() {
        return push_entry(text, entry, line_end, BookMove::write);
    }
    let mut sorted = entry.clone();
    sorted.sort();
    push_entry(text, &sorted, line_end, BookMove::write);
}

/// `sort`: reads and writes.
pub fn sort_book(
    input: &Path,
    output: &Path,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<u64, BookError> {
    write_sorted(output, sorted_stream(input, options, tell)?, options)
}

/// Writes a sorted book as a `.db` on several threads.
fn write_sorted(path: &Path, sorted: SortedEntries, options: &WorkOptions) -> Result<u64, BookError> {
    let cuts = sorted.cuts();
    let push = |text: &mut Vec<u8>, entry: &Entry| push_sorted(text, entry, options.line_end);
    Ok(write_db_parts(path, sorted.split(&cuts)?, options, "", push)?.0)
}

/// Writes moves that were played at least `least` times.
pub fn write_played(
    path: &Path,
    book: PlayedBook,
    least: u64,
    options: &WorkOptions,
) -> Result<u64, BookError> {
    let mut entries = book.into_entries(least)?;
    if BookFormat::of_path(path)? != BookFormat::Db {
        return Ok(write_any(path, &mut entries, options)?.positions);
    }
    let push = |text: &mut Vec<u8>, entry: &Entry| push_sorted(text, entry, options.line_end);
    Ok(write_db_parts(path, entries.split()?, options, "", push)?.0)
}

/// `merge`: merges two books of any format.
pub fn merge_books(
    [first, second]: [&Path; 2],
    output: &Path,
    policy: MergePolicy,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<MergeSummary, BookError> {
    let mut options = options.clone();
    // Both are sorted at the same time.
    options.limits.memory /= 2;
    let [first, second] = sorted_streams([first, second], &options, tell)?;
    if BookFormat::of_path(output)? != BookFormat::Db {
        let mut merged = Merged::new(first, second, policy)?;
        write_any(output, &mut merged, &options)?;
        return Ok(merged.summary);
    }
    let parts = Merged::parts(first, second, policy)?;
    let push = |text: &mut Vec<u8>, entry: &Entry| push_sorted(text, entry, options.line_end);
    let (_, parts) = write_db_parts(output, parts, &options, "", push)?;
    let mut summary = MergeSummary::default();
    for part in parts {
        summary += part.summary;
    }
    Ok(summary)
}

/// Writes positions in the format of the file name. A `.db` needs them sorted; see [`sorted_stream`].
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

/// `repair`: writes a sorted book without faults. Returns the number of positions written and of moves left out.
pub fn repair_book(
    input: &Path,
    output: &Path,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<(u64, u64), BookError> {
    let mut repaired = Repaired::new(sorted_stream(input, options, tell)?);
    let written = write_any(output, &mut repaired, options)?;
    Ok((written.positions, repaired.removed))
}

/// Converts a book to another format.
pub fn convert_book(
    input: &Path,
    output: &Path,
    options: &WorkOptions,
    tell: &mut dyn FnMut(f64),
) -> Result<ConvertSummary, BookError> {
    let (from, to) = (BookFormat::of_path(input)?, BookFormat::of_path(output)?);
    if from == BookFormat::Apery {
        let walk = AperyBook::open(input)?.walk();
        let (unreachable, collisions) = (walk.unreachable, walk.collisions);
        let mut sorter = EntrySorter::new(options.limits.clone());
        sorter.push_all(&mut Entries::new(walk.entries), input)?;
        let written = write_any(output, &mut sorter.finish().at(input)?, options)?;
        return Ok(ConvertSummary { unreachable, collisions, ..written });
    }
    if (from, to) == (BookFormat::Ybb, BookFormat::Db) {
        let count = Ybb::open(input)?.len();
        let sorted = sorted_stream(input, options, tell)?;
        // The format has no counts: four columns, and the number of positions.
        let push = |text: &mut Vec<u8>, entry: &Entry| {
            push_entry(text, entry, options.line_end, BookMove::write_without_count);
        };
        let cuts = sorted.cuts();
        let comment = format!("# NOE:{count}{}", options.line_end.as_str());
        let (positions, _) = write_db_parts(output, sorted.split(&cuts)?, options, &comment, push)?;
        return Ok(ConvertSummary { positions, ..ConvertSummary::default() });
    }
    // Only text is sorted by SFEN; binary formats are sorted by their own keys.
    if to == BookFormat::Ybb && from == BookFormat::Db {
        let (positions, losses) =
            write_ybb_from_db(input, output, options.problems.clone(), options.limits.clone(), tell)?;
        return Ok(ConvertSummary { positions, losses: Some(losses), ..ConvertSummary::default() });
    }
    let mut sorted = sorted_stream(input, options, tell)?;
    if to == BookFormat::Db {
        let positions = write_sorted(output, sorted, options)?;
        return Ok(ConvertSummary { positions, ..ConvertSummary::default() });
    }
    write_any(output, &mut sorted, options)
}

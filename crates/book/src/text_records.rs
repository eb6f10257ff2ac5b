//! Text books that stay where they are: found position by position, sorted by slips, copied as they stand.
//!
//! Nearly all of a book is written as we would write it. Such entries are copied; the others, and those that come
//! more than once, are read and written anew. What this way does not understand at all (positions in other
//! spellings, faults) is left to the way through [`crate::EntrySorter`], which tells line numbers.

use crate::blocks::{BYTE_ORDER_MARK, read_block};
use crate::bytes::Bytes;
use crate::db::push_entry;
use crate::error::{At, BookError};
use crate::lock::create_book;
use crate::merge::{combine, wants_everything};
use crate::slips::{Boxes, Records, Slip, Window, boxes_for, groups, sorted_box, window_of};
use crate::usi_bytes::{exact_move, exact_number};
use crate::{BookMove, Entry, HEADER, LineEnd, MergePolicy, MergeSummary, SfenLine, SortLimits};
use platform::workers::{gather, write_in_order};
use shogi::Move;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// One or two mapped books.
struct TextRecords {
    books: Vec<Bytes>,
}

/// What a slip of a text says: the book, where in it the `sfen` line is, how long the position is, how long the whole
/// entry is, and whether that can be copied.
#[derive(Clone, Copy)]
struct Found {
    book: usize,
    at: usize,
    place: usize,
    length: usize,
    plain: bool,
}

const AT_BITS: u32 = 39;
const PLACE_BITS: u32 = 8;
const LENGTH_BITS: u32 = 15;

impl Found {
    fn pack(self) -> u64 {
        let front = (self.book as u64) << AT_BITS | self.at as u64;
        let middle = front << PLACE_BITS | self.place as u64;
        (middle << LENGTH_BITS | self.length as u64) << 1 | u64::from(self.plain)
    }

    fn unpack(word: u64) -> Self {
        let field = |shift: u32, bits: u32| (word >> shift & ((1 << bits) - 1)) as usize;
        Self {
            plain: word & 1 == 1,
            length: field(1, LENGTH_BITS),
            place: field(1 + LENGTH_BITS, PLACE_BITS),
            at: field(1 + LENGTH_BITS + PLACE_BITS, AT_BITS),
            book: (word >> 63) as usize,
        }
    }
}

const SFEN: &[u8] = b"sfen ";

impl TextRecords {
    fn raw(&self, found: Found) -> &[u8] {
        &self.books[found.book][found.at..found.at + found.length]
    }

    /// The entries of some slips of one position, each read anew; `None` if one cannot be understood.
    fn read(&self, group: &[Slip]) -> Option<Entry> {
        let mut united: Option<Entry> = None;
        for slip in group {
            let found = Found::unpack(slip.place);
            let text = &self.books[found.book][found.at..];
            let end = memchr::memmem::find(text, b"\nsfen ").map_or(text.len(), |at| at + 1);
            let mut count = 0;
            let understood = read_block(&text[..end], |place, ply, moves| {
                let entry = Entry { place: place.to_vec(), ply, moves: moves.to_vec() };
                match &mut united {
                    None => united = Some(entry),
                    Some(earlier) => earlier.unite(entry),
                }
                count += 1;
            });
            // Other line ends may have hidden another position.
            if understood.is_err() || count != 1 {
                return None;
            }
        }
        let mut united = united?;
        united.unite_moves();
        Some(united)
    }
}

impl Records for TextRecords {
    #[inline]
    fn key(&self, slip: Slip) -> &[u8] {
        let found = Found::unpack(slip.place);
        let begin = found.at + SFEN.len();
        &self.books[found.book][begin..begin + found.place]
    }
}

/// Pieces of books that threads read, and slips for all their entries.
struct Index {
    records: TextRecords,
    boxes: Boxes,
    filled: Vec<Vec<Vec<Slip>>>,
}

/// Bytes of text and slips for each position, as far as memory goes.
const SLIP_SHARE: usize = 3;

impl Index {
    /// Finds all entries; `None` if that needs the other way.
    fn new(paths: &[&Path], line_end: LineEnd, limits: &SortLimits) -> Result<Option<Self>, BookError> {
        let mut books = Vec::new();
        for path in paths {
            books.push(Bytes::map(path)?);
        }
        let size: usize = books.iter().map(|book| book.len()).sum();
        let too_large = books.iter().any(|book| book.len() >> AT_BITS != 0);
        if too_large || size + size / SLIP_SHARE > limits.memory {
            return Ok(None);
        }
        let mut pieces = Vec::new();
        for (number, book) in books.iter().enumerate() {
            let Some(begin) = first_position(book) else { return Ok(None) };
            let step = (book.len() / (16 * limits.threads.max(1))).max(1 << 16);
            pieces.extend(cut(book, begin, step).into_iter().map(|range| (number, range)));
        }
        let boxes = Boxes::new(sample(&books), boxes_for(size / 128));
        let understood = AtomicBool::new(true);
        let filled = gather(
            &pieces,
            limits.threads,
            || boxes.empty(),
            |filled, _, (number, range)| {
                let text = &books[*number][..range.end];
                if understood.load(Relaxed)
                    && !find_entries(text, range.start, *number, line_end, &boxes, filled)
                {
                    understood.store(false, Relaxed);
                }
            },
        );
        let index = Self { records: TextRecords { books }, boxes, filled };
        Ok(understood.into_inner().then_some(index))
    }

    /// Writes all positions in order, `entry` deciding about those that cannot simply be copied.
    fn write<T: Send + Default>(
        &self,
        output: &Path,
        line_end: LineEnd,
        threads: usize,
        entry: impl Fn(&TextRecords, &[Slip], &mut T) -> Option<Treatment> + Sync,
    ) -> Result<Option<(u64, Vec<T>)>, BookError> {
        let mut file = create_book(output)?;
        file.write_all(HEADER.as_bytes()).and_then(|()| file.write_all(line_end.bytes())).at(output)?;
        let render = |number: usize, text: &mut Vec<u8>| {
            let (mut written, mut tally) = (0u64, T::default());
            for group in groups(&sorted_box(&self.filled, number, &self.records), &self.records) {
                match entry(&self.records, group, &mut tally)? {
                    Treatment::Copy(found) => text.extend_from_slice(self.records.raw(found)),
                    Treatment::Write(entry) if entry.moves.is_empty() => continue,
                    Treatment::Write(mut entry) => {
                        if !entry.is_sorted() {
                            entry.sort();
                        }
                        push_entry(text, &entry, line_end, BookMove::write);
                    }
                    Treatment::Leave => continue,
                }
                written += 1;
            }
            Some((written, tally))
        };
        let Some(parts) = write_in_order(&mut file, self.boxes.count(), threads, render).at(output)? else {
            return Ok(None);
        };
        file.commit()?;
        let written = parts.iter().map(|(written, _)| written).sum();
        Ok(Some((written, parts.into_iter().map(|(_, tally)| tally).collect())))
    }
}

/// What becomes of the entries of one position.
enum Treatment {
    Copy(Found),
    Write(Entry),
    Leave,
}

/// Sorts a text book; `None` if it must be done the other way.
pub(crate) fn sort_text(
    input: &Path,
    output: &Path,
    line_end: LineEnd,
    limits: &SortLimits,
) -> Result<Option<u64>, BookError> {
    let Some(index) = Index::new(&[input], line_end, limits)? else { return Ok(None) };
    let entry = |records: &TextRecords, group: &[Slip], (): &mut ()| match group {
        [slip] if Found::unpack(slip.place).plain => Some(Treatment::Copy(Found::unpack(slip.place))),
        _ => records.read(group).map(Treatment::Write),
    };
    Ok(index.write(output, line_end, limits.threads, entry)?.map(|(written, _)| written))
}

/// Merges two text books; `None` if it must be done the other way.
pub(crate) fn merge_texts(
    inputs: [&Path; 2],
    output: &Path,
    policy: MergePolicy,
    line_end: LineEnd,
    limits: &SortLimits,
) -> Result<Option<MergeSummary>, BookError> {
    let Some(index) = Index::new(&inputs, line_end, limits)? else { return Ok(None) };
    let entry = |records: &TextRecords, group: &[Slip], summary: &mut MergeSummary| {
        if let [slip] = group {
            let found = Found::unpack(slip.place);
            if found.plain && wants_everything(policy) {
                *(if found.book == 0 { &mut summary.only_first } else { &mut summary.only_second }) += 1;
                return Some(Treatment::Copy(found));
            }
        }
        let (first, second) =
            group.split_at(group.partition_point(|slip| Found::unpack(slip.place).book == 0));
        let read = |slips: &[Slip]| if slips.is_empty() { Some(None) } else { records.read(slips).map(Some) };
        let merged = combine(read(first)?, read(second)?, policy, summary);
        Some(merged.map_or(Treatment::Leave, Treatment::Write))
    };
    let written = index.write(output, line_end, limits.threads, entry)?;
    Ok(written.map(|(_, parts)| {
        let mut summary = MergeSummary::default();
        for part in parts {
            summary += part;
        }
        summary
    }))
}

/// Where the first `sfen` line is; the end of a book without one. `None` if something else than comments is before
/// it.
pub(crate) fn first_position(book: &[u8]) -> Option<usize> {
    let mut at = if book.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    while at < book.len() && !book[at..].starts_with(SFEN) {
        let end = memchr::memchr(b'\n', &book[at..]).map_or(book.len(), |end| at + end + 1);
        let line = book[at..end].trim_ascii_end();
        let comment = line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//");
        if !comment || line.contains(&b'\r') {
            return None;
        }
        at = end;
    }
    Some(at)
}

/// Pieces of about `step` bytes that begin with `sfen` lines.
pub(crate) fn cut(book: &[u8], begin: usize, step: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut begin = begin;
    while begin < book.len() {
        let from = (begin + step).min(book.len());
        let end = memchr::memmem::find(&book[from..], b"\nsfen ").map_or(book.len(), |at| from + at + 1);
        pieces.push(begin..end);
        begin = end;
    }
    pieces
}

/// The same for a file, of which only the ends of pieces are read. Mapped, it might be counted as memory of this process
/// in whole: the system maps what it has in its cache around a byte that is looked at.
pub(crate) fn cut_file(path: &Path, step: usize) -> io::Result<Option<Vec<Range<usize>>>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len() as usize;
    let Some(mut begin) = first_position_of(&mut file, length)? else { return Ok(None) };
    let mut pieces = Vec::new();
    while begin < length {
        let end = next_position(&mut file, begin.saturating_add(step), length)?;
        pieces.push(begin..end);
        begin = end;
    }
    Ok(Some(pieces))
}

/// So much of a file is read at a time where something is looked for.
const WINDOW: usize = 1 << 12;

/// Where the first `sfen` line of a file is; see [`first_position`].
fn first_position_of(file: &mut File, length: usize) -> io::Result<Option<usize>> {
    let mut size = WINDOW;
    loop {
        let text = read_at(file, 0, size.min(length))?;
        match first_position(&text) {
            // There are only comments so far.
            Some(at) if at == text.len() && text.len() < length => size *= 2,
            // The last line may be cut off.
            None if text.len() < length && size < 1 << 20 => size *= 2,
            found => return Ok(found),
        }
    }
}

/// Where the first `sfen` line from a place on begins, or the end.
fn next_position(file: &mut File, from: usize, length: usize) -> io::Result<usize> {
    let needle = b"\nsfen ";
    let mut at = from;
    while at < length {
        let text = read_at(file, at, WINDOW.min(length - at))?;
        if let Some(found) = memchr::memmem::find(&text, needle) {
            return Ok(at + found + 1);
        }
        // One may begin at the end of this window.
        at += if at + text.len() < length { text.len() - (needle.len() - 1) } else { text.len() };
    }
    Ok(length)
}

fn read_at(file: &mut File, at: usize, length: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at as u64))?;
    let mut text = vec![0; length];
    file.read_exact(&mut text)?;
    Ok(text)
}

/// The text of a piece, read and not mapped, for those who look at it once.
pub(crate) fn read_piece(path: &Path, piece: &Range<usize>) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(piece.start as u64)).ok()?;
    let mut text = vec![0; piece.len()];
    file.read_exact(&mut text).ok()?;
    Some(text)
}

/// How many positions say how all of them are spread.
pub(crate) const SAMPLE: usize = 1 << 14;

/// The `sfen` lines at some places of a text, without the word.
pub(crate) fn sample_lines(book: &[u8], count: usize) -> impl Iterator<Item = &[u8]> {
    let step = (book.len() / count.max(1)).max(1);
    (0..book.len()).step_by(step).filter_map(move |from| {
        let text = &book[from..];
        let begin = from + memchr::memmem::find(&text[..text.len().min(1 << 12)], b"\nsfen ")? + 6;
        let end = memchr::memchr2(b'\r', b'\n', &book[begin..])?;
        Some(&book[begin..begin + end])
    })
}

fn sample(books: &[Bytes]) -> Vec<Window> {
    let share = SAMPLE / books.len().max(1);
    books.iter().flat_map(|book| sample_lines(book, share)).map(|line| window_of(line, 0)).collect()
}

/// Puts a slip for every entry of a piece into a box; tells whether all positions are spelled as we spell them.
fn find_entries(
    text: &[u8],
    begin: usize,
    book: usize,
    line_end: LineEnd,
    boxes: &Boxes,
    filled: &mut [Vec<Slip>],
) -> bool {
    let mut plays = Vec::new();
    let mut at = begin;
    while at < text.len() {
        let line = at + SFEN.len();
        let end = memchr::memchr(b'\n', &text[line..]).map_or(text.len(), |end| line + end);
        let content = text[line..end].trim_ascii_end();
        let Some(position) = SfenLine::canonical(content) else { return false };
        let place = position.place.len();
        // One with a piece in every hand is shorter by far.
        if place >= 1 << PLACE_BITS {
            return false;
        }
        let after = (end + 1).min(text.len());
        let moves = (&text[line + content.len()..after] == line_end.bytes())
            .then(|| plain_moves(text, after, line_end.bytes(), &mut plays))
            .flatten();
        let next = moves.unwrap_or_else(|| {
            memchr::memmem::find(&text[end..], b"\nsfen ").map_or(text.len(), |next| end + next + 1)
        });
        let length = next - at;
        let plain = moves.is_some() && length < 1 << LENGTH_BITS;
        let found = Found { book, at, place, length: if plain { length } else { 0 }, plain };
        boxes.put(Slip { window: window_of(&position.place, 0), place: found.pack() }, filled);
        at = next;
    }
    true
}

/// Where the moves of an entry end, if they are written as we would write them: one at least, none twice, in order.
fn plain_moves(text: &[u8], begin: usize, line_end: &[u8], plays: &mut Vec<u16>) -> Option<usize> {
    plays.clear();
    let mut best = (i32::MAX, i32::MAX);
    let mut rest = &text[begin..];
    while !rest.is_empty() && !rest.starts_with(SFEN) {
        let play = exact_move(&mut rest)?.map_or(0, Move::bits);
        rest = rest.strip_prefix(b" ")?;
        exact_move(&mut rest)?;
        rest = rest.strip_prefix(b" ")?;
        let value = exact_number(&mut rest)?;
        rest = rest.strip_prefix(b" ")?;
        exact_number(&mut rest)?;
        rest = rest.strip_prefix(b" ")?;
        let count = exact_number(&mut rest)?;
        rest = rest.strip_prefix(line_end)?;
        if (count, value) > best || count < 0 || plays.contains(&play) {
            return None;
        }
        best = (count, value);
        plays.push(play);
    }
    (!plays.is_empty()).then(|| text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EntrySorter, EntryStream, Merged, Problems, open_stream, write_db};
    use proptest::prelude::*;

    #[test]
    fn what_can_be_copied() {
        let plain = |text: &str| plain_moves(text.as_bytes(), 0, b"\n", &mut Vec::new());
        for good in [
            "7g7f none 0 1 1\n",
            "7g7f 3c3d -5 0 10\n8h2b+ none 9 9 3\nP*5e none -7 1 3\n",
            "none none 0 0 1\n",
        ] {
            assert_eq!(plain(good), Some(good.len()), "{good}");
        }
        assert_eq!(plain("7g7f none 0 1 1\nsfen x"), Some(16));
        for bad in [
            "",
            "7g7f none 0 1\n",
            "7g7f none 0 1 1",
            "7g7f none 0 1 1 \n",
            "7g7f none 0 1 1\r\n",
            "7g7f none 0 1 1\n\n",
            "7g7f none 00 1 1\n",
            "7g7f none -0 1 1\n",
            "7g7f none 0 1 -1\n",
            "7g7f None 0 1 1\n",
            "7g7f none 0 1 1\n2g2f none 0 1 2\n",
            "7g7f none 0 1 1\n2g2f none 1 1 1\n",
            "7g7f none 1 1 1\n7g7f none 0 1 1\n",
            "7g7f none 1 1 1\n# note\n",
            "7g7g none 1 1 1\n",
        ] {
            assert_eq!(plain(bad), None, "{bad}");
        }
    }

    /// A file is cut where its text would be, whatever the windows that are read of it.
    #[test]
    fn files_are_cut_like_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let entry = format!("sfen {}\n7g7f none 0 1 1\n", shogi::STARTPOS_SFEN);
        let long = format!("{}\n", "7g7f none 0 1 1\n".repeat(1000));
        for text in [
            String::new(),
            entry.clone(),
            format!("#YANEURAOU-DB2016 1.00\n{}", entry.repeat(500)),
            format!("{}{}", "# a long comment\n".repeat(1000), entry.repeat(3)),
            format!("{entry}{long}{entry}{long}"),
            "# only comments\n".repeat(1000),
            format!("no book\n{entry}"),
        ] {
            std::fs::write(&path, &text).unwrap();
            for step in [1, 100, WINDOW - 3, WINDOW, 10_000, 1 << 20] {
                let begin = first_position(text.as_bytes());
                let expected = begin.map(|begin| cut(text.as_bytes(), begin, step));
                assert_eq!(cut_file(&path, step).unwrap(), expected, "{step}");
            }
        }
    }

    #[test]
    fn slips_hold_what_they_are_given() {
        let found = Found { book: 1, at: (1 << 39) - 2, place: 255, length: 32767, plain: true };
        let back = Found::unpack(found.pack());
        assert_eq!((back.book, back.at, back.place), (1, (1 << 39) - 2, 255));
        assert!(back.length == 32767 && back.plain);
    }

    /// Some lines of a book, tidy or not.
    fn book_text() -> impl Strategy<Value = String> {
        let place = prop::sample::select(vec![
            "4k4/9/9/9/9/9/9/9/4K4 b - ",
            "4k4/9/9/9/9/9/9/9/4K4 b P ",
            "4k4/9/9/9/9/9/9/9/4K4 w P ",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - ",
        ]);
        let line = prop::sample::select(vec![
            "7g7f none 5 1 1",
            "2g2f 8c8d 7 9 2",
            "1g1f none 7 9 2",
            "2g2f none 1 1 3",
            "9g9f",
            "# note",
            "",
            "7g7f none none 3 0",
        ]);
        let end = prop::sample::select(vec!["\r\n", "\r\n", "\r\n", "\n"]);
        let entry = (place, 1u32..4, prop::collection::vec((line, end.clone()), 0..5), end).prop_map(
            |(place, ply, lines, end)| {
                let lines: String = lines.into_iter().flat_map(|(line, end)| [line, end]).collect();
                format!("sfen {place}{ply}{end}{lines}")
            },
        );
        prop::collection::vec(entry, 0..12).prop_map(|entries| format!("{HEADER}\r\n{}", entries.concat()))
    }

    fn sorted(path: &Path) -> crate::SortedEntries {
        let mut sorter = EntrySorter::new(SortLimits::default());
        sorter.push_all(&mut open_stream(path, Problems::stop()).unwrap(), path).unwrap();
        sorter.finish().unwrap()
    }

    fn the_other_way(out: &Path, stream: &mut impl EntryStream) -> Vec<u8> {
        write_db(out, stream, LineEnd::CrLf).unwrap();
        std::fs::read(out).unwrap()
    }

    proptest! {
        /// Both ways to sort and to merge give the same files.
        #[test]
        fn as_through_entries(first in book_text(), second in book_text(), policy in 0usize..5) {
            let folder = tempfile::tempdir().unwrap();
            let [a, b, out, other] = ["a.db", "b.db", "out.db", "other.db"].map(|name| folder.path().join(name));
            std::fs::write(&a, first).unwrap();
            std::fs::write(&b, second).unwrap();
            let limits = SortLimits { threads: 2, ..SortLimits::default() };
            prop_assert!(sort_text(&a, &out, LineEnd::CrLf, &limits).unwrap().is_some());
            let expected = the_other_way(&other, &mut sorted(&a));
            prop_assert_eq!(std::fs::read(&out).unwrap(), expected);
            let policy = [
                MergePolicy::DepthFirst,
                MergePolicy::MaxCount,
                MergePolicy::SumCounts,
                MergePolicy::PreferFirst,
                MergePolicy::BySide(shogi::Color::White),
            ][policy];
            let summary = merge_texts([&a, &b], &out, policy, LineEnd::CrLf, &limits).unwrap();
            let mut merged = Merged::new(sorted(&a), sorted(&b), policy).unwrap();
            let expected = the_other_way(&other, &mut merged);
            prop_assert_eq!(std::fs::read(&out).unwrap(), expected);
            prop_assert_eq!(summary, Some(merged.summary));
        }
    }

    #[test]
    fn faults_are_left_to_the_other_way() {
        let folder = tempfile::tempdir().unwrap();
        let [path, out] = ["a.db", "out.db"].map(|name| folder.path().join(name));
        let king = "4k4/9/9/9/9/9/9/9/4K4 b";
        for text in [
            format!("sfen {king} pP 1\n5i5h\n"),
            format!("5i5h\nsfen {king} - 1\n"),
            format!("sfen {king} - 1\n5i5h none x\n"),
            format!("sfen {king} - 1\n5i5h\rsfen {king} P 1\r5i5h\n"),
            format!("\u{feff}# x\rsfen {king} - 1\n5i5h\n"),
        ] {
            std::fs::write(&path, &text).unwrap();
            let sorted = sort_text(&path, &out, LineEnd::Lf, &SortLimits::default()).unwrap();
            assert_eq!(sorted, None, "{text}");
            assert!(!out.exists());
        }
        let small = SortLimits { memory: 10, ..SortLimits::default() };
        std::fs::write(&path, format!("sfen {king} - 1\n5i5h\n")).unwrap();
        assert_eq!(sort_text(&path, &out, LineEnd::Lf, &small).unwrap(), None);
        assert_eq!(sort_text(&path, &out, LineEnd::Lf, &SortLimits::default()).unwrap(), Some(1));
    }
}

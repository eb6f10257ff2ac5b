//! Looks positions up in a text book.
//!
//! A sorted `.db` needs no index: a binary search over its bytes takes some thirty accesses. The same search serves a
//! mapped file (on the fly) and a copy in memory, which is sorted first if necessary.

use crate::error::{At, BookError, LineFault, forgiven};
use crate::format::board_text::push_place;
use crate::format::bytes::Bytes;
use crate::format::db::{DbReader, Problems, check_text_book};
use crate::format::sfen_line::without_comment;
use crate::format::usi_bytes::parse_number;
use crate::grow::collection::Plies;
use crate::sort::entry_stream::{EntrySorter, EntryStream};
use crate::sort::sorter::SortLimits;
use crate::{BookMove, DbWriter, LineEnd, SfenLine, insert_move, sort_moves, split_ply};
use shogi::Position;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A text book that is open for look-ups.
pub struct TextBook {
    bytes: Bytes,
    path: PathBuf,
}

/// A position of the file: where its line begins, its content, and where the next line begins.
#[derive(Clone, Copy)]
struct Found<'a> {
    begin: usize,
    sfen: &'a [u8],
    behind: usize,
}

/// Within this many bytes, scanning is faster than halving.
const NEAR: usize = 1 << 10;

/// Number of samples compared when a file is opened on the fly.
const SAMPLES: usize = 32;

impl TextBook {
    /// Opens a sorted file without reading it. An unsorted file is detected by samples, or by a later look-up.
    pub fn on_the_fly(path: &Path) -> Result<Self, BookError> {
        let bytes = Bytes::map(path)?;
        let book = Self { bytes, path: path.to_owned() };
        check_text_book(&book.bytes, path)?;
        let mut last: Option<Found<'_>> = None;
        for sample in 0..SAMPLES {
            let Some(found) = book.position_from(book.bytes.len() / SAMPLES * sample) else { break };
            if let Some(last) = last.filter(|last| last.begin != found.begin)
                && place(last.sfen) > place(found.sfen)
            {
                return Err(book.unsorted(found.sfen));
            }
            last = Some(found);
        }
        Ok(book)
    }

    /// Reads a whole file into memory and sorts it there if necessary.
    pub fn load(path: &Path, problems: Problems) -> Result<Self, BookError> {
        Self::from_bytes(std::fs::read(path).at(path)?, path, problems)
    }

    /// A book from its bytes; `path` is for messages.
    pub fn from_bytes(bytes: Vec<u8>, path: &Path, problems: Problems) -> Result<Self, BookError> {
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err(BookError::Line { path: path.to_owned(), line: 1, fault: LineFault::Utf16 });
        }
        let book = Self { bytes: Bytes::Owned(bytes), path: path.to_owned() };
        check_text_book(&book.bytes, path)?;
        if book.is_in_order() {
            return Ok(book);
        }
        Self::from_stream(&mut DbReader::new(&*book.bytes, path, problems), path)
    }

    /// A book made from any source.
    pub fn from_stream(stream: &mut (impl EntryStream + ?Sized), path: &Path) -> Result<Self, BookError> {
        let mut sorter = EntrySorter::keeping_plies(SortLimits::default());
        sorter.push_all(stream, path)?;
        let mut sorted = sorter.finish().at(path)?;
        let mut writer = DbWriter::new(Vec::new(), LineEnd::Lf).at(path)?;
        while let Some(entry) = sorted.next_entry()? {
            writer.write(entry).at(path)?;
        }
        Ok(Self { bytes: Bytes::Owned(writer.into_inner()), path: path.to_owned() })
    }

    /// Whether positions are canonical and sorted.
    fn is_in_order(&self) -> bool {
        let mut last: &[u8] = b"";
        let mut next = self.position_from(0);
        while let Some(found) = next {
            let canonical =
                matches!(SfenLine::parse(found.sfen), Ok(SfenLine { place: Cow::Borrowed(_), .. }));
            let place = place(found.sfen);
            if !canonical || last > place {
                return false;
            }
            last = place;
            next = self.position_from(found.behind);
        }
        true
    }

    /// Number of positions, by counting lines.
    #[must_use]
    pub fn count(&self) -> usize {
        let mut count = 0;
        let mut next = self.position_from(0);
        while let Some(found) = next {
            count += 1;
            next = self.position_from(found.behind);
        }
        count
    }

    fn unsorted(&self, sfen: &[u8]) -> BookError {
        let sfen = String::from_utf8_lossy(sfen);
        let message = format!("not sorted: `sfen {sfen}` is not where it belongs; sort the book first");
        BookError::format(&self.path, message)
    }

    /// The first position whose line begins at or after `at`.
    fn position_from(&self, at: usize) -> Option<Found<'_>> {
        let bytes = &*self.bytes;
        let mut begin = at;
        if at > 0 && !is_line_end(bytes[at - 1]) {
            begin = next_line(bytes, at);
        }
        while begin < bytes.len() {
            let end = line_end(bytes, begin);
            let mut line = &bytes[begin..end];
            if begin == 0 {
                line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            }
            if let Some(sfen) = line.strip_prefix(b"sfen ") {
                let sfen = without_comment(sfen).trim_ascii_end();
                return Some(Found { begin, sfen, behind: next_line(bytes, end) });
            }
            begin = next_line(bytes, end);
        }
        None
    }

    /// The moves of a position in the order of books; empty if the book does not have it. `remark` receives malformed
    /// numbers.
    pub fn find(
        &self,
        position: &Position,
        plies: Plies,
        remark: &mut dyn FnMut(String),
    ) -> Result<Vec<BookMove>, BookError> {
        let mut wanted = Vec::with_capacity(80);
        push_place(&mut wanted, &position.setup());
        let ply = position.ply();
        let mut moves = Vec::new();
        let mut next = self.first_not_before(&wanted)?;
        while let Some(found) = next.filter(|found| place(found.sfen) == wanted) {
            let own = split_ply(found.sfen).1;
            if plies == Plies::Ignored || own.is_empty() || parse_number(own) == Some(ply.into()) {
                self.read_moves(found.behind, &mut moves, remark);
            }
            next = self.position_from(found.behind);
        }
        sort_moves(&mut moves);
        Ok(moves)
    }

    /// The first position that is not less than `wanted`.
    fn first_not_before(&self, wanted: &[u8]) -> Result<Option<Found<'_>>, BookError> {
        let (mut low, mut high) = (0, self.bytes.len());
        // Bounds of everything between, if the file is sorted.
        let (mut least, mut most): (&[u8], Option<&[u8]>) = (b"", None);
        while low + NEAR < high {
            let middle = low.midpoint(high);
            let Some(found) = self.position_from(middle).filter(|found| found.begin < high) else {
                high = middle;
                continue;
            };
            let key = place(found.sfen);
            if key < least || most.is_some_and(|most| key > most) {
                return Err(self.unsorted(found.sfen));
            }
            if key < wanted {
                (low, least) = (found.behind, key);
            } else {
                (high, most) = (middle, Some(key));
            }
        }
        let mut found = self.position_from(low);
        while let Some(before) = found.filter(|found| found.begin < high && place(found.sfen) < wanted) {
            found = self.position_from(before.behind);
        }
        Ok(found)
    }

    /// Reads move lines until the next position, skipping faulty ones.
    fn read_moves(&self, at: usize, moves: &mut Vec<BookMove>, remark: &mut dyn FnMut(String)) {
        let mut forgive = |fault: LineFault| remark(forgiven(&self.path, &fault));
        let bytes = &*self.bytes;
        let mut begin = at;
        while begin < bytes.len() {
            let end = line_end(bytes, begin);
            let line = bytes[begin..end].trim_ascii_end();
            if line.starts_with(b"sfen ") {
                return;
            }
            if !line.is_empty()
                && !line.starts_with(b"#")
                && !line.starts_with(b"//")
                && let Ok(m) = BookMove::parse_forgiving(line, &mut forgive)
            {
                insert_move(moves, m);
            }
            begin = next_line(bytes, end);
        }
    }
}

fn place(sfen: &[u8]) -> &[u8] {
    split_ply(sfen).0
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The end of the line that contains `at`.
fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |length| at + length)
}

/// Where the next line begins.
fn next_line(bytes: &[u8], at: usize) -> usize {
    let end = line_end(bytes, at);
    end + bytes[end..].iter().take(2).take_while(|byte| is_line_end(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Positions after one and two moves from the start, as a book with any line end and blank lines.
    fn sample(count: usize, end: &str, tail: &str) -> (String, Vec<Position>) {
        let mut positions = Vec::new();
        let mut position = Position::startpos();
        for m in &position.clone().legal_moves() {
            position.do_move(m);
            positions.push(position.clone());
            position.undo_move();
        }
        positions.truncate(count);
        positions.sort_by_key(Position::sfen);
        let mut text = format!("#YANEURAOU-DB2016 1.00{end}");
        for position in &positions {
            let first = position.legal_moves()[0].to_string();
            text.extend(["sfen ", &position.sfen(), end, &first, " none 1 2 3", end]);
        }
        (text + tail, positions)
    }

    fn ways(path: &Path) -> [TextBook; 2] {
        [TextBook::on_the_fly(path).unwrap(), TextBook::load(path, Problems::stop()).unwrap()]
    }

    #[test]
    fn every_position_is_found_in_every_shape_of_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        for count in [0, 1, 2, 3, 7, 30] {
            for end in ["\n", "\r\n", "\r"] {
                for tail in ["", end, &format!("{end}{end}# end{end}")] {
                    let (text, positions) = sample(count, end, tail);
                    fs::write(&path, text).unwrap();
                    for book in ways(&path) {
                        for position in &positions {
                            let moves = book.find(position, Plies::Matter, &mut |_| ()).unwrap();
                            assert_eq!((moves.len(), moves[0].count), (1, 3), "{count} {end:?} {tail:?}");
                        }
                        assert!(
                            book.find(&Position::startpos(), Plies::Ignored, &mut |_| ()).unwrap().is_empty()
                        );
                        assert_eq!(book.count(), count);
                    }
                }
            }
        }
        fs::write(&path, "").unwrap();
        assert!(
            ways(&path).iter().all(|book| book
                .find(&Position::startpos(), Plies::Ignored, &mut |_| ())
                .unwrap()
                .is_empty())
        );
    }

    #[test]
    fn variants_of_one_position() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let king = "4k4/9/9/9/9/9/9/9/4K4 b";
        let text =
            format!("sfen {king} P 10\n5i5h none 1\nsfen {king} P 9\n5i4h none 2\nsfen {king} P2p 3\n5i6h\n");
        fs::write(&path, &text).unwrap();
        let at = |ply: u32| Position::from_sfen(&format!("{king} P {ply}")).unwrap();
        for book in ways(&path) {
            let values = |ply, plies| -> Vec<i32> {
                book.find(&at(ply), plies, &mut |_| ()).unwrap().iter().map(|m| m.value).collect()
            };
            assert_eq!(values(9, Plies::Matter), [2]);
            assert_eq!(values(10, Plies::Matter), [1]);
            assert!(values(11, Plies::Matter).is_empty());
            assert_eq!(values(11, Plies::Ignored), [2, 1]);
        }
    }

    #[test]
    fn unsorted_files_are_named_on_the_fly_and_sorted_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let (text, positions) = sample(30, "\n", "");
        let mut parts: Vec<&str> = text.split_inclusive("none 1 2 3\n").collect();
        parts.reverse();
        fs::write(&path, parts.concat()).unwrap();
        let error = TextBook::on_the_fly(&path).err().unwrap().to_string();
        assert!(
            error.contains("a.db: not sorted: `sfen ") && error.ends_with("sort the book first"),
            "{error}"
        );
        let book = TextBook::load(&path, Problems::stop()).unwrap();
        assert!(
            positions
                .iter()
                .all(|position| book.find(position, Plies::Matter, &mut |_| ()).unwrap().len() == 1)
        );
    }

    #[test]
    fn comments_behind_positions_do_not_hide_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let (text, positions) = sample(30, "\n", "");
        fs::write(&path, text.replace(" b - 2\n", " b - 2 // note\n").replace(" w - 2\n", " w - 2// note\n"))
            .unwrap();
        for book in ways(&path) {
            for position in &positions {
                assert_eq!(book.find(position, Plies::Matter, &mut |_| ()).unwrap().len(), 1);
            }
        }
    }

    #[test]
    fn what_is_no_book_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut random = platform::Random::new(1);
        let bytes: Vec<u8> = (0..5000).map(|_| random.next() as u8).collect();
        for text in [&bytes[..], b"<html>\n<body>\n", b"hello", b"7g7f none 0 0 1\n"] {
            fs::write(&path, text).unwrap();
            for error in [TextBook::on_the_fly(&path).err(), TextBook::load(&path, Problems::skip()).err()] {
                let error = error.unwrap().to_string();
                assert!(error.contains("a.db: not a .db book: "), "{error}");
            }
        }
        for text in ["", "#YANEURAOU-DB2016 1.00\r\n", "// nothing yet\n\n"] {
            fs::write(&path, text).unwrap();
            assert!(ways(&path).iter().all(|book| book.count() == 0));
        }
    }

    #[test]
    fn hands_in_another_order_are_found_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        fs::write(&path, "sfen 4k4/9/9/9/9/9/9/9/4K4 b pP2R 1\n5i5h\n").unwrap();
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2RPp 1").unwrap();
        let book = TextBook::load(&path, Problems::stop()).unwrap();
        assert_eq!(book.find(&position, Plies::Matter, &mut |_| ()).unwrap().len(), 1);
    }
}

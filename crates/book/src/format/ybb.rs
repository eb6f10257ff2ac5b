//! `.ybb`: the binary book of newer versions of `YaneuraOu`. No replies, no counts, values and depths of 16 bits.

use crate::error::{At, BookError};
use crate::format::board_text::push_place;
use crate::format::bytes::Bytes;
use crate::grow::lock::create_book;
use crate::sort::entry_stream::EntryStream;
use crate::sort::parts::Parts;
use crate::sort::render_parts::render_parts;
use crate::sort::sorter::{SortLimits, Sorted, Sorter};
use crate::{BookMove, Entry, Problems};
use shogi::{Move, PackedSfen, Position, Setup, UnpackError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER: usize = 32;
const RECORD: usize = 44;
/// Bytes of a packed position.
const PACKED: usize = 32;
/// Bytes of a move with its depth.
const MOVE: usize = 6;
const HAS_DEPTH: u64 = 1;
/// Approximate memory of a record without moves, in bytes.
const ENTRY_BYTES: usize = 120;

/// An open `.ybb`, mapped into memory: opening takes no time, a look-up some twenty accesses.
pub struct Ybb {
    map: Bytes,
    path: PathBuf,
    count: usize,
    has_depth: bool,
}

impl Ybb {
    /// Opens a file and checks its format.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::new(Bytes::map(path)?, path)
    }

    /// A book from its bytes; `path` is for messages.
    pub fn from_bytes(bytes: Vec<u8>, path: &Path) -> Result<Self, BookError> {
        Self::new(Bytes::Owned(bytes), path)
    }

    /// A book that is compiled in.
    pub(crate) fn from_static(bytes: &'static [u8], path: &Path) -> Result<Self, BookError> {
        Self::new(Bytes::Static(bytes), path)
    }

    fn new(map: Bytes, path: &Path) -> Result<Self, BookError> {
        let bad = |message: String| Err(BookError::format(path, message));
        if map.len() < HEADER || !map.starts_with(MAGIC) {
            return bad("not a .ybb book: expected `YANE-BINBOOK-V1` at its beginning".to_owned());
        }
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| map[at + i]));
        let (count, flags) = (word(16), word(24));
        if flags & !HAS_DEPTH != 0 {
            return bad(format!("unknown flags {flags:#x} in the header"));
        }
        let room = ((map.len() - HEADER) / RECORD) as u64;
        if count > room {
            return bad(format!("the header promises {count} positions, there is room for {room}"));
        }
        Ok(Self { path: path.to_owned(), count: count as usize, has_depth: flags & HAS_DEPTH != 0, map })
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn record(&self, index: usize) -> &[u8] {
        &self.map[HEADER + index * RECORD..][..RECORD]
    }

    fn packed(&self, index: usize) -> [u8; PACKED] {
        self.record(index).first_chunk().copied().unwrap_or_default()
    }

    /// The move number of a record.
    pub(crate) fn ply(&self, index: usize) -> u32 {
        let record = self.record(index);
        u16::from_le_bytes([record[40], record[41]]).into()
    }

    /// The moves of a record; fails if they are outside of the file.
    pub(crate) fn moves(&self, index: usize) -> Result<Vec<BookMove>, BookError> {
        let bytes = self.stored_moves(index).ok_or_else(|| {
            let message = format!("the moves of record {index} lie outside of the file");
            BookError::format(&self.path, message)
        })?;
        let two = |m: &[u8], at: usize| u16::from_le_bytes([m[at], m[at + 1]]);
        let read = |m: &[u8]| BookMove {
            play: Move::from_bits(two(m, 0)),
            reply: None,
            value: i32::from(two(m, 2) as i16),
            depth: if self.has_depth { two(m, 4).into() } else { 0 },
            count: 0,
        };
        Ok(bytes.chunks_exact(self.move_size()).map(read).collect())
    }

    /// `None` if they are outside of the file.
    fn stored_moves(&self, index: usize) -> Option<&[u8]> {
        let record = self.record(index);
        let offset = u64::from_le_bytes(std::array::from_fn(|i| record[32 + i]));
        let base = (HEADER + self.count * RECORD) as u64;
        let begin = usize::try_from(base.checked_add(offset)?).ok()?;
        self.map.get(begin..)?.get(..self.move_count(index) * self.move_size())
    }

    fn move_count(&self, index: usize) -> usize {
        let record = self.record(index);
        u16::from_le_bytes([record[42], record[43]]).into()
    }

    /// The end of a part that begins with a record and takes about `size` bytes of memory. Records may share their
    /// moves, so file offsets do not measure that.
    pub(crate) fn end_of_part(&self, begin: usize, size: usize) -> usize {
        let mut taken = 0;
        let fits = |index: &usize| {
            let fits = taken < size;
            taken += ENTRY_BYTES + self.move_count(*index) * size_of::<BookMove>();
            fits
        };
        begin + (begin..self.count).take_while(fits).count()
    }

    /// Returns the pages of the file to the system.
    pub(crate) fn release(&self) {
        self.map.release();
    }

    /// A record as an entry.
    pub(crate) fn entry(&self, index: usize) -> Result<Entry, BookError> {
        let setup = self.setup(index)?;
        let mut place = Vec::with_capacity(80);
        push_place(&mut place, &setup);
        Ok(Entry { place, ply: setup.ply, moves: self.moves(index)? })
    }

    fn move_size(&self) -> usize {
        if self.has_depth { MOVE } else { 4 }
    }

    /// The record of a position.
    pub fn find(&self, position: &Position) -> Result<Option<(u32, Vec<BookMove>)>, BookError> {
        // Positions that cannot be packed are never in a book.
        let Ok(packed) = PackedSfen::try_from(position) else { return Ok(None) };
        let key = *packed.bytes();
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            match self.packed(middle).cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(Some((self.ply(middle), self.moves(middle)?))),
            }
        }
        Ok(None)
    }

    /// The first record that is not greater than its predecessor, if there is one.
    #[must_use]
    pub fn first_unsorted(&self) -> Option<usize> {
        (1..self.count).find(|index| self.packed(index - 1) >= self.packed(*index))
    }

    fn setup(&self, index: usize) -> Result<Setup, BookError> {
        let setup = PackedSfen::from(self.packed(index)).unpack();
        let setup = setup.map_err(|error| self.no_position(index, &error))?;
        Ok(Setup { ply: self.ply(index).max(1), ..setup })
    }

    #[cold]
    fn no_position(&self, index: usize, error: &UnpackError) -> BookError {
        BookError::format(&self.path, format!("record {index} is not a position: {error}"))
    }

    /// All records as a stream.
    #[must_use]
    pub fn into_stream(self) -> YbbStream {
        YbbStream { book: self, next: 0, entry: Entry::default() }
    }
}

/// Number of records after which read pages are returned to the system.
const RELEASE: usize = 1 << 14;

/// The records of a `.ybb` in order.
pub struct YbbStream {
    book: Ybb,
    next: usize,
    entry: Entry,
}

impl EntryStream for YbbStream {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        if self.next == self.book.count {
            return Ok(None);
        }
        if self.next.is_multiple_of(RELEASE) {
            self.book.map.release();
        }
        self.entry = self.book.entry(self.next)?;
        self.next += 1;
        Ok(Some(&self.entry))
    }

    fn progress(&self) -> Option<f64> {
        Some(self.next as f64 / self.book.count.max(1) as f64)
    }
}

/// Information that a `.ybb` cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct YbbLosses {
    /// Expected replies.
    pub replies: u64,
    /// Counts other than one.
    pub counts: u64,
    /// Values or depths clamped to 16 bits.
    pub cut: u64,
    /// Positions that cannot be packed.
    pub positions: u64,
}

impl YbbLosses {
    fn add(&mut self, other: Self) {
        self.replies += other.replies;
        self.counts += other.counts;
        self.cut += other.cut;
        self.positions += other.positions;
    }
}

/// Writes positions in any order as a `.ybb`; among equal positions the one with the smallest move number is kept.
pub fn write_ybb(
    path: &Path,
    stream: &mut (impl EntryStream + ?Sized),
    limits: SortLimits,
) -> Result<(u64, YbbLosses), BookError> {
    let mut losses = YbbLosses::default();
    let threads = limits.threads;
    let mut sorter = Sorter::new(limits);
    let mut record = Vec::new();
    while let Some(entry) = stream.next_entry()? {
        if encode(entry, path, &mut record, &mut losses)? {
            let (packed, payload) = record.split_at(PACKED);
            sorter.push(packed, payload).at(path)?;
        }
    }
    let written = write_records(path, sorter.finish().at(path)?, threads)?;
    Ok((written, losses))
}

/// Writes a text book as a `.ybb`, reading it on several threads.
pub(crate) fn write_ybb_from_db(
    input: &Path,
    path: &Path,
    problems: Problems,
    limits: SortLimits,
    tell: &mut dyn FnMut(f64),
) -> Result<(u64, YbbLosses), BookError> {
    let losses = Arc::new(Mutex::new(YbbLosses::default()));
    let threads = limits.threads;
    let mut sorter = Sorter::new(limits);
    let parts = Parts::open(input, problems, |length| sorter.block_size(length))?;
    let (all_losses, output) = (losses.clone(), path.to_owned());
    sorter.push_book(parts, path, tell, move |entry, chunk| {
        let (mut record, mut lost) = (Vec::with_capacity(64), YbbLosses::default());
        if encode(entry, &output, &mut record, &mut lost)? {
            let (packed, payload) = record.split_at(PACKED);
            chunk.push(packed, |bytes| bytes.extend_from_slice(payload));
        }
        if lost != YbbLosses::default() {
            all_losses.lock().unwrap_or_else(PoisonError::into_inner).add(lost);
        }
        Ok(())
    })?;
    let written = write_records(path, sorter.finish().at(path)?, threads)?;
    let losses = *losses.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((written, losses))
}

/// Encodes a position and its moves as key and payload; false if there are no moves or it cannot be packed. `path` is
/// for messages.
fn encode(
    entry: &Entry,
    path: &Path,
    record: &mut Vec<u8>,
    losses: &mut YbbLosses,
) -> Result<bool, BookError> {
    let setup = entry.setup().map_err(|error| BookError::format(path, error.to_string()))?;
    if entry.moves.is_empty() {
        return Ok(false);
    }
    let Ok(packed) = PackedSfen::try_from(&setup) else {
        losses.positions += 1;
        return Ok(false);
    };
    record.clear();
    record.extend_from_slice(packed.bytes());
    record.extend_from_slice(&(entry.ply.min(u16::MAX.into()) as u16).to_le_bytes());
    for m in &entry.moves {
        let (value, depth) = (m.value.clamp(-32768, 32767), m.depth.clamp(0, 65535));
        losses.cut += u64::from((value, depth) != (m.value, m.depth));
        losses.replies += u64::from(m.reply.is_some());
        losses.counts += u64::from(m.count > 1);
        let [play, value, depth] =
            [m.play.map_or(0, Move::bits), value as u16, depth as u16].map(u16::to_le_bytes);
        record.extend_from_slice(&[play[0], play[1], value[0], value[1], depth[0], depth[1]]);
    }
    Ok(true)
}

/// The header of a book with this many positions.
fn header(count: u64) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&count.to_le_bytes());
    header.extend_from_slice(&HAS_DEPTH.to_le_bytes());
    header
}

/// Sorted records, each position once: among equal ones the one with the smallest move number.
struct Unique {
    sorted: Sorted,
    packed: Vec<u8>,
    payload: Vec<u8>,
}

impl Unique {
    fn new(sorted: Sorted) -> Self {
        Self { sorted, packed: Vec::new(), payload: Vec::new() }
    }

    /// Appends positions until the buffer is full; returns whether there are more.
    fn render(&mut self, rendered: &mut Rendered) -> std::io::Result<bool> {
        let ply_of = |payload: &[u8]| u16::from_le_bytes([payload[0], payload[1]]);
        while let Some((next, next_payload)) = self.sorted.next_record()? {
            let is_new = self.packed != next;
            if is_new {
                rendered.push(&self.packed, &self.payload);
                self.packed.clear();
                self.packed.extend_from_slice(next);
            }
            if is_new || ply_of(next_payload) < ply_of(&self.payload) {
                self.payload.clear();
                self.payload.extend_from_slice(next_payload);
            }
            if rendered.moves.len() > RENDERED {
                return Ok(true);
            }
        }
        rendered.push(&std::mem::take(&mut self.packed), &self.payload);
        Ok(false)
    }
}

/// Bytes of moves that are rendered at a time.
const RENDERED: usize = 1 << 20;

/// Index and moves of some positions; offsets are relative to the first of these moves.
#[derive(Default)]
struct Rendered {
    index: Vec<u8>,
    moves: Vec<u8>,
}

impl Rendered {
    fn push(&mut self, packed: &[u8], payload: &[u8]) {
        if packed.is_empty() {
            return;
        }
        let (ply, moves) = payload.split_at(2);
        self.index.extend_from_slice(packed);
        self.index.extend_from_slice(&(self.moves.len() as u64).to_le_bytes());
        self.index.extend_from_slice(ply);
        self.index.extend_from_slice(&((moves.len() / MOVE) as u16).to_le_bytes());
        self.moves.extend_from_slice(moves);
    }

    /// Shifts the offsets.
    fn move_by(&mut self, offset: u64) {
        for line in self.index.as_chunks_mut::<RECORD>().0 {
            let within = u64::from_le_bytes(std::array::from_fn(|i| line[PACKED + i]));
            line[PACKED..PACKED + 8].copy_from_slice(&(within + offset).to_le_bytes());
        }
    }
}

/// Writes the index directly and the moves to a second file that is appended at the end: neither has to fit in memory.
fn write_records(path: &Path, sorted: Sorted, threads: usize) -> Result<u64, BookError> {
    let mut file = create_book(path)?;
    let mut moves_path = path.as_os_str().to_owned();
    moves_path.push(".moves");
    // Never committed, so that it is removed at the end.
    let mut moves_file = create_book(Path::new(&moves_path))?;
    file.write_all(&[0; HEADER]).at(path)?;
    let cuts = sorted.cuts();
    let parts = sorted.split(&cuts).at(path)?.into_iter().map(Unique::new).collect();
    let (mut count, mut offset) = (0u64, 0u64);
    let take = |mut rendered: Rendered| {
        rendered.move_by(offset);
        count += (rendered.index.len() / RECORD) as u64;
        offset += rendered.moves.len() as u64;
        file.write_all(&rendered.index).and_then(|()| moves_file.write_all(&rendered.moves)).at(path)
    };
    render_parts(parts, threads, |part, rendered| part.render(rendered).at(path), take)?;
    std::io::copy(&mut moves_file.reopen()?, &mut file).at(path)?;
    file.seek(SeekFrom::Start(0)).at(path)?;
    file.write_all(&header(count)).at(path)?;
    file.commit()?;
    Ok(count)
}

/// Writes a copy of a book with other moves: `fill` appends those of each record, six bytes each. The copy may replace
/// the book.
pub(crate) fn rewrite_moves(
    book: Ybb,
    path: &Path,
    mut fill: impl FnMut(usize, &mut Vec<u8>),
) -> Result<(), BookError> {
    let mut file = create_book(path)?;
    let mut moves_path = path.as_os_str().to_owned();
    moves_path.push(".moves");
    let mut moves_file = create_book(Path::new(&moves_path))?;
    file.write_all(&header(book.len() as u64)).at(path)?;
    let mut offset = 0u64;
    let mut moves = Vec::new();
    for index in 0..book.len() {
        if index.is_multiple_of(RELEASE) {
            book.map.release();
        }
        moves.clear();
        fill(index, &mut moves);
        let record = book.record(index);
        let mut new = record[..32].to_vec();
        new.extend_from_slice(&offset.to_le_bytes());
        new.extend_from_slice(&record[40..42]);
        new.extend_from_slice(&((moves.len() / 6) as u16).to_le_bytes());
        file.write_all(&new).at(path)?;
        moves_file.write_all(&moves).at(path)?;
        offset += moves.len() as u64;
    }
    std::io::copy(&mut moves_file.reopen()?, &mut file).at(path)?;
    // Windows cannot rename over a mapped file.
    drop(book);
    Ok(file.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::entry_stream::Entries;

    /// Released pages can be read again.
    #[test]
    fn what_was_released_is_still_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        let bytes: Vec<u8> = (0..100_000u32).map(|i| (i / 7) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let map = Bytes::map(&path).unwrap();
        assert!(*map == bytes[..]);
        map.release();
        assert!(*map == bytes[..]);
    }

    #[test]
    fn what_is_written_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ybb");
        let mut position = Position::startpos();
        let mut entries = Vec::new();
        for (number, text) in ["7g7f", "3c3d", "2g2f", "8c8d"].into_iter().enumerate() {
            let m = BookMove { value: -(number as i32), depth: 9, ..BookMove::new(text.parse().unwrap()) };
            entries.push(Entry::of(&position, vec![m]));
            position.do_move(m.play.unwrap());
        }
        entries.push(Entry { ply: 9, ..entries[0].clone() });
        let stream = &mut Entries::new(entries.clone());
        let (written, losses) = write_ybb(&path, stream, SortLimits::default()).unwrap();
        assert_eq!((written, losses), (4, YbbLosses::default()));
        let book = Ybb::open(&path).unwrap();
        assert_eq!((book.len(), book.first_unsorted()), (4, None));
        for entry in &entries[..4] {
            let (ply, moves) = book.find(&entry.position().unwrap()).unwrap().unwrap();
            let expected = BookMove { count: 0, ..entry.moves[0] };
            assert_eq!((ply, moves), (entry.ply, vec![expected]));
        }
        assert!(book.find(&position).unwrap().is_none());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn bad_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ybb");
        let error = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let message = match Ybb::open(&path) {
                Err(error) => error.to_string(),
                Ok(book) => match book.into_stream().next_entry() {
                    Err(error) => error.to_string(),
                    Ok(_) => String::new(),
                },
            };
            message.split_once(": ").map(|(_, message)| message.to_owned()).unwrap_or_default()
        };
        let header =
            |count: u64, flags: u64| [MAGIC.as_slice(), &count.to_le_bytes(), &flags.to_le_bytes()].concat();
        assert_eq!(error(b"short"), "not a .ybb book: expected `YANE-BINBOOK-V1` at its beginning");
        assert_eq!(error(&header(0, 2)), "unknown flags 0x2 in the header");
        assert_eq!(error(&header(1, 0)), "the header promises 1 positions, there is room for 0");
        assert_eq!(
            error(&header(u64::MAX, 0)),
            "the header promises 18446744073709551615 positions, there is room for 0"
        );
        let mut record = PackedSfen::try_from(&Position::startpos()).unwrap().bytes().to_vec();
        record.extend_from_slice(&u64::MAX.to_le_bytes());
        record.extend_from_slice(&[1, 0, 1, 0]);
        assert_eq!(error(&[header(1, 0), record].concat()), "the moves of record 0 lie outside of the file");
        assert_eq!(
            error(&[header(1, 0), vec![0xff; RECORD]].concat()).split(':').next(),
            Some("record 0 is not a position")
        );
    }
}

//! Positions one after the other, wherever they come from.

use crate::db::DbReader;
use crate::error::BookError;
use crate::sorter::{SortLimits, Sorted, Sorter};
use crate::{BookMove, Entry};
use shogi::Move;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Gives positions one by one, so that no book need fit into memory.
pub trait EntryStream {
    /// The next position; `None` at the end.
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError>;

    /// How much of the source has been read, from 0 to 1, where that is known.
    fn progress(&self) -> Option<f64> {
        None
    }
}

impl<R: Read> EntryStream for DbReader<R> {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        DbReader::next_entry(self)
    }
}

impl<S: EntryStream + ?Sized> EntryStream for Box<S> {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        (**self).next_entry()
    }

    fn progress(&self) -> Option<f64> {
        (**self).progress()
    }
}

/// Positions that are in memory.
pub struct Entries<I> {
    source: I,
    current: Entry,
}

impl<I: Iterator<Item = Entry>> Entries<I> {
    /// Gives what the iterator gives.
    pub fn new(source: impl IntoIterator<IntoIter = I>) -> Self {
        Self { source: source.into_iter(), current: Entry::default() }
    }
}

impl<I: Iterator<Item = Entry>> EntryStream for Entries<I> {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        let Some(entry) = self.source.next() else { return Ok(None) };
        self.current = entry;
        Ok(Some(&self.current))
    }
}

/// Brings positions into the order of the file format: byte order of the SFEN, one entry for each position, at its
/// smallest move number. Lines of one position and number are united as the reference program does.
pub struct EntrySorter {
    sorter: Sorter,
    payload: Vec<u8>,
    keep_plies: bool,
}

impl EntrySorter {
    /// A sorter without positions.
    #[must_use]
    pub fn new(limits: SortLimits) -> Self {
        Self { sorter: Sorter::new(limits), payload: Vec::new(), keep_plies: false }
    }

    /// One that keeps a position at each of its move numbers, for looking it up with them.
    pub(crate) fn keeping_plies(limits: SortLimits) -> Self {
        Self { keep_plies: true, ..Self::new(limits) }
    }

    /// Adds a position.
    pub fn push(&mut self, entry: &Entry) -> io::Result<()> {
        self.payload.clear();
        encode(entry, &mut self.payload);
        self.sorter.push(&entry.place, &self.payload)
    }

    /// Adds everything that a stream has left.
    pub fn push_all(&mut self, stream: &mut (impl EntryStream + ?Sized), at: &Path) -> Result<(), BookError> {
        while let Some(entry) = stream.next_entry()? {
            self.push(entry).map_err(|source| BookError::Io { path: at.to_owned(), source })?;
        }
        Ok(())
    }

    /// Ends the taking and begins the giving back.
    pub fn finish(self) -> io::Result<SortedEntries> {
        Ok(SortedEntries {
            sorted: self.sorter.finish()?,
            current: Entry::default(),
            next: None,
            keep_plies: self.keep_plies,
            failed_at: PathBuf::from("temporary file"),
        })
    }
}

/// The positions of a book in the order of the file format, moves still in theirs.
pub struct SortedEntries {
    sorted: Sorted,
    current: Entry,
    /// Already read, of the next position.
    next: Option<Entry>,
    keep_plies: bool,
    failed_at: PathBuf,
}

impl SortedEntries {
    fn read_one(&mut self) -> io::Result<Option<Entry>> {
        Ok(self.sorted.next_record()?.map(|(place, payload)| decode(place, payload)))
    }

    fn unite(&mut self) -> io::Result<bool> {
        let first = match self.next.take() {
            Some(entry) => Some(entry),
            None => self.read_one()?,
        };
        let Some(first) = first else { return Ok(false) };
        self.current = first;
        while let Some(entry) = self.read_one()? {
            if entry.place != self.current.place || self.keep_plies && entry.ply != self.current.ply {
                self.next = Some(entry);
                break;
            }
            match entry.ply.cmp(&self.current.ply) {
                std::cmp::Ordering::Less => self.current = entry,
                std::cmp::Ordering::Equal => self.current.absorb(&entry),
                std::cmp::Ordering::Greater => {}
            }
        }
        unite_moves(&mut self.current);
        Ok(true)
    }
}

/// A move that is listed twice within a position is one move.
fn unite_moves(entry: &mut Entry) {
    let twice = |moves: &[BookMove]| {
        moves.iter().enumerate().any(|(i, m)| moves[..i].iter().any(|earlier| earlier.play == m.play))
    };
    if twice(&entry.moves) {
        let moves = std::mem::take(&mut entry.moves);
        entry.absorb(&Entry { moves, ..Entry::default() });
    }
}

impl EntryStream for SortedEntries {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        let any = self.unite().map_err(|source| BookError::Io { path: self.failed_at.clone(), source })?;
        Ok(any.then_some(&self.current))
    }
}

const MOVE_BYTES: usize = 20;

pub(crate) fn encode(entry: &Entry, out: &mut Vec<u8>) {
    out.extend_from_slice(&entry.ply.to_le_bytes());
    let bits = |m: Option<Move>| m.map_or(0, Move::bits).to_le_bytes();
    for m in &entry.moves {
        out.extend_from_slice(&bits(m.play));
        out.extend_from_slice(&bits(m.reply));
        out.extend_from_slice(&m.value.to_le_bytes());
        out.extend_from_slice(&m.depth.to_le_bytes());
        out.extend_from_slice(&m.count.to_le_bytes());
    }
}

pub(crate) fn decode(place: &[u8], payload: &[u8]) -> Entry {
    let (ply, moves) = payload.split_at(4);
    let decode_move = |bytes: &[u8]| {
        let two = |at: usize| Move::from_bits(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let four = |at: usize| i32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        BookMove {
            play: two(0),
            reply: two(2),
            value: four(4),
            depth: four(8),
            count: u64::from_le_bytes(std::array::from_fn(|i| bytes[12 + i])),
        }
    };
    Entry {
        place: place.to_vec(),
        ply: u32::from_le_bytes(std::array::from_fn(|i| ply[i])),
        moves: moves.chunks_exact(MOVE_BYTES).map(decode_move).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problems;

    fn sorted(text: &str) -> Vec<Entry> {
        let mut sorter = EntrySorter::new(SortLimits::default());
        let mut reader = DbReader::new(text.as_bytes(), "a.db", Problems::Stop);
        sorter.push_all(&mut reader, Path::new("a.db")).unwrap();
        let mut sorted = sorter.finish().unwrap();
        let mut all = Vec::new();
        while let Some(entry) = sorted.next_entry().unwrap() {
            all.push(entry.clone());
        }
        all
    }

    #[test]
    fn one_entry_for_each_position_at_its_smallest_number() {
        let king = "4k4/9/9/9/9/9/9/9/4K4 b";
        let text = format!(
            "sfen {king} P 12\n5i5h none 1 1 1\nsfen {king} 2P 3\n5i4h\nsfen {king} P 9\n5i6h none 5 5 2\n\
             sfen {king} P 9\n5i6h none 7 7 3\n5i4i\n"
        );
        let entries = sorted(&text);
        let shown: Vec<String> = entries.iter().map(Entry::sfen).collect();
        assert_eq!(shown, [format!("{king} 2P 3"), format!("{king} P 9")]);
        let moves = &entries[1].moves;
        assert_eq!((moves.len(), moves[0].value, moves[0].count), (2, 7, 5));
    }

    #[test]
    fn entries_survive_the_way_through_memory() {
        let moves = vec![
            BookMove::parse(b"7g7f 3c3d -5 9999 18446744073709").unwrap(),
            BookMove::parse(b"none").unwrap(),
        ];
        let entry = Entry { place: b"x".to_vec(), ply: 7, moves };
        let mut payload = Vec::new();
        encode(&entry, &mut payload);
        assert_eq!(decode(b"x", &payload), entry);
    }
}

//! Streams of positions, from any source.

use crate::error::{At, BookError};
use crate::format::db::DbReader;
use crate::sort::parts::Parts;
use crate::sort::sorter::{SortLimits, Sorted, Sorter};
use crate::{BookMove, Entry, Problems};
use shogi::Move;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Yields positions one by one, so that books need not fit in memory.
pub trait EntryStream {
    /// The next position; `None` at the end.
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError>;

    /// The fraction of the source that has been read, from 0 to 1, if known.
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

/// A stream of positions in memory.
pub struct Entries<I> {
    source: I,
    current: Entry,
}

impl<I: Iterator<Item = Entry>> Entries<I> {
    /// A stream over an iterator.
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

/// Sorts positions into the order of the file format: by the bytes of the SFEN, one entry for each position, at its
/// smallest move number. Lines with the same position and number are united, as in YaneuraOu.
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

    /// A sorter that keeps a position at each of its move numbers, for looking up with them.
    pub(crate) fn keeping_plies(limits: SortLimits) -> Self {
        Self { keep_plies: true, ..Self::new(limits) }
    }

    /// Adds a position.
    pub fn push(&mut self, entry: &Entry) -> io::Result<()> {
        self.payload.clear();
        encode(entry.ply, &entry.moves, &mut self.payload);
        self.sorter.push(&entry.place, &self.payload)
    }

    /// Adds the rest of a stream.
    pub fn push_all(&mut self, stream: &mut (impl EntryStream + ?Sized), at: &Path) -> Result<(), BookError> {
        while let Some(entry) = stream.next_entry()? {
            self.push(entry).map_err(|error| BookError::Io { path: at.to_owned(), error })?;
        }
        Ok(())
    }

    /// Adds a whole book, read on several threads.
    pub(crate) fn push_book(
        &mut self,
        path: &Path,
        problems: Problems,
        tell: &mut dyn FnMut(f64),
    ) -> Result<(), BookError> {
        let parts = Parts::open(path, problems, |length| self.sorter.block_size(length))?;
        self.sorter.push_book(parts, path, tell, |entry, chunk| {
            chunk.push(&entry.place, |bytes| encode(entry.ply, &entry.moves, bytes));
            Ok(())
        })
    }

    /// Finishes adding and starts returning.
    pub fn finish(self) -> io::Result<SortedEntries> {
        Ok(SortedEntries::new(self.sorter.finish()?, self.keep_plies))
    }
}

/// The positions of a book in the order of the file format; moves are not sorted.
pub struct SortedEntries {
    sorted: Sorted,
    current: Entry,
    /// The next position, if it has already been read.
    ahead: Entry,
    has_ahead: bool,
    keep_plies: bool,
    failed_at: PathBuf,
}

impl SortedEntries {
    fn new(sorted: Sorted, keep_plies: bool) -> Self {
        Self {
            sorted,
            current: Entry::default(),
            ahead: Entry::default(),
            has_ahead: false,
            keep_plies,
            failed_at: PathBuf::from("temporary file"),
        }
    }

    /// Places that split the positions into parts for several threads; empty if they must stay together.
    pub(crate) fn cuts(&self) -> Vec<Vec<u8>> {
        self.sorted.cuts()
    }

    /// Splits the positions before these places.
    pub(crate) fn split(self, cuts: &[Vec<u8>]) -> Result<Vec<Self>, BookError> {
        let parts = self.sorted.split(cuts).at(&self.failed_at)?;
        Ok(parts.into_iter().map(|part| Self::new(part, self.keep_plies)).collect())
    }

    /// Reads the next position; returns whether there is one.
    fn read_ahead(&mut self) -> io::Result<bool> {
        let Some((place, payload)) = self.sorted.next_record()? else { return Ok(false) };
        decode(place, payload, &mut self.ahead);
        Ok(true)
    }

    fn unite(&mut self) -> io::Result<bool> {
        if !std::mem::take(&mut self.has_ahead) && !self.read_ahead()? {
            return Ok(false);
        }
        std::mem::swap(&mut self.current, &mut self.ahead);
        while self.read_ahead()? {
            let (current, ahead) = (&mut self.current, &mut self.ahead);
            if ahead.place != current.place || self.keep_plies && ahead.ply != current.ply {
                self.has_ahead = true;
                break;
            }
            current.unite(std::mem::take(ahead));
        }
        self.current.unite_moves();
        Ok(true)
    }
}

impl EntryStream for SortedEntries {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        let any = self.unite().map_err(|error| BookError::Io { path: self.failed_at.clone(), error })?;
        Ok(any.then_some(&self.current))
    }
}

/// Flags after the first bytes of an encoded move.
mod has {
    pub const REPLY: u8 = 1;
    pub const WIDE_VALUE: u8 = 2;
    pub const WIDE_DEPTH: u8 = 4;
    pub const COUNT: u8 = 8;
}

/// Encodes a position as a payload: most moves take seven bytes.
pub(crate) fn encode(ply: u32, moves: &[BookMove], out: &mut Vec<u8>) {
    out.extend_from_slice(&ply.to_le_bytes());
    for m in moves {
        let (value, depth) = (i16::try_from(m.value), i16::try_from(m.depth));
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        out.push(
            flag(m.reply.is_some(), has::REPLY)
                | flag(value.is_err(), has::WIDE_VALUE)
                | flag(depth.is_err(), has::WIDE_DEPTH)
                | flag(m.count != 1, has::COUNT),
        );
        out.extend_from_slice(&m.play.map_or(0, Move::bits).to_le_bytes());
        if let Some(reply) = m.reply {
            out.extend_from_slice(&reply.bits().to_le_bytes());
        }
        for (narrow, wide) in [(value, m.value), (depth, m.depth)] {
            match narrow {
                Ok(narrow) => out.extend_from_slice(&narrow.to_le_bytes()),
                Err(_) => out.extend_from_slice(&wide.to_le_bytes()),
            }
        }
        if m.count != 1 {
            out.extend_from_slice(&m.count.to_le_bytes());
        }
    }
}

/// Decodes numbers of a payload.
struct Payload<'a>(&'a [u8]);

impl Payload<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (now, rest) = self.0.split_at(N);
        self.0 = rest;
        std::array::from_fn(|i| now[i])
    }

    fn number(&mut self, wide: bool) -> i32 {
        if wide { i32::from_le_bytes(self.take()) } else { i16::from_le_bytes(self.take()).into() }
    }

    fn play(&mut self) -> Option<Move> {
        Move::from_bits(u16::from_le_bytes(self.take()))
    }
}

/// Decodes the output of [`encode`] into an entry, reusing its memory.
pub(crate) fn decode(place: &[u8], payload: &[u8], entry: &mut Entry) {
    let mut payload = Payload(payload);
    entry.place.clear();
    entry.place.extend_from_slice(place);
    entry.ply = u32::from_le_bytes(payload.take());
    entry.moves.clear();
    while !payload.0.is_empty() {
        let [flags] = payload.take();
        let has = |flag: u8| flags & flag != 0;
        entry.moves.push(BookMove {
            play: payload.play(),
            reply: if has(has::REPLY) { payload.play() } else { None },
            value: payload.number(has(has::WIDE_VALUE)),
            depth: payload.number(has(has::WIDE_DEPTH)),
            count: if has(has::COUNT) { u64::from_le_bytes(payload.take()) } else { 1 },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(text: &str) -> Vec<Entry> {
        let mut sorter = EntrySorter::new(SortLimits::default());
        let mut reader = DbReader::new(text.as_bytes(), "a.db", Problems::stop());
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
        encode(entry.ply, &entry.moves, &mut payload);
        let mut decoded = Entry::default();
        decode(b"x", &payload, &mut decoded);
        assert_eq!(decoded, entry);
    }
}

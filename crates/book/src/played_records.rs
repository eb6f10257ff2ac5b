//! Moves that were played, as small records in boxes. A box holds a range of positions in the order of text books, so that
//! each can be sorted and written by itself.

use crate::slips::{Boxes, WIDTH, Window, window_of};
use crate::text_sort::{Key, TextSort, key_of};
use platform::memory::Zeroed;
use shogi::Move;

/// A move of a position: how often, in which order, with which reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Played {
    pub(crate) play: Move,
    /// The reply of the last time.
    pub(crate) reply: Move,
    pub(crate) ply: u32,
    pub(crate) count: u32,
    /// When it was played first and last: numbers that grow with the games.
    pub(crate) first: u64,
    pub(crate) last: u64,
}

/// Numbers of times have fewer bits than a word.
const TIME_BITS: u32 = 40;
/// Most records have a short head: length of the text, play, time, reply, and a move number below [`MANY`].
const HEAD: usize = 12;
/// The others have another last time, a large move number or a count.
const LONG_HEAD: usize = 24;
const MANY: u32 = 1 << 7;
/// Records begin at multiples of this.
const UNIT: usize = 4;
/// A box grows by so much at a time, memory as a whole by more.
const CHUNK: usize = 1 << 14;
const SLAB: usize = 1 << 25;

impl Played {
    fn is_short(&self) -> bool {
        self.count == 1 && self.ply < MANY
    }

    /// The head of a record with a text of this length; of a short one only the first words count.
    fn pack(self, length: usize) -> [u8; LONG_HEAD] {
        let time = |time: u64| time & ((1 << TIME_BITS) - 1);
        let (ply, more) = if self.is_short() { (self.ply, 0) } else { (MANY, self.ply) };
        let first = time(self.first) | u64::from(self.reply.bits()) << TIME_BITS | u64::from(ply) << 56;
        let last = time(self.last) | u64::from(more) << TIME_BITS;
        let front = length as u32 | u32::from(self.play.bits()) << 16;
        let mut head = [0; LONG_HEAD];
        head[..4].copy_from_slice(&front.to_le_bytes());
        head[4..12].copy_from_slice(&first.to_le_bytes());
        head[12..20].copy_from_slice(&last.to_le_bytes());
        head[20..].copy_from_slice(&self.count.to_le_bytes());
        head
    }

    fn unpack(record: &[u8]) -> Option<Self> {
        let front = u32::from_le_bytes(*record.first_chunk()?);
        let word =
            |at: usize| record.get(at..).and_then(<[u8]>::first_chunk).map(|word| u64::from_le_bytes(*word));
        let time = |word: u64| word & ((1 << TIME_BITS) - 1);
        let first = word(4)?;
        let play = Move::from_bits((front >> 16) as u16)?;
        let reply = Move::from_bits((first >> TIME_BITS) as u16)?;
        let ply = (first >> 56) as u32;
        if ply < MANY {
            return Some(Self { play, reply, ply, count: 1, first: time(first), last: time(first) });
        }
        let last = word(12)?;
        let count = u32::from_le_bytes(*record.get(20..)?.first_chunk()?);
        Some(Self {
            play,
            reply,
            ply: (last >> TIME_BITS) as u32,
            count,
            first: time(first),
            last: time(last),
        })
    }
}

/// The text of a record.
#[inline]
fn text_of(record: &[u8]) -> &[u8] {
    let length = usize::from(record[0]);
    let head = if u32::from(record[11]) < MANY { HEAD } else { LONG_HEAD };
    &record[head..head + length]
}

/// The boxes that one thread fills.
pub(crate) struct PlayedBoxes {
    slabs: Vec<Zeroed<u8>>,
    boxes: Vec<Filling>,
    /// Where no box is yet.
    free: usize,
}

#[derive(Clone, Default)]
struct Filling {
    /// Where chunks begin and how much of them is filled; all but the last are complete.
    chunks: Vec<(usize, usize)>,
    at: usize,
    end: usize,
}

impl PlayedBoxes {
    pub(crate) fn new(boxes: usize) -> Self {
        Self { slabs: Vec::new(), boxes: vec![Filling::default(); boxes], free: 0 }
    }

    /// Puts a record into a box. Its text is what follows the bytes that all of the box have in common.
    pub(crate) fn put(&mut self, number: usize, text: &[u8], played: Played) {
        let filling = &mut self.boxes[number];
        let head = if played.is_short() { HEAD } else { LONG_HEAD };
        let size = (head + text.len()).next_multiple_of(UNIT);
        if filling.end - filling.at < size {
            filling.close();
            if self.free.is_multiple_of(SLAB) {
                self.slabs.push(Zeroed::new(SLAB, true).expect("there is memory for a slab"));
            }
            filling.chunks.push((self.free, 0));
            (filling.at, filling.end) = (self.free, self.free + CHUNK);
            self.free += CHUNK;
        }
        let at = filling.at;
        filling.at += size;
        let record = &mut self.slabs[at / SLAB][at % SLAB..][..size];
        record[..head].copy_from_slice(&played.pack(text.len())[..head]);
        record[head..head + text.len()].copy_from_slice(text);
    }

    /// What is filled of a box, piece by piece.
    fn chunks(&self, number: usize) -> impl Iterator<Item = &[u8]> {
        let filling = &self.boxes[number];
        let last = filling.chunks.len().wrapping_sub(1);
        filling.chunks.iter().enumerate().map(move |(i, (begin, size))| {
            let size = if i == last { filling.at - begin } else { *size };
            &self.slabs[begin / SLAB][begin % SLAB..][..size]
        })
    }

    /// How all records of the only box begin.
    pub(crate) fn windows(&self) -> Vec<Window> {
        self.all().map(|record| window_of(text_of(record), 0)).collect()
    }

    /// The records of the only box in more of them.
    pub(crate) fn spread(&self, boxes: &Boxes) -> Self {
        let mut spread = Self::new(boxes.count());
        for record in self.all() {
            if let Some(played) = Played::unpack(record) {
                let number = boxes.number_of(window_of(text_of(record), 0));
                spread.put(number, &text_of(record)[boxes.common(number)..], played);
            }
        }
        spread
    }

    /// What begins with each record of the only box.
    fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks(0).flat_map(|chunk| Records { chunk, at: 0 }.map(|at| &chunk[at..]))
    }
}

impl Filling {
    fn close(&mut self) {
        if let Some((begin, size)) = self.chunks.last_mut() {
            *size = self.at - *begin;
        }
    }
}

/// Where the records of a chunk are.
struct Records<'a> {
    chunk: &'a [u8],
    at: usize,
}

impl Iterator for Records<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let at = self.at;
        let record = self.chunk.get(at..).filter(|record| !record.is_empty())?;
        let head = if u32::from(record[11]) < MANY { HEAD } else { LONG_HEAD };
        self.at += (head + usize::from(record[0])).next_multiple_of(UNIT);
        Some(at)
    }
}

/// The records of a box, sorted by their places.
pub(crate) struct SortedBox<'a> {
    chunks: Vec<&'a [u8]>,
    keys: Vec<Key>,
    common: ([u8; WIDTH], usize),
}

/// Bits of a record's number that tell where in its chunk it is.
const UNIT_BITS: u32 = (CHUNK / UNIT).trailing_zeros();

/// What begins with the record of a number.
#[inline]
fn find<'a>(chunks: &[&'a [u8]], number: u32) -> &'a [u8] {
    &chunks[(number >> UNIT_BITS) as usize][(number as usize % (1 << UNIT_BITS)) * UNIT..]
}

impl<'a> SortedBox<'a> {
    /// Sorts the records of a box from all who filled it. `keys` is memory to be used.
    pub(crate) fn new(filled: &[&'a PlayedBoxes], boxes: &Boxes, number: usize, mut keys: Vec<Key>) -> Self {
        let chunks: Vec<&[u8]> = filled.iter().flat_map(|boxes| boxes.chunks(number)).collect();
        keys.clear();
        for (chunk, i) in chunks.iter().zip(0u32..) {
            let key = |at: usize| key_of(text_of(&chunk[at..]), 0, i << UNIT_BITS | (at / UNIT) as u32);
            keys.extend(Records { chunk, at: 0 }.map(key));
        }
        TextSort::new(|number| text_of(find(&chunks, number))).sort(&mut keys, 0);
        Self { chunks, keys, common: (boxes.first(number), boxes.common(number)) }
    }

    /// What all places begin with.
    pub(crate) fn common(&self) -> &[u8] {
        &self.common.0[..self.common.1]
    }

    /// Gives all positions in order, each with its records in no order: what follows the common beginning of its place.
    pub(crate) fn each_position(&self, mut each: impl FnMut(&'a [u8], &mut [Played])) {
        let mut played = Vec::new();
        let mut records = self.keys.iter().map(|key| find(&self.chunks, *key as u32)).peekable();
        while let Some(record) = records.next() {
            let text = text_of(record);
            played.clear();
            played.extend(Played::unpack(record));
            while let Some(record) = records.next_if(|record| text_of(record) == text) {
                played.extend(Played::unpack(record));
            }
            each(text, &mut played);
        }
    }

    /// The memory, to be used again.
    pub(crate) fn into_keys(self) -> Vec<Key> {
        self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn records_keep_what_they_are_given(
            text in "[a-z]{0,200}",
            numbers in (1u32..1_000_000, 1u32..4, 0u64..1 << 40, 0u64..1 << 40),
        ) {
            let (ply, count, first, last) = numbers;
            let [play, reply] = ["7g7f", "B*5e"].map(|word| word.parse().unwrap());
            let last = if count == 1 { first } else { last };
            let mut boxes = PlayedBoxes::new(1);
            for ply in [ply, ply % 200] {
                let played = Played { play, reply, ply, count, first, last };
                boxes.put(0, text.as_bytes(), played);
                let record = boxes.all().last().unwrap();
                prop_assert_eq!(text_of(record), text.as_bytes());
                prop_assert_eq!(Played::unpack(record), Some(played));
            }
        }
    }
}

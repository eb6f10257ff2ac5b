//! Moves that were played, as small records in boxes. A box holds a range of positions in the order of text books, so that
//! each can be sorted and written by itself.

use crate::slab::Slab;
use crate::slips::{Boxes, Window, window_of};
use crate::text_sort::{Key, TextSort, key_of};
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
/// Three words before the text of the position.
const HEAD: usize = 24;
/// Records begin at multiples of this.
const UNIT: usize = 8;
/// A box grows by so much at a time, memory as a whole by more.
const CHUNK: usize = 1 << 14;
const SLAB: usize = 1 << 25;

impl Played {
    fn pack(self, length: usize) -> [u64; 3] {
        [
            self.first << (64 - TIME_BITS) | u64::from(self.play.bits()) << 8 | length as u64,
            self.last << (64 - TIME_BITS) | u64::from(self.reply.bits()),
            u64::from(self.ply) << 32 | u64::from(self.count),
        ]
    }

    fn unpack([first, last, counts]: [u64; 3]) -> Option<Self> {
        Some(Self {
            play: Move::from_bits((first >> 8) as u16)?,
            reply: Move::from_bits(last as u16)?,
            ply: (counts >> 32) as u32,
            count: counts as u32,
            first: first >> (64 - TIME_BITS),
            last: last >> (64 - TIME_BITS),
        })
    }
}

fn words(head: &[u8]) -> [u64; 3] {
    let words = head.as_chunks().0;
    std::array::from_fn(|i| words.get(i).map_or(0, |word| u64::from_le_bytes(*word)))
}

/// The boxes that one thread fills.
pub(crate) struct PlayedBoxes {
    slabs: Vec<Slab>,
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

    /// Puts a record into a box.
    pub(crate) fn put(&mut self, number: usize, place: &[u8], played: Played) {
        let filling = &mut self.boxes[number];
        let size = HEAD + place.len().next_multiple_of(UNIT);
        if filling.end - filling.at < size {
            filling.close();
            if self.free.is_multiple_of(SLAB) {
                self.slabs.push(Slab::new(SLAB));
            }
            filling.chunks.push((self.free, 0));
            (filling.at, filling.end) = (self.free, self.free + CHUNK);
            self.free += CHUNK;
        }
        let at = filling.at;
        filling.at += size;
        let record = &mut self.slabs[at / SLAB][at % SLAB..][..size];
        let (head, text) = record.split_at_mut(HEAD);
        for (word, value) in head.as_chunks_mut().0.iter_mut().zip(played.pack(place.len())) {
            *word = value.to_le_bytes();
        }
        text[..place.len()].copy_from_slice(place);
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

    /// How all records of a box begin.
    pub(crate) fn windows(&self, number: usize) -> Vec<Window> {
        self.chunks(number)
            .flat_map(|chunk| Records { chunk, at: 0 })
            .map(|(_, place)| window_of(place, 0))
            .collect()
    }
}

impl PlayedBoxes {
    /// The records of the only box in more of them.
    pub(crate) fn spread(&self, boxes: &Boxes) -> Self {
        let mut spread = Self::new(boxes.count());
        for chunk in self.chunks(0) {
            for (at, place) in (Records { chunk, at: 0 }) {
                if let Some(played) = Played::unpack(words(&chunk[at..at + HEAD])) {
                    spread.put(boxes.number_of(window_of(place, 0)), place, played);
                }
            }
        }
        spread
    }
}

impl Filling {
    fn close(&mut self) {
        if let Some((begin, size)) = self.chunks.last_mut() {
            *size = self.at - *begin;
        }
    }
}

/// The records of a chunk: where each is, and its place.
struct Records<'a> {
    chunk: &'a [u8],
    at: usize,
}

fn place_at(chunk: &[u8], at: usize) -> &[u8] {
    let length = usize::from(chunk[at]);
    &chunk[at + HEAD..][..length]
}

impl<'a> Iterator for Records<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.chunk.len() {
            return None;
        }
        let (at, place) = (self.at, place_at(self.chunk, self.at));
        self.at += HEAD + place.len().next_multiple_of(UNIT);
        Some((at, place))
    }
}

/// The records of a box, sorted by their places.
pub(crate) struct SortedBox<'a> {
    chunks: Vec<&'a [u8]>,
    keys: Vec<Key>,
}

/// Bits of a record's number that tell where in its chunk it is.
const UNIT_BITS: u32 = (CHUNK / UNIT).trailing_zeros();

fn find<'a>(chunks: &[&'a [u8]], number: u32) -> (&'a [u8], usize) {
    (chunks[(number >> UNIT_BITS) as usize], (number as usize % (1 << UNIT_BITS)) * UNIT)
}

impl<'a> SortedBox<'a> {
    /// Sorts the records of a box from all who filled it. `keys` is memory to be used.
    pub(crate) fn new(filled: &[&'a PlayedBoxes], boxes: &Boxes, number: usize, mut keys: Vec<Key>) -> Self {
        let chunks: Vec<&[u8]> = filled.iter().flat_map(|boxes| boxes.chunks(number)).collect();
        let depth = boxes.common(number);
        keys.clear();
        for (chunk, i) in chunks.iter().zip(0u32..) {
            let each = Records { chunk, at: 0 };
            keys.extend(each.map(|(at, place)| key_of(place, depth, i << UNIT_BITS | (at / UNIT) as u32)));
        }
        let place = |number: u32| {
            let (chunk, at) = find(&chunks, number);
            place_at(chunk, at)
        };
        TextSort::new(place).sort(&mut keys, depth);
        Self { chunks, keys }
    }

    fn place(&self, key: Key) -> &'a [u8] {
        let (chunk, at) = find(&self.chunks, key as u32);
        place_at(chunk, at)
    }

    /// Gives all positions in order, each with its records in no order.
    pub(crate) fn each_position(&self, mut each: impl FnMut(&'a [u8], &mut [Played])) {
        let mut played = Vec::new();
        let mut rest = self.keys.as_slice();
        while let Some(first) = rest.first() {
            let place = self.place(*first);
            let equal = 1 + rest[1..].iter().take_while(|key| self.place(**key) == place).count();
            played.clear();
            played.extend(rest[..equal].iter().filter_map(|key| {
                let (chunk, at) = find(&self.chunks, *key as u32);
                Played::unpack(words(&chunk[at..at + HEAD]))
            }));
            each(place, &mut played);
            rest = &rest[equal..];
        }
    }

    /// The memory, to be used again.
    pub(crate) fn into_keys(self) -> Vec<Key> {
        self.keys
    }
}

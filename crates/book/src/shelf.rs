//! Records in boxes: what belongs together lies together, so that all that has to be looked at for sorting and writing
//! a box fits into a cache.

use crate::short::Ahead;
use crate::slips::{Boxes, Records, Slip, WIDTH, Window, groups, sort_slips_from, window_of};
use platform::memory::Zeroed;
use platform::prefetch;
use platform::workers::Pool;

/// Memory that is asked for at a time.
const BLOCK: usize = 1 << 23;
/// Memory that a box gets at a time. No record is longer; one of all moves of a position is much shorter.
const CHUNK: usize = 1 << 12;
/// What a cache holds together.
const LINE: usize = 64;
/// Records begin at multiples of this.
const STEP: usize = 2;
/// So far slips can point.
const MOST_BYTES: usize = STEP << 32;

/// A position of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record<'a> {
    /// What it is sorted by.
    pub(crate) key: &'a [u8],
    pub(crate) ply: u16,
    /// As a `.ybb` has them.
    pub(crate) moves: &'a [u8],
}

/// One that is to be put on a shelf.
#[derive(Clone, Copy)]
pub(crate) struct NewRecord<'a> {
    pub(crate) key: Ahead<'a>,
    pub(crate) ply: u16,
    pub(crate) moves: Ahead<'a>,
}

/// What is before the bytes of a record: when it was made, the move number, the lengths of its key and of the moves.
#[derive(Clone, Copy)]
struct Head {
    order: u32,
    ply: u16,
    key: u8,
    moves: u16,
}

impl Head {
    const SIZE: usize = 8;

    fn to_bytes(self) -> [u8; Self::SIZE] {
        let [order, ply, key] = [self.order.into(), self.ply.into(), self.key.into()].map(|n: u64| n);
        (order << 40 | key << 32 | ply << 16 | u64::from(self.moves)).to_le_bytes()
    }

    fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let word = u64::from_le_bytes(bytes);
        Self {
            order: (word >> 40) as u32,
            key: (word >> 32) as u8,
            ply: (word >> 16) as u16,
            moves: word as u16,
        }
    }

    /// How far it is to the next record.
    fn stride(self) -> usize {
        (Self::SIZE + usize::from(self.key) + usize::from(self.moves)).next_multiple_of(STEP)
    }
}

/// A part of a block that belongs to one box.
#[derive(Clone, Copy, Default)]
struct Chunk {
    /// Counted through all blocks.
    begin: usize,
    end: usize,
}

/// The records that one thread makes.
pub(crate) struct Shelf<'a> {
    boxes: &'a Boxes,
    blocks: Vec<Zeroed<u8>>,
    /// What of the last block is given away.
    given: usize,
    /// By box: the chunks that are full, and the one that is being filled.
    chunks: Vec<Vec<Chunk>>,
    open: Vec<Open>,
    /// How many records there are.
    count: u64,
    /// By box: bytes of all moves that are in it.
    moves: Vec<u64>,
    /// Records that are not in their boxes yet, what their keys begin with, and how many they are.
    waiting: [Waiting; WAITING],
    windows: [Window; WAITING],
    waits: usize,
}

/// So many records wait for each other: to look for their boxes at once takes little longer than to look for one.
const WAITING: usize = 4;
/// A record that waits is not longer.
const SHORT: usize = 64;

/// A record on its way to its box.
#[derive(Clone, Copy)]
struct Waiting {
    stride: usize,
    moves: u16,
    bytes: [u8; SHORT + 2 * Ahead::WIDTH],
}

impl Waiting {
    const NONE: Self = Self { stride: 0, moves: 0, bytes: [0; SHORT + 2 * Ahead::WIDTH] };
}

/// The chunk of a box that is being filled.
#[derive(Clone, Copy, Default)]
struct Open {
    /// Where the next record will be.
    at: usize,
    room: usize,
}

impl<'a> Shelf<'a> {
    pub(crate) fn new(boxes: &'a Boxes) -> Self {
        let count = boxes.count();
        Self {
            boxes,
            blocks: Vec::new(),
            given: BLOCK,
            chunks: vec![Vec::new(); count],
            open: vec![Open::default(); count],
            count: 0,
            moves: vec![0; count],
            waiting: [Waiting::NONE; WAITING],
            windows: [(0, 0); WAITING],
            waits: 0,
        }
    }

    /// Puts a record, of which the key begins with a window, into its box; `order` must not fall. `None` if there is no
    /// place for one of those that were put here.
    #[inline]
    pub(crate) fn put(&mut self, order: u32, window: Window, record: NewRecord<'_>) -> Option<()> {
        let NewRecord { key, ply, moves } = record;
        let head =
            Head { order, key: key.length().try_into().ok()?, moves: moves.length().try_into().ok()?, ply };
        let stride = head.stride();
        // Those that came last are written last: by now nobody has to wait for their bytes.
        if self.waits == WAITING {
            self.put_waiting()?;
        }
        self.count += 1;
        if stride > SHORT {
            return self.put_long(window, head, record);
        }
        let waiting = &mut self.waiting[self.waits % WAITING];
        (waiting.stride, waiting.moves) = (stride, head.moves);
        self.windows[self.waits % WAITING] = window;
        let (before, behind) = waiting.bytes.split_first_chunk_mut()?;
        *before = head.to_bytes();
        key.copy_to(behind);
        moves.copy_to(&mut behind[key.length().min(SHORT)..]);
        self.waits += 1;
        Some(())
    }

    /// Puts all that wait into their boxes.
    fn put_waiting(&mut self) -> Option<()> {
        let numbers = self.boxes.numbers_of(self.windows);
        for (i, number) in numbers.into_iter().enumerate().take(self.waits) {
            let Waiting { stride, moves, bytes } = &self.waiting[i];
            let (stride, bytes): (_, [u8; SHORT]) = (*stride, *bytes.first_chunk()?);
            self.moves[number] += u64::from(*moves);
            let room = self.room(number, stride)?;
            *room.first_chunk_mut()? = bytes;
            // Where the next one but one will be, some hundreds of others later.
            prefetch(&room[stride + SHORT - 1]);
        }
        self.waits = 0;
        Some(())
    }

    #[inline(never)]
    fn put_long(&mut self, window: Window, head: Head, record: NewRecord<'_>) -> Option<()> {
        self.put_waiting()?;
        let number = self.boxes.number_of(window);
        self.moves[number] += u64::from(head.moves);
        let room = self.room(number, head.stride())?;
        let (before, behind) = room.split_first_chunk_mut()?;
        *before = head.to_bytes();
        let (key, moves) = (record.key.bytes(), record.moves.bytes());
        behind[..key.len()].copy_from_slice(key);
        behind[key.len()..][..moves.len()].copy_from_slice(moves);
        Some(())
    }

    /// Room for a record in a box, with something behind it that may be written over.
    #[inline(always)]
    fn room(&mut self, number: usize, stride: usize) -> Option<&mut [u8]> {
        // What is written too much does not reach into the next chunk.
        if self.open[number].room < stride + SHORT {
            self.another_chunk(number, stride + SHORT)?;
        }
        let open = &mut self.open[number];
        let at = open.at;
        open.at += stride;
        open.room -= stride;
        Some(&mut self.blocks[at / BLOCK][at % BLOCK..][..stride + SHORT])
    }

    #[cold]
    fn another_chunk(&mut self, number: usize, room: usize) -> Option<()> {
        if room > CHUNK || self.blocks.len() * BLOCK >= MOST_BYTES {
            return None;
        }
        if self.given == BLOCK {
            self.blocks.push(Zeroed::new(BLOCK, true).ok()?);
            self.given = 0;
        }
        let begin = (self.blocks.len() - 1) * BLOCK + self.given;
        self.given += CHUNK;
        self.close(number);
        self.open[number] = Open { at: begin, room: CHUNK };
        Some(())
    }

    /// Enters the chunk that is being filled among those that are full.
    fn close(&mut self, number: usize) {
        let Open { at, room } = std::mem::take(&mut self.open[number]);
        if at > 0 {
            self.chunks[number].push(Chunk { begin: at + room - CHUNK, end: at });
        }
    }
}

/// What all threads have made.
pub(crate) struct Shelves<'a> {
    shelves: Vec<Shelf<'a>>,
    slips: Pool<Vec<Slip>>,
}

/// What a slip says: when the record was made, on which shelf and where it is.
#[derive(Clone, Copy)]
struct Found {
    order: u32,
    shelf: usize,
    at: usize,
}

/// More threads than that are not asked for more.
pub(crate) const MOST_SHELVES: usize = 1 << 8;
/// `order` must be smaller.
pub(crate) const MOST_ORDERS: usize = 1 << 24;

impl Found {
    fn pack(self) -> u64 {
        u64::from(self.order) << 40 | (self.shelf as u64) << 32 | (self.at / STEP) as u64
    }

    #[inline]
    fn unpack(place: u64) -> Self {
        Self {
            order: (place >> 40) as u32,
            shelf: (place >> 32) as usize % MOST_SHELVES,
            at: (place as u32) as usize * STEP,
        }
    }
}

impl<'a> Shelves<'a> {
    /// `None` if there is no place for some of it.
    pub(crate) fn new(mut shelves: Vec<Shelf<'a>>) -> Option<Self> {
        for shelf in &mut shelves {
            shelf.put_waiting()?;
            (0..shelf.open.len()).for_each(|number| shelf.close(number));
        }
        Some(Self { shelves, slips: Pool::default() })
    }

    /// How many records there are.
    pub(crate) fn count(&self) -> u64 {
        self.shelves.iter().map(|shelf| shelf.count).sum()
    }

    /// Bytes of all moves in a box.
    pub(crate) fn move_bytes(&self, number: usize) -> u64 {
        self.shelves.iter().map(|shelf| shelf.moves[number]).sum()
    }

    /// Does something with the slips of one box, sorted.
    pub(crate) fn with_box<R>(&self, number: usize, work: impl FnOnce(&[Slip]) -> R) -> R {
        let mut slips = self.slips.take();
        self.sort_box(number, &mut slips);
        let result = work(&slips);
        self.slips.give(slips);
        result
    }

    fn sort_box(&self, number: usize, slips: &mut Vec<Slip>) {
        slips.clear();
        for (shelf, on) in self.shelves.iter().enumerate() {
            for chunk in &on.chunks[number] {
                // No chunk lies in two blocks.
                let mut rest =
                    &on.blocks[chunk.begin / BLOCK][chunk.begin % BLOCK..][..chunk.end - chunk.begin];
                // Where one record ends says where the next begins. Asked for at once, all of them come sooner.
                rest.iter().step_by(LINE).for_each(prefetch);
                let mut at = chunk.begin;
                while let Some((head, bytes)) = rest.split_first_chunk() {
                    let head = Head::from_bytes(*head);
                    let place = Found { order: head.order, shelf, at }.pack();
                    slips.push(Slip { window: window_of(&bytes[..head.key.into()], 0), place });
                    rest = &rest[head.stride()..];
                    at += head.stride();
                }
            }
        }
        // What all keys of a box begin with need not be compared.
        let Some(first) = slips.first().map(|slip| slip.window) else { return };
        let (high, low) = slips.iter().fold((0, 0), |(high, low), Slip { window, .. }| {
            (high | (window.0 ^ first.0), low | (window.1 ^ first.1))
        });
        let same = if high == 0 { 64 + low.leading_zeros() } else { high.leading_zeros() } as usize / 8;
        if same > 0 && same < WIDTH {
            for slip in slips.iter_mut() {
                slip.window = window_of(self.key(*slip), same);
            }
            sort_slips_from(slips, same, self);
        } else {
            sort_slips_from(slips, 0, self);
        }
    }

    /// Groups of sorted slips as [`groups`] gives them. Their records lie anywhere in a box: they are looked at a while
    /// before they are needed, so that nobody has to wait for them then.
    #[inline]
    pub(crate) fn groups<'b>(&'b self, slips: &'b [Slip]) -> impl Iterator<Item = &'b [Slip]> + 'b {
        /// So many records are on their way.
        const AHEAD: usize = 8;
        let mut later = slips.iter().skip(AHEAD);
        groups(slips, self).inspect(move |_| {
            let Some(slip) = later.next() else { return };
            let Found { shelf, at, .. } = Found::unpack(slip.place);
            prefetch(&self.shelves[shelf].blocks[at / BLOCK][at % BLOCK]);
        })
    }

    #[inline]
    pub(crate) fn record(&self, slip: Slip) -> Record<'_> {
        let Found { shelf, at, .. } = Found::unpack(slip.place);
        let block = &self.shelves[shelf].blocks[at / BLOCK][at % BLOCK..];
        let (head, bytes) = block.split_first_chunk().unwrap_or((&[0; Head::SIZE], &[]));
        let head = Head::from_bytes(*head);
        let (key, behind) = bytes.split_at(head.key.into());
        Record { key, ply: head.ply, moves: &behind[..head.moves.into()] }
    }
}

impl Records for Shelves<'_> {
    #[inline]
    fn key(&self, slip: Slip) -> &[u8] {
        self.record(slip).key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn new<'a>(key: &'a [u8], ply: u16, moves: &'a [u8]) -> NewRecord<'a> {
        let all = |bytes: &'a [u8]| Ahead::new(bytes, bytes.len()).unwrap();
        NewRecord { key: all(key), ply, moves: all(moves) }
    }

    proptest! {
        /// Whoever made a record: all come back in the order of keys, equal keys in the order in which they were made.
        #[test]
        fn like_a_stable_sort(
            keys in prop::collection::vec("[ab]{0,2}(lnsgkgsnl/1r5b1/){0,2}[ab]{0,2}", 0..300),
            boxes in 1usize..9,
        ) {
            let sample = keys.iter().step_by(3).map(|key| window_of(key.as_bytes(), 0)).collect();
            let boxes = Boxes::new(sample, boxes);
            let mut shelves = [Shelf::new(&boxes), Shelf::new(&boxes)];
            for (number, key) in keys.iter().enumerate() {
                // Two at a time are made one after the other by the same thread.
                let order = number as u32 / 2;
                let moves = number.to_le_bytes();
                let record = new(key.as_bytes(), 7, &moves);
                let window = window_of(record.key.bytes(), 0);
                shelves[order as usize % 2].put(order, window, record).unwrap();
            }
            let shelves = Shelves::new(shelves.into()).unwrap();
            let mut found = Vec::new();
            for number in 0..boxes.count() {
                shelves.with_box(number, |slips| {
                    assert_eq!(shelves.move_bytes(number), (slips.len() * size_of::<usize>()) as u64);
                    for slip in slips {
                        let record = shelves.record(*slip);
                        let number = usize::from_le_bytes(record.moves.try_into().unwrap());
                        assert_eq!((record.key, record.ply), (keys[number].as_bytes(), 7));
                        found.push(number);
                    }
                });
            }
            let mut expected: Vec<usize> = (0..keys.len()).collect();
            expected.sort_by_key(|number| &keys[*number]);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn chunks_and_blocks_are_filled_one_after_the_other() {
        let boxes = Boxes::new(Vec::new(), 1);
        let mut shelf = Shelf::new(&boxes);
        let rest = [7; CHUNK / 3];
        let count = 3 * BLOCK / CHUNK;
        for number in 0..count as u32 {
            let key = number.to_be_bytes();
            shelf.put(number, window_of(&key, 0), new(&key, 1, &rest)).unwrap();
        }
        assert_eq!(shelf.put(9, (0, 0), new(&[0; 4], 1, &[0; CHUNK])), None);
        let shelves = Shelves::new(vec![shelf]).unwrap();
        shelves.with_box(0, |slips| {
            assert_eq!(slips.len(), count);
            for (number, slip) in (0u32..).zip(slips) {
                let record = shelves.record(*slip);
                assert_eq!((record.key, record.moves), (&number.to_be_bytes()[..], &rest[..]));
            }
        });
    }
}

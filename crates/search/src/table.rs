//! The transposition table, shared by all threads without locks.

use crate::key::{Key, TableKey};
use crate::parameters as p;
use crate::report::Bound;
use crate::value::Value;
use platform::memory::{Zero, Zeroed};
use platform::numa::Seats;
use platform::prefetch;
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// The data of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Packed best move, 0 if none.
    pub(crate) best: u32,
    /// The value and its bound; `None` if only the evaluation is stored.
    pub(crate) value: Option<(Value, Bound)>,
    /// The evaluation before correction; `None` in check.
    pub(crate) evaluation: Option<Value>,
    pub(crate) depth: i32,
    /// Whether the position has been part of a principal variation.
    pub(crate) tt_pv: bool,
}

impl Entry {
    /// The depth of an entry that has no search value.
    pub(crate) const UNSEARCHED: i32 = -2;
    /// The depth of quiescence search.
    pub(crate) const QUIESCENCE: i32 = 0;
}

const GENERATIONS: u8 = 32;
/// Stored depths begin at 1, so that no entry is all zero.
const DEPTH_OFFSET: i32 = 3;
/// Stands for no evaluation; values do not reach it.
const NO_EVALUATION: u16 = i16::MIN as u16;

/// An entry in memory. Layout of `content`: move 32 bits, value 16, evaluation 16. Layout of `rest`: lower 48 bits of
/// the key (the bucket implies the others), depth 8, generation 5, `tt_pv` 1, bound 2.
#[derive(Clone, Copy)]
struct Stored<K: TableKey> {
    content: u64,
    rest: u64,
    upper: K::Upper,
}

impl<K: TableKey> Stored<K> {
    fn new(key: K, entry: Entry, generation: u8) -> Self {
        let (value, bound) = entry.value.map_or((0, 3), |(value, bound)| (value.to_bits(), bound as u64));
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, Value::to_bits);
        Self {
            content: u64::from(entry.best) << 32 | u64::from(value) << 16 | u64::from(evaluation),
            rest: key.lower() << 16
                | ((entry.depth + DEPTH_OFFSET).clamp(1, 255) as u64) << 8
                | u64::from(generation) << 3
                | u64::from(entry.tt_pv) << 2
                | bound,
            upper: key.upper(),
        }
    }

    fn entry(self) -> Entry {
        let bound = match self.rest & 3 {
            0 => Some(Bound::Exact),
            1 => Some(Bound::Lower),
            2 => Some(Bound::Upper),
            _ => None,
        };
        let evaluation = self.content as u16;
        Entry {
            best: self.best(),
            value: bound.map(|bound| (Value::from_bits((self.content >> 16) as u16), bound)),
            evaluation: (evaluation != NO_EVALUATION).then(|| Value::from_bits(evaluation)),
            depth: self.depth(),
            tt_pv: self.rest & 4 != 0,
        }
    }

    fn best(self) -> u32 {
        (self.content >> 32) as u32
    }

    fn depth(self) -> i32 {
        (self.rest >> 8 & 0xff) as i32 - DEPTH_OFFSET
    }

    fn is_empty(self) -> bool {
        self.rest & 0xff00 == 0
    }

    #[inline(always)]
    fn is_of(self, key: K) -> bool {
        self.has_lower(key.lower()) && self.upper == key.upper() && !self.is_empty()
    }

    #[inline(always)]
    fn has_lower(self, key: u64) -> bool {
        (self.rest ^ key << 16) & KEY_BITS == 0
    }

    /// How many searches ago the entry was written.
    fn age(self, generation: u8) -> u8 {
        (GENERATIONS + generation - (self.rest >> 3) as u8 % GENERATIONS) % GENERATIONS
    }

    /// Replacement value: shallow and old entries have the least.
    fn worth(self, generation: u8) -> i32 {
        if self.is_empty() {
            i32::MIN
        } else {
            self.depth() - p::replacement_age() * i32::from(self.age(generation))
        }
    }
}

const KEY_BITS: u64 = !0xffff;

/// An entry as two words, or three with wide keys.
#[derive(Default)]
pub struct Slot<K: TableKey> {
    content: AtomicU64,
    /// [`Stored::rest`] mixed with `content`.
    mixed: AtomicU64,
    upper: K::UpperCell,
}

/// Slots that share cache lines.
#[repr(align(64))]
pub struct Bucket<K: TableKey, const SLOTS: usize>([Slot<K>; SLOTS]);

/// Size of a cache line in bytes.
const CACHE_LINE: usize = 64;

// SAFETY: made of numbers and cells that may be zero, aligned to less than a page.
unsafe impl<K: TableKey, const SLOTS: usize> Zero for Bucket<K, SLOTS> {}

impl<K: TableKey, const SLOTS: usize> AsRef<[Slot<K>]> for Bucket<K, SLOTS> {
    #[inline(always)]
    fn as_ref(&self) -> &[Slot<K>] {
        &self.0
    }
}

impl<K: TableKey> Slot<K> {
    /// If two threads wrote the halves, they do not match, and neither does the key.
    #[inline]
    fn load(&self) -> Stored<K> {
        let content = self.content.load(Relaxed);
        let rest = self.mixed.load(Relaxed) ^ content & KEY_BITS;
        Stored { content, rest, upper: K::load_upper(&self.upper, content) }
    }

    #[inline]
    fn store(&self, key: K, entry: Entry, generation: u8) {
        let stored = Stored::new(key, entry, generation);
        self.content.store(stored.content, Relaxed);
        self.mixed.store(stored.rest ^ stored.content & KEY_BITS, Relaxed);
        key.store_upper(&self.upper, stored.content);
    }
}

/// The transposition table.
pub struct Table<K: TableKey = Key> {
    buckets: Zeroed<K::Bucket>,
    generation: AtomicU8,
}

impl<K: TableKey> Table<K> {
    /// A table of about `megabytes`, on large pages if `large_pages` is set and the system has them. Fails if there is
    /// not enough memory.
    pub fn new(megabytes: usize, large_pages: bool) -> io::Result<Self> {
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self {
            buckets: Zeroed::new(bytes / size_of::<K::Bucket>(), large_pages)?,
            generation: AtomicU8::new(0),
        })
    }

    /// Whether the table is on large pages.
    #[must_use]
    pub fn uses_large_pages(&self) -> bool {
        self.buckets.uses_large_pages()
    }

    /// Its size in megabytes.
    #[must_use]
    pub fn megabytes(&self) -> usize {
        (self.buckets.len() * size_of::<K::Bucket>()) >> 20
    }

    /// Clears the table with `threads` threads.
    pub fn clear(&mut self, threads: usize) {
        self.buckets.clear(threads);
    }

    /// Clears the table by threads on their nodes, each of which gets a share of it.
    pub(crate) fn clear_on(&mut self, seats: &Seats<'_>) {
        self.buckets.clear_on(seats);
    }

    /// Starts a new generation: entries of earlier searches are replaced first.
    pub(crate) fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let sample = self.buckets.len().min(250);
        let generation = self.generation.load(Relaxed);
        let slots = || self.buckets[..sample].iter().flat_map(AsRef::as_ref);
        let used = slots().map(Slot::load).filter(|stored| !stored.is_empty() && stored.age(generation) == 0);
        (used.count() * 1000 / slots().count()) as u32
    }

    fn bucket(&self, key: u64) -> &K::Bucket {
        // The high half of key × count spreads keys evenly over any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The slots that may hold a position.
    #[inline(always)]
    fn slots(&self, key: K) -> &[Slot<K>] {
        self.bucket(key.lower()).as_ref()
    }

    /// Prefetches the bucket of a position by the lower half of its key.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        let bucket = self.bucket(key);
        prefetch(bucket);
        if size_of::<K::Bucket>() > CACHE_LINE
            && let Some(last) = bucket.as_ref().last()
        {
            prefetch(last);
        }
    }

    #[inline]
    pub(crate) fn probe(&self, key: K) -> Option<Entry> {
        let stored = self.slots(key).iter().map(Slot::load).find(|stored| stored.is_of(key))?;
        Some(stored.entry())
    }

    /// Whether the table has an entry for a position, given the lower half of its key, as
    /// [`game::Searchable::key_after`] returns it.
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        let slots = self.bucket(key).as_ref().iter();
        slots.map(Slot::load).any(|stored| stored.has_lower(key) && !stored.is_empty())
    }

    /// Stores an entry: over one of the same position if there is one, else over the least valuable of the bucket.
    pub(crate) fn store(&self, key: K, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let slots = self.slots(key);
        if let Some((slot, old)) =
            slots.iter().map(|slot| (slot, slot.load())).find(|(_, old)| old.is_of(key))
        {
            if entry.best == 0 {
                entry.best = old.best();
            }
            let exact = entry.value.is_some_and(|(_, bound)| bound == Bound::Exact);
            let deep_enough = entry.depth + p::replacement_pv() * i32::from(entry.tt_pv)
                > old.depth() - p::replacement_depth();
            if exact || deep_enough || old.age(generation) != 0 {
                slot.store(key, entry, generation);
            } else if entry.best != old.best() {
                slot.store(key, Entry { best: entry.best, ..old.entry() }, generation);
            }
            return;
        }
        if let Some(slot) = slots.iter().min_by_key(|slot| slot.load().worth(generation)) {
            slot.store(key, entry, generation);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        let value = Some((Value::mate_in(9), Bound::Lower));
        Entry { best: 77, value, evaluation: Some(Value::new(-5)), depth, tt_pv: true }
    }

    #[test]
    fn entries_come_back() {
        let table = Table::<u64>::new(1, true).unwrap();
        let deep = entry(12);
        assert_eq!(table.probe(5), None);
        assert!(!table.contains(5) && !table.contains(0));
        table.store(5, deep);
        assert_eq!(table.probe(5), Some(deep));
        assert!(table.contains(5) && !table.contains(6));
        // A shallower bound does not replace a deep entry of the same search; a known move is kept.
        let upper = Some((Value::ZERO, Bound::Upper));
        table.store(5, Entry { best: 0, depth: 3, value: upper, tt_pv: false, ..deep });
        assert_eq!(table.probe(5), Some(deep));
        let exact = Some((Value::ZERO, Bound::Exact));
        table.store(5, Entry { best: 0, depth: 5, value: exact, ..deep });
        assert_eq!(table.probe(5).map(|e| (e.best, e.depth)), Some((77, 5)));
        let bare = Entry { best: 0, value: None, evaluation: None, depth: Entry::UNSEARCHED, tt_pv: false };
        table.store(6, bare);
        assert_eq!(table.probe(6), Some(bare));
    }

    #[test]
    fn a_full_bucket_gives_up_its_oldest_and_shallowest() {
        let mut table = Table::<u64>::new(1, true).unwrap();
        for (number, depth) in [(1, 20), (2, 5), (3, 9), (4, 7)] {
            table.store(number, entry(depth));
        }
        table.store(9, entry(1));
        assert_eq!(table.probe(2), None);
        assert!(table.probe(9).is_some() && table.probe(1).is_some());
        assert!(table.fullness() > 0);
        table.clear(2);
        assert_eq!((table.probe(1), table.fullness()), (None, 0));
    }

    #[test]
    fn parts_of_two_writers_do_not_match() {
        let (slot, other) = (Slot::<u64>::default(), Slot::<u64>::default());
        slot.store(1, entry(3), 0);
        other.store(1, Entry { best: 5, ..entry(4) }, 0);
        slot.content.store(other.content.load(Relaxed), Relaxed);
        assert!(!slot.load().is_of(1));
        let (slot, other) = (Slot::<u128>::default(), Slot::<u128>::default());
        slot.store(1, entry(3), 0);
        other.store(1, Entry { best: 5, ..entry(4) }, 0);
        assert!(slot.load().is_of(1));
        slot.upper.store(other.upper.load(Relaxed), Relaxed);
        assert!(!slot.load().is_of(1));
    }

    #[test]
    fn wide_keys_tell_apart_what_shares_a_half() {
        let (one, other) = (7 | 1 << 100, 7 | 1 << 101);
        let wide = Table::<u128>::new(1, true).unwrap();
        wide.store(one, entry(3));
        assert_eq!(wide.probe(other), None);
        assert!(wide.contains(7));
        wide.store(other, entry(9));
        assert_eq!(wide.probe(one).zip(wide.probe(other)).map(|(a, b)| (a.depth, b.depth)), Some((3, 9)));
        let narrow = Table::<u64>::new(1, true).unwrap();
        narrow.store(one as u64, entry(3));
        assert!(narrow.probe(other as u64).is_some(), "for 64 bits they are the same");
    }

    #[test]
    fn buckets_fill_cache_lines() {
        assert_eq!(size_of::<<u64 as TableKey>::Bucket>(), CACHE_LINE);
        assert_eq!(size_of::<<u128 as TableKey>::Bucket>(), 2 * CACHE_LINE);
        let wide = Table::<u128>::new(1, true).unwrap();
        for upper in 0..5 {
            wide.store(upper << 64, entry(9));
        }
        assert!((0..5).all(|upper| wide.probe(upper << 64).is_some()));
        assert_eq!(wide.fullness(), 4, "one bucket of 250");
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Table::<u64>::new(usize::MAX, false).is_err());
        assert!(Table::<u64>::new(1 << 40, false).is_err());
    }
}

//! The table of the solver, shared by all threads without locks.

use super::key::Key;
use platform::memory::{Zero, Zeroed};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Proof numbers: estimated efforts to prove that the side to move wins, and that it loses.
///
/// If one is 0 and the other [`Numbers::INFINITE`], the result is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) win: u32,
    pub(crate) loss: u32,
}

impl Numbers {
    /// The number of what is disproved.
    pub(crate) const INFINITE: u32 = (1 << 24) - 1;
    /// The side to move wins.
    pub(crate) const WON: Self = Self { win: 0, loss: Self::INFINITE };
    /// The side to move loses.
    pub(crate) const LOST: Self = Self { win: Self::INFINITE, loss: 0 };

    #[inline]
    pub(crate) fn decided(wins: bool) -> Self {
        if wins { Self::WON } else { Self::LOST }
    }

    /// Whether the side to move wins, if that is proven.
    #[inline]
    pub(crate) fn verdict(self) -> Option<bool> {
        match self {
            Self { win: 0, .. } => Some(true),
            Self { loss: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// The work of an entry: eight times the binary logarithm of the nodes.
pub(crate) fn effort(nodes: u64) -> u8 {
    let nodes = nodes.max(1);
    let whole = nodes.ilog2();
    let part = if whole >= 3 { nodes >> (whole - 3) & 7 } else { nodes << (3 - whole) & 7 };
    (whole * 8 + part as u32).min(255) as u8
}

/// One position. `content` has the win number in 24 bits, the loss number in 24, effort in 8, the high part of the key
/// in 8; `mixed` is the low part of the key XOR `content`, so that halves of different writers do not match.
#[derive(Default)]
struct Slot {
    content: AtomicU64,
    mixed: AtomicU64,
}

/// A table entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) numbers: Numbers,
    pub(crate) effort: u8,
}

impl Entry {
    /// The low part of the key and the content, which is never 0.
    #[inline]
    pub(crate) fn to_words(self) -> [u64; 2] {
        let content = u64::from(self.numbers.win) << 40
            | u64::from(self.numbers.loss) << 16
            | u64::from(self.effort) << 8
            | u64::from(self.key.high);
        [self.key.low, content]
    }

    #[inline]
    pub(crate) fn from_words([low, content]: [u64; 2]) -> Self {
        let numbers =
            Numbers { win: (content >> 40) as u32, loss: (content >> 16) as u32 & Numbers::INFINITE };
        Self { key: Key { low, high: content as u8 }, numbers, effort: (content >> 8) as u8 }
    }
}

impl Slot {
    /// The entry, if there is one.
    #[inline]
    fn load(&self) -> Option<Entry> {
        let content = self.content.load(Relaxed);
        let low = self.mixed.load(Relaxed) ^ content;
        (content != 0).then(|| Entry::from_words([low, content]))
    }

    #[inline]
    fn store(&self, entry: Entry) {
        let [low, content] = entry.to_words();
        self.content.store(content, Relaxed);
        self.mixed.store(low ^ content, Relaxed);
    }
}

/// Slots that share a cache line.
const BUCKET: usize = 4;

#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

// SAFETY: consists of atomic integers.
unsafe impl Zero for Bucket {}

/// Smaller tables serve short searches, for which clearing large pages takes longer than they save.
const LARGE_PAGES_FROM: usize = 128 << 20;

/// The table.
pub(crate) struct Table {
    buckets: Zeroed<Bucket>,
}

impl Table {
    /// A table of about `bytes`; fails if there is not enough memory.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        Ok(Self { buckets: Zeroed::new(buckets, bytes >= LARGE_PAGES_FROM)? })
    }

    /// Makes the system allocate all of the memory, so that no search waits for it.
    pub(crate) fn touch(&self) {
        self.buckets.populate();
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        // The high half of hash × count spreads keys evenly over any number of buckets.
        let index = (u128::from(key.hash()) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Prefetches the cache line of a position's bucket.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        platform::prefetch(self.bucket(key));
    }

    /// The numbers of a position, or those that follow from a sibling: a position that wins with fewer targets wins
    /// with more.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<Numbers> {
        let mut found = None;
        for entry in self.bucket(key).0.iter().filter_map(Slot::load) {
            if !entry.key.is_sibling(key) {
                continue;
            }
            if entry.key == key {
                found = Some(entry.numbers);
            }
            match entry.numbers.verdict() {
                Some(true) if key.is_as_good(entry.key) => return Some(entry.numbers),
                Some(false) if entry.key.is_as_good(key) => return Some(entry.numbers),
                _ => {}
            }
        }
        found
    }

    #[inline]
    pub(crate) fn entry(&self, key: Key) -> Option<Entry> {
        self.bucket(key).0.iter().filter_map(Slot::load).find(|entry| entry.key == key)
    }

    /// Stores an entry: over one of the same position, else over the one with the least work. A proven entry is never
    /// replaced by an unproven one of the same position.
    pub(crate) fn store(&self, entry: Entry) {
        let mut worst = (usize::MAX, u16::MAX);
        let slots = &self.bucket(entry.key).0;
        for (i, slot) in slots.iter().enumerate() {
            let worth = match slot.load() {
                None => 0,
                Some(old) if old.key == entry.key => {
                    if old.numbers.verdict().is_none() || entry.numbers.verdict().is_some() {
                        slot.store(Entry { effort: entry.effort.max(old.effort), ..entry });
                    }
                    return;
                }
                Some(old) => u16::from(old.effort) + 1,
            };
            if worth < worst.1 {
                worst = (i, worth);
            }
        }
        slots[worst.0].store(entry);
    }

    /// All entries with at least this much work.
    pub(crate) fn entries(&self, effort: u8) -> impl Iterator<Item = Entry> {
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.0);
        slots.filter_map(Slot::load).filter(move |entry| entry.effort >= effort)
    }

    /// How full the table is, in thousandths, estimated from a sample.
    pub(crate) fn fullness(&self) -> u32 {
        let sample = self.buckets.len().min(512);
        let step = self.buckets.len() / sample;
        let slots = self.buckets.iter().step_by(step).take(sample).flat_map(|bucket| &bucket.0);
        (slots.filter(|slot| slot.load().is_some()).count() * 1000 / (sample * BUCKET)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(low: u64, effort: u8) -> Entry {
        Entry { key: Key { low, high: 3 }, numbers: Numbers { win: 7, loss: 9 }, effort }
    }

    #[test]
    fn entries_come_back_exactly() {
        let table = Table::new(1 << 12).unwrap();
        let stored = entry(5, 1);
        assert_eq!(table.probe(stored.key), None);
        table.store(stored);
        assert_eq!(table.probe(stored.key), Some(stored.numbers));
        assert_eq!(table.probe(Key { high: 4, ..stored.key }), None);
        table.store(Entry { numbers: Numbers::LOST, ..stored });
        // Proven entries stay.
        table.store(stored);
        assert_eq!(table.probe(stored.key), Some(Numbers::LOST));
        assert!(table.fullness() > 0);
    }

    #[test]
    fn the_least_work_goes_first() {
        let table = Table::new(64).unwrap();
        for (low, effort) in [(1, 9), (2, 3), (3, 8), (4, 4)] {
            table.store(entry(low, effort));
        }
        table.store(entry(5, 1));
        assert_eq!(table.probe(entry(2, 0).key), None);
        assert_eq!(table.entries(8).count(), 2);
        assert_eq!(table.entries(0).count(), 4);
    }

    #[test]
    fn halves_of_two_writers_do_not_match() {
        let (slot, other) = (Slot::default(), Slot::default());
        slot.store(entry(1, 1));
        other.store(entry(1, 2));
        slot.content.store(other.content.load(Relaxed), Relaxed);
        assert_ne!(slot.load().map(|entry| entry.key), Some(entry(1, 0).key));
    }

    #[test]
    fn efforts_grow_with_the_nodes() {
        assert_eq!((effort(0), effort(1), effort(2), effort(1024)), (0, 0, 8, 80));
        assert!((1..100_000).all(|n| effort(n) <= effort(n + 1)));
    }
}

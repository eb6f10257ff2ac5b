//! The transposition table: what was found out about positions, shared by all threads without locks.

use crate::buckets::{BUCKET, Bucket, Buckets, Slot};
use crate::report::Bound;
use crate::value::Value;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Packed best move, 0 if none.
    pub(crate) best: u32,
    pub(crate) value: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

// Layout of `data`: move 32 bits, value 16, depth 8, bound 2, generation 6.
const GENERATIONS: u8 = 64;

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        u64::from(self.best)
            | u64::from(self.value.to_bits()) << 32
            | (self.depth.clamp(0, 255) as u64) << 48
            | (self.bound as u64) << 56
            | u64::from(generation) << 58
    }

    fn unpack(data: u64) -> Self {
        let bound = match data >> 56 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        Self {
            best: data as u32,
            value: Value::from_bits((data >> 32) as u16),
            depth: (data >> 48 & 0xff) as i32,
            bound,
        }
    }
}

/// The transposition table.
pub struct Table {
    buckets: Buckets,
    generation: AtomicU8,
}

impl Table {
    /// A table of about `megabytes`, on large pages if they are wanted and to be had; fails if there is not so much
    /// memory.
    pub fn new(megabytes: usize, large_pages: bool) -> io::Result<Self> {
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self {
            buckets: Buckets::zeroed(bytes / size_of::<Bucket>(), large_pages)?,
            generation: AtomicU8::new(0),
        })
    }

    /// Whether the system agreed to keep it on large pages.
    #[must_use]
    pub fn uses_large_pages(&self) -> bool {
        self.buckets.uses_large_pages()
    }

    /// Its size in megabytes.
    #[must_use]
    pub fn megabytes(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let count = self.buckets.len();
        // Fresh memory is zeroed by the system as it is touched, which beats writing all of it now.
        match Buckets::zeroed(count, self.uses_large_pages()) {
            Ok(fresh) => self.buckets = fresh,
            Err(_) => {
                for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
                    slot.data.store(0, Relaxed);
                }
            }
        }
    }

    /// A new search begins: older entries may be replaced first.
    pub(crate) fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// How full it is with entries of this search, in thousandths.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let sample = self.buckets.len().min(250);
        let generation = u64::from(self.generation.load(Relaxed));
        let slots = self.buckets[..sample].iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && data >> 58 == generation
        });
        (used.count() * 1000 / (sample * BUCKET)) as u32
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of key × count spreads keys evenly over any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (data != 0 && slot.check.load(Relaxed) ^ data == key).then(|| Entry::unpack(data))
        })
    }

    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        // The same position, or else the entry least worth keeping: old ones first, then shallow ones.
        let worth = |slot: &Slot| {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                return (i32::MIN, 0);
            }
            if slot.check.load(Relaxed) ^ data == key {
                return (i32::MIN, 1);
            }
            let age = (GENERATIONS + generation - (data >> 58) as u8) % GENERATIONS;
            ((data >> 48 & 0xff) as i32 - 8 * i32::from(age), 0)
        };
        let Some(slot) = bucket.0.iter().min_by_key(|slot| {
            let (worth, same) = worth(slot);
            (worth, -same)
        }) else {
            return;
        };
        let old = slot.data.load(Relaxed);
        if old != 0 && slot.check.load(Relaxed) ^ old == key {
            let known = Entry::unpack(old);
            if entry.best == 0 {
                entry.best = known.best;
            }
            let fresh = (old >> 58) as u8 == generation;
            if fresh && entry.bound != Bound::Exact && entry.depth + 3 < known.depth {
                return;
            }
        }
        let data = entry.pack(generation);
        slot.data.store(data, Relaxed);
        slot.check.store(key ^ data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = Table::new(1, true).unwrap();
        let entry = Entry { best: 77, value: Value::mate_in(9), depth: 12, bound: Bound::Lower };
        assert_eq!(table.probe(5), None);
        table.store(5, entry);
        assert_eq!(table.probe(5), Some(entry));
        // A shallower bound does not push a deep entry of the same search out, a better move is kept.
        table.store(5, Entry { best: 0, depth: 3, bound: Bound::Upper, ..entry });
        assert_eq!(table.probe(5), Some(entry));
        table.store(5, Entry { best: 0, depth: 11, bound: Bound::Exact, ..entry });
        assert_eq!(table.probe(5).map(|e| (e.best, e.depth)), Some((77, 11)));
    }

    #[test]
    fn a_full_bucket_gives_up_its_oldest_and_shallowest() {
        let mut table = Table::new(1, true).unwrap();
        let entry = |depth| Entry { best: 1, value: Value::ZERO, depth, bound: Bound::Exact };
        for (key, depth) in [(1, 20), (2, 5), (3, 9), (4, 7)] {
            table.store(key, entry(depth));
        }
        table.store(9, entry(1));
        assert_eq!(table.probe(2), None);
        assert!(table.probe(9).is_some() && table.probe(1).is_some());
        assert!(table.fullness() > 0);
        table.clear();
        assert_eq!((table.probe(1), table.fullness()), (None, 0));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Table::new(usize::MAX, false).is_err());
        assert!(Table::new(1 << 40, false).is_err());
    }
}

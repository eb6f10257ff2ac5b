//! Disproofs by repetition, which hold on one path only.

use crate::length::Length;
use platform::memory::Zeroed;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stores disproofs by repetition under the key of the path. A position reached by another path is not found, so no
/// verdict is used on a path where the repetition does not occur.
pub(crate) struct Loops {
    slots: Zeroed<Slot>,
    /// Marks what the present problem has stored. Entries of other problems count as free, so that results do not depend on them.
    mark: u64,
}

/// Key of the path and content: 35 bits of the problem, 12 bits of length, 16 bits of depth. The key is `XORed` with the content, so that words
/// of different writers do not match.
#[derive(Default)]
struct Slot {
    key: AtomicU64,
    content: AtomicU64,
}

// SAFETY: atomic numbers. A slot of zeros matches no path but one whose key is zero, and its content is then invalid.
unsafe impl platform::memory::Zero for Slot {}

/// Number of slots for a path. If all are taken, the key chooses the one to overwrite; lost results are searched again.
const WAYS: usize = 4;

/// Marks a content as written.
const WRITTEN: u64 = 1 << 63;
/// Where the number of the problem begins in a content.
const PROBLEM_SHIFT: u32 = 28;

impl Loops {
    pub(crate) fn new(bytes: usize, large_pages: bool) -> io::Result<Self> {
        let buckets = (bytes / size_of::<Slot>() / WAYS).max(64);
        Ok(Self { slots: Zeroed::new(buckets * WAYS, large_pages)?, mark: WRITTEN })
    }

    /// Forgets everything, for the next problem.
    pub(crate) fn begin_problem(&mut self) {
        self.mark = self.mark.wrapping_add(1 << PROBLEM_SHIFT) | WRITTEN;
    }

    /// Whether the present problem has written this content.
    fn is_present(&self, content: u64) -> bool {
        content >> PROBLEM_SHIFT == self.mark >> PROBLEM_SHIFT
    }

    /// Touches all memory, so that the system allocates it now.
    pub(crate) fn warm_up(&mut self) {
        self.slots.clear(1);
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = self.slots.len() / WAYS;
        let start = ((u128::from(key) * buckets as u128) >> 64) as usize * WAYS;
        &self.slots[start..start + WAYS]
    }

    /// Stores that the path's position has no mate shorter than `at_least`, because the position at `loop_start`
    /// recurs.
    pub(crate) fn insert(&self, key: u64, loop_start: u16, at_least: Length) {
        let content = self.mark | u64::from(at_least.plies()) << 16 | u64::from(loop_start);
        let bucket = self.bucket(key);
        let mut place = key as usize % WAYS;
        for (index, slot) in bucket.iter().enumerate() {
            let old = slot.content.load(Ordering::Relaxed);
            if !self.is_present(old) || slot.key.load(Ordering::Relaxed) ^ old == key {
                place = index;
                break;
            }
        }
        bucket[place].content.store(content, Ordering::Relaxed);
        bucket[place].key.store(key ^ content, Ordering::Relaxed);
    }

    /// The loop's start and the lower bound of the mate's length, if that exceeds `length`.
    pub(crate) fn find(&self, key: u64, length: Length) -> Option<(u16, Length)> {
        self.bucket(key).iter().find_map(|slot| {
            let content = slot.content.load(Ordering::Relaxed);
            if !self.is_present(content) || slot.key.load(Ordering::Relaxed) ^ content != key {
                return None;
            }
            let at_least = Length::new((content >> 16 & 0xfff) as u16);
            (at_least.is_never() || at_least > length).then_some((content as u16, at_least))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_was_put_there() {
        let mut loops = Loops::new(1 << 16, false).unwrap();
        assert_eq!(loops.find(0, Length::ONE), None);
        for key in (0..10_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            loops.insert(key, key as u16 % 4000, Length::new(5));
            assert_eq!(loops.find(key, Length::new(3)), Some((key as u16 % 4000, Length::new(5))));
            assert_eq!(loops.find(key, Length::new(5)), None);
            assert_eq!(loops.find(key ^ 1, Length::new(3)), None);
        }
        loops.insert(7, 1, Length::new(5));
        loops.begin_problem();
        assert_eq!(loops.find(7, Length::new(3)), None);
        loops.insert(7, 2, Length::new(5));
        assert_eq!(loops.find(7, Length::new(3)), Some((2, Length::new(5))));
    }
}

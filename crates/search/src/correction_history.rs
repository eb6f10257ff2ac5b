//! Correction histories: the error of the static evaluation by parts of the position (such as the pawns), shared by the
//! threads of a memory node.

use crate::parameters::{self as p, CORRECTION_MAX};
use game::Structure;
use platform::memory::Zeroed;
use platform::numa::Seats;
use platform::prefetch;
use std::io;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// Rows per thread, each for both sides to move: several threads visit more positions.
const ROWS_PER_THREAD: usize = 1 << 16;

/// The error of the evaluation by side to move, for each part of [`Structure`].
pub(crate) struct CorrectionHistory {
    parts: [Zeroed<AtomicI16>; 4],
    /// The number of rows, a power of 2, less 1.
    mask: usize,
}

impl CorrectionHistory {
    /// Allocates tables for `threads` threads; fails if there is not enough memory.
    pub(crate) fn new(threads: usize) -> io::Result<Self> {
        let rows = Self::rows_for(threads);
        let part = || Zeroed::new(rows * 2, true);
        Ok(Self { parts: [part()?, part()?, part()?, part()?], mask: rows - 1 })
    }

    /// Whether the size is exactly that for `threads` threads.
    pub(crate) fn are_for(&self, threads: usize) -> bool {
        self.mask + 1 == Self::rows_for(threads)
    }

    fn rows_for(threads: usize) -> usize {
        ROWS_PER_THREAD * threads.max(1).next_power_of_two()
    }

    /// Zeroes all entries, which also makes the system allocate the memory.
    pub(crate) fn clear(&mut self) {
        self.parts.iter_mut().for_each(|part| part.clear(1));
    }

    #[inline(always)]
    fn place(&self, key: u64, side: usize) -> usize {
        (key as usize & self.mask) * 2 + side
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(crate) fn prefetch(&self, side: usize, structure: &Structure) {
        for (part, key) in self.parts.iter().zip(structure) {
            prefetch(&part[self.place(*key, side)]);
        }
    }

    /// The correction in 131072ths.
    #[inline]
    pub(crate) fn sum(&self, side: usize, structure: &Structure) -> i32 {
        let weights = [
            p::correction_pawn_weight(),
            p::correction_second_weight(),
            p::correction_third_weight(),
            p::correction_fourth_weight(),
        ];
        let parts = self.parts.iter().zip(structure).zip(weights);
        parts
            .map(|((part, key), weight)| weight * i32::from(part[self.place(*key, side)].load(Relaxed)))
            .sum()
    }

    /// Adds `bonus` with gravity. Two threads that add at once may lose one of the bonuses.
    pub(crate) fn add(&self, side: usize, structure: &Structure, bonus: i32) {
        let weights = [
            p::correction_pawn_bonus(),
            p::correction_second_bonus(),
            p::correction_third_bonus(),
            p::correction_fourth_bonus(),
        ];
        for ((part, key), weight) in self.parts.iter().zip(structure).zip(weights) {
            let entry = &part[self.place(*key, side)];
            let value = i32::from(entry.load(Relaxed));
            let bonus = (bonus * weight / 128).clamp(-CORRECTION_MAX, CORRECTION_MAX);
            entry.store((value + bonus - value * bonus.abs() / CORRECTION_MAX) as i16, Relaxed);
        }
    }
}

/// One table for each memory node on which threads run; a single one if threads are not bound to nodes.
#[derive(Default)]
pub(crate) struct SharedCorrectionHistory(Vec<CorrectionHistory>);

impl SharedCorrectionHistory {
    /// Allocates the tables for these threads. Tables of another size than needed are replaced only if `exact`.
    pub(crate) fn make(&mut self, seats: &Seats<'_>, threads: usize, exact: bool) {
        let mut of_node: Vec<usize> = Vec::new();
        for thread in 0..threads.max(1) {
            let node = Self::node(seats, thread);
            of_node.resize(of_node.len().max(node + 1), 0);
            of_node[node] += 1;
        }
        if exact {
            self.0.truncate(of_node.len());
        }
        for (node, &threads) in of_node.iter().enumerate() {
            let fits = self.0.get(node).is_some_and(|history| !exact || history.are_for(threads));
            // A table that is too small is better than none.
            if !fits
                && let Ok(history) = CorrectionHistory::new(threads).or_else(|_| CorrectionHistory::new(1))
            {
                if node < self.0.len() {
                    self.0[node] = history;
                } else {
                    self.0.push(history);
                }
            }
        }
    }

    fn node(seats: &Seats<'_>, thread: usize) -> usize {
        seats.nodes().get(thread).copied().unwrap_or(0)
    }

    /// The table that a thread uses; `None` if there was no memory for any.
    pub(crate) fn of_thread(&self, seats: &Seats<'_>, thread: usize) -> Option<&CorrectionHistory> {
        self.0.get(Self::node(seats, thread)).or_else(|| self.0.first())
    }

    /// Removes the tables of memory nodes that threads have left.
    pub(crate) fn forget_places(&mut self) {
        self.0.clear();
    }

    /// For each thread the table that it has to clear: the first thread of a node clears that node's, so that the
    /// memory is placed there.
    pub(crate) fn by_first_thread(
        &mut self,
        seats: &Seats<'_>,
        threads: usize,
    ) -> Vec<Option<&mut CorrectionHistory>> {
        let mut of_node: Vec<Option<&mut CorrectionHistory>> = self.0.iter_mut().map(Some).collect();
        let take = |thread| of_node.get_mut(Self::node(seats, thread)).and_then(Option::take);
        (0..threads).map(take).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::numa::Placement;

    #[test]
    fn threads_share_what_they_learn() {
        let placement = Placement::free();
        let seats = placement.seats(3);
        let mut shared = SharedCorrectionHistory::default();
        shared.make(&seats, 3, true);
        let structure = [1, 2, 3, 4];
        shared.of_thread(&seats, 2).unwrap().add(1, &structure, 500);
        let first = shared.of_thread(&seats, 0).unwrap();
        assert!(first.sum(1, &structure) > 0);
        assert_eq!((first.sum(0, &structure), first.sum(1, &[5, 6, 7, 8])), (0, 0));
        // A single search with another number of threads changes nothing; `clear` for them does.
        shared.make(&seats, 1, false);
        assert!(shared.of_thread(&seats, 0).unwrap().are_for(4));
        shared.make(&seats, 1, true);
        assert!(shared.of_thread(&seats, 0).unwrap().are_for(1));
    }

    #[test]
    fn the_first_thread_clears_for_all() {
        let placement = Placement::free();
        let seats = placement.seats(2);
        let mut shared = SharedCorrectionHistory::default();
        shared.make(&seats, 2, true);
        shared.of_thread(&seats, 1).unwrap().add(0, &[9; 4], -300);
        let clearing = shared.by_first_thread(&seats, 2);
        assert_eq!(clearing.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
        clearing.into_iter().flatten().for_each(CorrectionHistory::clear);
        assert_eq!(shared.of_thread(&seats, 0).unwrap().sum(0, &[9; 4]), 0);
    }

    #[test]
    fn corrections_stay_bounded() {
        let history = CorrectionHistory::new(1).unwrap();
        (0..1000).for_each(|_| history.add(0, &[1; 4], i32::from(i16::MAX)));
        let highest = history.parts[0][history.place(1, 0)].load(Relaxed);
        assert!((CORRECTION_MAX / 2..=CORRECTION_MAX).contains(&highest.into()));
    }
}

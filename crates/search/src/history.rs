//! Statistics on moves: what has refuted positions before is tried first, what has failed is tried late.

use game::Position;
use std::marker::PhantomData;

/// Bounded statistics.
const MAX: i32 = 16_384;

/// How a move was made, for statistics on what follows it: a slot of [`Position::history_slot`] plus one, 0 for none.
pub(crate) type Trace = usize;

/// The statistics of one thread.
pub(crate) struct History<P: Position> {
    quiets: Vec<i16>,
    captures: Vec<i16>,
    /// By the move before and the move itself.
    continuations: Vec<i16>,
    killers: Vec<[u32; 2]>,
    game: PhantomData<fn() -> P>,
}

impl<P: Position> History<P> {
    pub(crate) fn new(plies: usize) -> Self {
        Self {
            quiets: vec![0; P::HISTORY_SLOTS],
            captures: vec![0; P::HISTORY_SLOTS],
            // Zeroed memory costs nothing until it is touched.
            continuations: vec![0; (P::HISTORY_SLOTS + 1) * P::HISTORY_SLOTS],
            killers: vec![[0; 2]; plies],
            game: PhantomData,
        }
    }

    fn continuation_index(before: Trace, slot: usize) -> usize {
        before * P::HISTORY_SLOTS + slot
    }

    /// How good a quiet move has been, by itself and after the two moves before it.
    pub(crate) fn quiet(&self, slot: usize, before: [Trace; 2]) -> i32 {
        let after = |trace| i32::from(self.continuations[Self::continuation_index(trace, slot)]);
        i32::from(self.quiets[slot]) + after(before[0]) + after(before[1])
    }

    pub(crate) fn capture(&self, slot: usize) -> i32 {
        i32::from(self.captures[slot])
    }

    pub(crate) fn killers(&self, ply: usize) -> [u32; 2] {
        self.killers[ply]
    }

    pub(crate) fn add_killer(&mut self, ply: usize, packed: u32) {
        let [first, second] = &mut self.killers[ply];
        if *first != packed {
            *second = *first;
            *first = packed;
        }
    }

    pub(crate) fn update_quiet(&mut self, slot: usize, before: [Trace; 2], bonus: i32) {
        adjust(&mut self.quiets[slot], bonus);
        for trace in before {
            adjust(&mut self.continuations[Self::continuation_index(trace, slot)], bonus);
        }
    }

    pub(crate) fn update_capture(&mut self, slot: usize, bonus: i32) {
        adjust(&mut self.captures[slot], bonus);
    }
}

/// Moves a statistic towards ±[`MAX`], the slower the nearer it is.
fn adjust(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    let bonus = bonus.clamp(-MAX, MAX);
    *entry = (value + bonus - value * bonus.abs() / MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_stay_bounded() {
        let mut entry = 0;
        (0..1000).for_each(|_| adjust(&mut entry, 2000));
        assert!((14_000..=MAX as i16).contains(&entry));
        (0..1000).for_each(|_| adjust(&mut entry, -i32::MAX / 2));
        assert!(entry >= -(MAX as i16) && entry < -14_000);
    }
}

//! A table entry: 32 bytes for each position.

use crate::length::Length;
use crate::outcome::Number;
use shogi::Hand;
use std::sync::atomic::{AtomicU64, Ordering};

/// A slot of the table. When a slot is claimed, the board key is written last, and it keeps its board and hand until
/// the table is cleaned, which happens while no thread searches. The other words can therefore be read and written
/// independently; a race at worst loses a result.
#[derive(Default)]
#[repr(align(32))]
pub(crate) struct Slot {
    /// Half of the board's key; zero if the slot is free.
    board: AtomicU64,
    /// Hand and the parent's slot.
    place: AtomicU64,
    /// Proof and disproof number.
    numbers: AtomicU64,
    facts: AtomicU64,
}

// SAFETY: atomic numbers; all zeros are a free place.
unsafe impl platform::memory::Zero for Slot {}

/// No parent.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Lengths, depth and the rest, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    /// An upper bound of the mate's length; `NEVER` if none is proved.
    pub(crate) at_most: Length,
    /// A lower bound of the mate's length.
    pub(crate) at_least: Length,
    /// The smallest depth at which the position was reached.
    pub(crate) depth: u16,
    /// Logarithm of the positions searched below.
    pub(crate) amount: u8,
    /// Whether a repetition has decided it on some path.
    pub(crate) may_repeat: bool,
    /// See [`Outcome::shared_moves`](crate::outcome::Outcome::shared_moves).
    pub(crate) shared_moves: u16,
    /// The problem that it belongs to; entries of other problems count as free.
    pub(crate) generation: u8,
}

impl Facts {
    /// The largest generation; afterwards they start again with 1.
    pub(crate) const LAST_GENERATION: u8 = 31;

    /// An entry without any information.
    pub(crate) const fn none(generation: u8) -> Self {
        Self {
            at_most: Length::NEVER,
            at_least: Length::ZERO,
            depth: (1 << Length::BITS) - 1,
            amount: 0,
            may_repeat: false,
            shared_moves: 0,
            generation,
        }
    }

    fn pack(self) -> u64 {
        u64::from(self.at_most.plies())
            | u64::from(self.at_least.plies()) << 12
            | u64::from(self.depth) << 24
            | u64::from(self.amount) << 36
            | u64::from(self.may_repeat) << 42
            | u64::from(self.shared_moves) << 43
            | u64::from(self.generation) << 59
    }

    fn unpack(bits: u64) -> Self {
        let length = |shift: u32| Length::new((bits >> shift & 0xfff) as u16);
        Self {
            at_most: length(0),
            at_least: length(12),
            depth: (bits >> 24 & 0xfff) as u16,
            amount: (bits >> 36 & 0x3f) as u8,
            may_repeat: bits >> 42 & 1 != 0,
            shared_moves: (bits >> 43) as u16,
            generation: (bits >> 59) as u8,
        }
    }

    /// Whether a mate within `length` is known.
    #[inline]
    pub(crate) fn is_proven(self, length: Length) -> bool {
        !self.at_most.is_never() && self.at_most <= length
    }

    /// Whether it is known that there is no mate within `length`.
    #[inline]
    pub(crate) fn is_disproven(self, length: Length) -> bool {
        self.at_least.is_never() || self.at_least > length
    }
}

/// Compresses a number of positions, two steps per doubling; 63 is about 2 billion.
pub(crate) fn logarithm(amount: u32) -> u8 {
    let amount = amount.max(1);
    let octave = amount.ilog2();
    let half = octave > 0 && amount >> (octave - 1) & 1 != 0;
    (2 * octave + u32::from(half)).min(63) as u8
}

/// An approximate inverse of [`logarithm`].
pub(crate) fn power(logarithm: u8) -> u32 {
    let whole = 1u32 << (logarithm / 2);
    if logarithm % 2 == 1 { whole + whole / 2 } else { whole }
}

impl Slot {
    #[inline]
    pub(crate) fn board(&self) -> u64 {
        self.board.load(Ordering::Acquire)
    }

    /// Whether there is no entry of this generation.
    #[inline]
    pub(crate) fn is_free(&self, generation: u8) -> bool {
        let board = self.board();
        board == 0
            || self.facts.load(Ordering::Relaxed) >> 59 != u64::from(generation) && board != Self::CLAIMED
    }

    /// Claims the slot if it is still free; other threads see it after [`Slot::publish`].
    pub(crate) fn claim(&self, generation: u8) -> bool {
        let board = self.board();
        self.is_free(generation)
            && self.board.compare_exchange(board, Self::CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Marks a slot that is being filled.
    const CLAIMED: u64 = 1;

    pub(crate) fn publish(&self, board: u64) {
        self.board.store(board, Ordering::Release);
    }

    /// The stored form of a board key: neither free nor claimed.
    #[inline]
    pub(crate) fn key_of(board: u128) -> u64 {
        (board as u64).max(2)
    }

    pub(crate) fn set_free(&self) {
        self.board.store(0, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn hand(&self) -> Hand {
        Hand::from_bits(self.place.load(Ordering::Relaxed) as u32)
    }

    #[inline]
    pub(crate) fn parent(&self) -> u32 {
        (self.place.load(Ordering::Relaxed) >> 32) as u32
    }

    pub(crate) fn set_place(&self, hand: Hand, parent: u32) {
        self.place.store(u64::from(hand.bits()) | u64::from(parent) << 32, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn numbers(&self) -> (Number, Number) {
        let bits = self.numbers.load(Ordering::Relaxed);
        (bits as u32, (bits >> 32) as u32)
    }

    pub(crate) fn set_numbers(&self, proof: Number, disproof: Number) {
        self.numbers.store(u64::from(proof) | u64::from(disproof) << 32, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn facts(&self) -> Facts {
        Facts::unpack(self.facts.load(Ordering::Relaxed))
    }

    pub(crate) fn set_facts(&self, facts: Facts) {
        self.facts.store(facts.pack(), Ordering::Relaxed);
    }

    /// Copies another slot; only while no thread searches.
    pub(crate) fn copy_from(&self, other: &Self) {
        self.place.store(other.place.load(Ordering::Relaxed), Ordering::Relaxed);
        self.numbers.store(other.numbers.load(Ordering::Relaxed), Ordering::Relaxed);
        self.facts.store(other.facts.load(Ordering::Relaxed), Ordering::Relaxed);
        self.publish(other.board());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_packing() {
        for facts in [
            Facts::none(1),
            Facts {
                at_most: Length::new(1645),
                at_least: Length::new(1525),
                depth: 3999,
                amount: 63,
                may_repeat: true,
                shared_moves: 0xbeef,
                generation: 31,
            },
        ] {
            assert_eq!(Facts::unpack(facts.pack()), facts);
        }
        assert_eq!(size_of::<Slot>(), 32);
    }

    #[test]
    fn logarithms_rise_and_come_back() {
        assert_eq!(logarithm(0), 0);
        assert_eq!(logarithm(u32::MAX), 63);
        for step in 1..63 {
            assert!(power(step) < power(step + 1) || step == 1, "{step}");
            assert!(logarithm(power(step)).abs_diff(step) <= 1, "{step}");
        }
    }

    #[test]
    fn unbounded_questions_need_unbounded_answers() {
        let facts = Facts { at_most: Length::new(9), at_least: Length::new(7), ..Facts::none(1) };
        assert!(facts.is_proven(Length::new(9)) && facts.is_proven(Length::NEVER));
        assert!(!facts.is_proven(Length::new(8)));
        assert!(facts.is_disproven(Length::new(6)) && !facts.is_disproven(Length::new(7)));
        assert!(!facts.is_disproven(Length::NEVER) && !Facts::none(1).is_proven(Length::NEVER));
        let never = Facts { at_least: Length::NEVER, ..Facts::none(1) };
        assert!(never.is_disproven(Length::NEVER));
    }
}

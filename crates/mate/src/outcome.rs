//! What is known of a position: effort still needed, or the verdict.

use crate::length::Length;
use shogi::Hand;

/// Proof and disproof numbers: how much is still to be shown. They are counted in halves, so that an estimate can
/// say "a little more than one".
pub(crate) type Number = u32;

/// The effort of one position.
pub(crate) const UNIT: Number = 2;

/// A threshold that nothing undecided reaches, and the number of what cannot be shown at all.
pub(crate) const INFINITE: Number = 1 << 30;

/// The largest number of something undecided.
pub(crate) const LARGEST: Number = INFINITE - 1;

/// Proof and disproof number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) proof: Number,
    pub(crate) disproof: Number,
}

impl Numbers {
    pub(crate) const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };

    pub(crate) fn new(proof: Number, disproof: Number) -> Self {
        Self { proof, disproof }
    }

    /// The effort to reach the goal of the side to move.
    #[inline]
    pub(crate) fn phi(self, attacks: bool) -> Number {
        if attacks { self.proof } else { self.disproof }
    }

    /// The effort to thwart it.
    #[inline]
    pub(crate) fn delta(self, attacks: bool) -> Number {
        if attacks { self.disproof } else { self.proof }
    }

    /// The numbers with this effort for and against the side to move.
    #[inline]
    pub(crate) fn of_side(attacks: bool, phi: Number, delta: Number) -> Self {
        if attacks { Self::new(phi, delta) } else { Self::new(delta, phi) }
    }

    /// Whether either number has reached its threshold.
    #[inline]
    pub(crate) fn reach(self, thresholds: Self) -> bool {
        self.proof >= thresholds.proof || self.disproof >= thresholds.disproof
    }
}

/// The depth at which a loop begins, for results that hold on the present path only; this for all others.
pub(crate) const NO_LOOP: u16 = u16::MAX;

/// What a search, a table or an estimate says of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) numbers: Numbers,
    /// Proven: the mate takes so many plies at most. Disproven: at least.
    pub(crate) length: Length,
    /// Decided: the attacker's hand for which it has been shown.
    pub(crate) hand: Hand,
    /// Disproven by repetition: depth of the position that recurs.
    pub(crate) loop_start: u16,
    /// Its moves have not been expanded yet.
    pub(crate) is_new: bool,
    /// Moves whose disproof or proof numbers do not add up, by their order of generation (the first 16).
    pub(crate) shared_moves: u16,
    /// Positions searched for it, roughly.
    pub(crate) amount: u32,
}

impl Outcome {
    pub(crate) fn unknown(numbers: Numbers, amount: u32, shared_moves: u16, is_new: bool) -> Self {
        let clamp = |number: Number| number.clamp(1, LARGEST);
        let numbers = Numbers::new(clamp(numbers.proof), clamp(numbers.disproof));
        Self {
            numbers,
            length: Length::ZERO,
            hand: Hand::EMPTY,
            loop_start: NO_LOOP,
            is_new,
            shared_moves,
            amount,
        }
    }

    pub(crate) fn proven(hand: Hand, length: Length, amount: u32) -> Self {
        Self {
            numbers: Numbers::PROVEN,
            length,
            hand,
            loop_start: NO_LOOP,
            is_new: false,
            shared_moves: 0,
            amount,
        }
    }

    pub(crate) fn disproven(hand: Hand, length: Length, amount: u32, loop_start: u16) -> Self {
        Self { numbers: Numbers::DISPROVEN, loop_start, ..Self::proven(hand, length, amount) }
    }

    #[inline]
    pub(crate) fn is_proven(&self) -> bool {
        self.numbers.proof == 0
    }

    #[inline]
    pub(crate) fn is_disproven(&self) -> bool {
        self.numbers.disproof == 0
    }

    #[inline]
    pub(crate) fn is_final(&self) -> bool {
        self.is_proven() || self.is_disproven()
    }
}

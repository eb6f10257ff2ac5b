//! The state of a position in the search: proof and disproof numbers, or the verdict.

use crate::length::Length;
use shogi::Hand;

/// A proof or disproof number, counted in halves, so that an estimate can be slightly above one.
pub(crate) type Number = u32;

/// The number of one unsolved position.
pub(crate) const UNIT: Number = 2;

/// A threshold that no undecided position reaches, and the number of what is disproved.
pub(crate) const INFINITE: Number = 1 << 30;

/// The largest number of an undecided position.
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

    /// The proof number from the point of view of the side to move.
    #[inline]
    pub(crate) fn phi(self, attacks: bool) -> Number {
        if attacks { self.proof } else { self.disproof }
    }

    /// The disproof number from the point of view of the side to move.
    #[inline]
    pub(crate) fn delta(self, attacks: bool) -> Number {
        if attacks { self.disproof } else { self.proof }
    }

    /// The numbers with these values for and against the side to move.
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

/// Stands for "no loop" in [`Outcome::loop_start`]: the result holds on every path.
pub(crate) const NO_LOOP: u16 = u16::MAX;

/// The result of a search, a table look-up or an estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) numbers: Numbers,
    /// If proven, an upper bound of the mate's length; if disproven, a lower bound.
    pub(crate) length: Length,
    /// If decided, the attacker's hand for which it is proved.
    pub(crate) hand: Hand,
    /// If disproven by repetition, the depth of the position that recurs.
    pub(crate) loop_start: u16,
    /// Whether its moves have not been expanded yet.
    pub(crate) is_new: bool,
    /// Moves whose numbers are not added up because they overlap, by their order of generation (the first 16).
    pub(crate) shared_moves: u16,
    /// Approximate number of positions searched for it.
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

//! A state with the numbers that SFEN contains: moves played, and when targets were cleared.

use crate::moves::Move;
use crate::state::State;
use crate::targets::{Target, TargetSet};

/// The move numbers at which targets were cleared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clears([u16; Target::ALL.len()]);

impl Clears {
    /// No target has been cleared.
    pub const NONE: Self = Self([Self::NEVER; Target::ALL.len()]);
    /// Stands for "not cleared"; move numbers stay below it.
    pub(crate) const NEVER: u16 = u16::MAX;

    /// The move number at which the target was cleared.
    #[must_use]
    pub fn number(&self, target: Target) -> Option<u16> {
        Some(self.0[target as usize]).filter(|number| *number != Self::NEVER)
    }

    pub(crate) fn set(&mut self, target: Target, number: u16) {
        self.0[target as usize] = number;
    }

    pub(crate) fn targets(&self) -> TargetSet {
        let cleared = Target::ALL.into_iter().filter(|target| self.number(*target).is_some());
        cleared.fold(TargetSet::EMPTY, TargetSet::with)
    }
}

/// The content of a SFEN; `Display` and `FromStr` are its text.
///
/// ```
/// use binarsi::{Board, Move};
/// let board = Board::START.after(Move::from_text("4n").unwrap());
/// assert_eq!(board.to_string(), "7/7/2ox3/7/7/7 w - - 1");
/// assert_eq!("7/7/2ox3/7/7/7 w - - 1".parse(), Ok(board));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub(crate) state: State,
    pub(crate) number: u16,
    pub(crate) clears: Clears,
}

impl Board {
    /// The start position.
    pub const START: Self = Self { state: State::START, number: 0, clears: Clears::NONE };
    /// A board without stones.
    pub const EMPTY: Self = Self { state: State::EMPTY, ..Self::START };

    /// A state without its history: its targets count as cleared at the start.
    #[must_use]
    pub fn of(state: State) -> Self {
        let mut board = Self { state, ..Self::START };
        board.note_clears();
        board
    }

    /// Stones, locks, targets, side to move.
    #[inline]
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Number of moves played.
    #[inline]
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// The move numbers at which targets were cleared.
    #[must_use]
    pub const fn clears(&self) -> &Clears {
        &self.clears
    }

    /// The board after an allowed move.
    #[inline]
    #[must_use]
    pub fn after(&self, m: Move) -> Self {
        let mut after = *self;
        after.play(m);
        after
    }

    /// Plays an allowed move.
    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        let before = self.state.cleared;
        self.state.play(m);
        // No game has more moves, but a SFEN may start with any number.
        self.number = self.number.saturating_add(1).min(Clears::NEVER - 1);
        if self.state.cleared != before {
            self.note_clears();
        }
    }

    /// Sets the number of newly cleared targets.
    pub(crate) fn note_clears(&mut self) {
        for target in self.state.cleared.iter() {
            if self.clears.number(target).is_none() {
                self.clears.set(target, self.number);
            }
        }
    }
}

//! The state of Freeze shogi that is stored for each move, beside shogi's own.

use crate::tokens::Counts;
use shogi::{Hand, PieceKind};

/// The part of the state that concerns freezes, with the data for repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// The kind that the side to move must not move.
    pub(crate) frozen: Option<PieceKind>,
    pub(crate) left: Counts,
    /// Board and side to move.
    pub(crate) board_key: u128,
    pub(crate) hands: [Hand; 2],
    /// How many moves in a row each player has given check.
    pub(crate) checks_in_a_row: [u16; 2],
    /// Number of preceding positions with the same counts and no active freeze: only those can be repeated.
    pub(crate) comparable: u32,
}

/// The states of the game so far, the current one last, with room so that searching never allocates.
pub(crate) struct States(Vec<State>);

impl States {
    pub(crate) fn new(first: State) -> Self {
        let mut states = Vec::with_capacity(1 + shogi::Position::RESERVED_PLIES);
        states.push(first);
        Self(states)
    }

    #[inline(always)]
    pub(crate) fn present(&self) -> &State {
        self.0.last().expect("there is a first state, and it is never taken away")
    }

    #[inline]
    pub(crate) fn present_mut(&mut self) -> &mut State {
        self.0.last_mut().expect("there is a first state, and it is never taken away")
    }

    #[inline]
    pub(crate) fn push(&mut self, state: State) {
        self.0.push(state);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if self.0.len() > 1 {
            self.0.pop();
        }
    }

    pub(crate) fn all(&self) -> &[State] {
        &self.0
    }
}

impl Clone for States {
    fn clone(&self) -> Self {
        let mut states = Vec::with_capacity(self.0.len() + shogi::Position::RESERVED_PLIES);
        states.extend_from_slice(&self.0);
        Self(states)
    }
}

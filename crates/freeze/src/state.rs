//! What a position remembers of each move beside shogi's own state.

use crate::tokens::Counts;
use shogi::{Hand, PieceKind};

/// The part of a state of play that freezes make up, with what repetition needs of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// What the side to move must leave alone.
    pub(crate) frozen: Option<PieceKind>,
    pub(crate) left: Counts,
    /// Board and side to move.
    pub(crate) board_key: u128,
    pub(crate) hands: [Hand; 2],
    /// How many moves in a row each player has given check.
    pub(crate) checks_in_a_row: [u16; 2],
    /// So many positions before this one have its counts and no active freeze: only those can be the same.
    pub(crate) comparable: u32,
}

/// The states of the game so far, the present one last, with room so that searching never allocates.
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

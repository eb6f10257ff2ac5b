//! The symmetries of the rules: reflections left-right and up-down.
//!
//! Targets distinguish only horizontal, vertical and diagonal, and operators only lower and higher neighbours, so both
//! reflections map games to games. There is no other symmetry: a quarter turn would need a square board, and exchanging
//! the colours would exchange horizontal and vertical targets.

use crate::moves::{Move, Operator};
use crate::state::State;
use crate::way::{Bits, FILES, RANKS, Way, Ways};

/// A reflection of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mirror {
    /// Exchanges files 1 and 7.
    LeftRight,
    /// Exchanges ranks a and f.
    UpDown,
}

impl Mirror {
    /// Both.
    pub const ALL: [Self; 2] = [Self::LeftRight, Self::UpDown];

    const fn reflects_files(self) -> bool {
        matches!(self, Self::LeftRight)
    }

    #[inline]
    pub(crate) const fn board(self, board: Bits) -> Bits {
        match self {
            // Reversing each byte moves file 1 to bit 7; the unused file is then at the other end.
            Self::LeftRight => board.reverse_bits().swap_bytes() >> (8 - FILES),
            Self::UpDown => board.swap_bytes() >> (8 * (8 - RANKS as u32)),
        }
    }

    /// The image of a way.
    #[must_use]
    pub const fn way(self, way: Way) -> Way {
        let index = way.index() as u8;
        match (self.reflects_files(), way.is_file()) {
            (true, true) => Way::from_index(FILES - 1 - index),
            (false, false) => Way::from_index(2 * FILES + RANKS - 1 - index),
            _ => way,
        }
    }

    #[inline]
    pub(crate) const fn ways(self, ways: Ways) -> Ways {
        const FILE_BITS: u16 = (1 << FILES) - 1;
        let bits = ways.bits();
        let (files, ranks) = (bits & FILE_BITS, bits >> FILES);
        Ways::from_bits(match self {
            Self::LeftRight => files.reverse_bits() >> (16 - FILES) | ranks << FILES,
            Self::UpDown => files | (ranks.reverse_bits() >> (16 - RANKS)) << FILES,
        })
    }

    /// The image of a state.
    #[must_use]
    pub const fn state(self, state: &State) -> State {
        State {
            black: self.board(state.black),
            occupied: self.board(state.occupied),
            locks: self.ways(state.locks),
            cleared: state.cleared,
            side: state.side,
        }
    }

    /// The move in the image of `state` that corresponds to `m`.
    #[must_use]
    pub fn move_of(self, state: &State, m: Move) -> Move {
        let turns_lines = self.reflects_files() == m.way().is_file();
        let operator = match m.operator() {
            Operator::Shift(places) if !turns_lines => {
                Operator::Shift(state.segment(m.way()).count_ones() as u8 - places)
            }
            Operator::NotLower if turns_lines => Operator::NotHigher,
            Operator::NotHigher if turns_lines => Operator::NotLower,
            other => other,
        };
        Move::new(self.way(m.way()), operator)
    }
}

impl State {
    /// The canonical one of its images.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let across = Mirror::LeftRight.state(self);
        let images = [*self, across, Mirror::UpDown.state(self), Mirror::UpDown.state(&across)];
        let order = |s: &Self| (s.occupied, s.black, s.locks);
        images.into_iter().min_by_key(order).unwrap_or(*self)
    }
}

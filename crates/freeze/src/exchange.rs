//! What a freezing move wins and costs.

use crate::evaluation::stock_value;
use crate::movegen::takers;
use crate::moves::Move;
use crate::position::{Handling, Position};
use shogi::{PieceKind, piece_value};

/// Captures of less than this are not worth looking at with a freeze.
const LEAST_PREY: i32 = piece_value(PieceKind::Knight);

/// Whether a move captures something that a freeze may be spent on.
pub(crate) fn is_worth_taking(position: &shogi::Position, m: shogi::Move) -> bool {
    position.piece_at(m.to()).is_some_and(|piece| piece_value(piece.kind()) >= LEAST_PREY)
}

impl Position {
    /// What the side to move gives away by freezing now, as exchanges count: a piece once, where the evaluation sees
    /// it both lost by one player and won by the other.
    #[must_use]
    pub fn freeze_cost(&self) -> i32 {
        let left = self.left().of(self.shogi.side());
        (stock_value(left) - stock_value(left.saturating_sub(1))) / 2
    }

    /// As [`shogi::Position::exchange_at_least`]; a freeze has its price, and what is frozen does not take back. With a
    /// check it has none: that leads to mate or to nothing, which is for the search to see.
    pub(crate) fn exchange_nets(&self, m: Move, threshold: i32) -> bool {
        let Some(kind) = m.freezes.filter(|_| self.terms.handling == Handling::Staged) else {
            return self.shogi.exchange_at_least(m.base, threshold);
        };
        // The king is frozen with checks only.
        let gives_check = kind == PieceKind::King || self.shogi.checks().contains(&self.shogi, m.base);
        let threshold = if gives_check { threshold } else { threshold + self.freeze_cost() };
        let captured = self.shogi.piece_at(m.base.to()).map_or(0, |piece| piece_value(piece.kind()));
        if captured < threshold {
            return false;
        }
        takers(&self.shogi, m.base).without(kind).is_empty()
            || self.shogi.exchange_at_least(m.base, threshold)
    }
}

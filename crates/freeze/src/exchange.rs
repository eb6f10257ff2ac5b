//! Gains and costs of freezing moves.

use crate::evaluation::stock_value;
use crate::movegen::{occupied_after, takers};
use crate::moves::Move;
use crate::position::{Handling, Position};
use shogi::{PieceKind, attacks, piece_value};

/// The least value of a captured piece for which a freeze is considered.
const LEAST_PREY: i32 = piece_value(PieceKind::Knight);

/// Whether a move captures a piece that is worth a freeze.
pub(crate) fn is_worth_taking(position: &shogi::Position, m: shogi::Move) -> bool {
    position.piece_at(m.to()).is_some_and(|piece| piece_value(piece.kind()) >= LEAST_PREY)
}

impl Position {
    /// The cost of a freeze in the unit of exchanges: these count a piece once, while the evaluation counts it as lost
    /// by one player and won by the other.
    #[must_use]
    pub fn freeze_cost(&self) -> i32 {
        let left = self.left().of(self.shogi.side());
        (stock_value(left) - stock_value(left.saturating_sub(1))) / 2
    }

    /// Like [`shogi::Position::exchange_at_least`], but the freeze costs something, and frozen pieces do not recapture.
    /// With a check the cost is ignored: the search has to find out whether it leads to mate.
    pub(crate) fn exchange_nets(&self, m: Move, threshold: i32) -> bool {
        let Some(kind) = m.freezes.filter(|_| self.terms.handling == Handling::Staged) else {
            return self.shogi.exchange_at_least(m.base, threshold);
        };
        // Freezing the king is only generated with checks.
        let gives_check = kind == PieceKind::King || self.shogi.checks().contains(&self.shogi, m.base);
        let threshold = if gives_check { threshold } else { threshold + self.freeze_cost() };
        let captured = self.shogi.piece_at(m.base.to()).map_or(0, |piece| piece_value(piece.kind()));
        if captured < threshold {
            return captured + self.threat(m) > threshold;
        }
        takers(&self.shogi, m.base).without(kind).is_empty()
            || self.shogi.exchange_at_least(m.base, threshold)
    }

    /// What `m` is about to win, less the cost of its freeze, by attacking a piece and freezing its kind so that it
    /// cannot escape; 0 if another piece can capture the attacker. An estimate only.
    pub(crate) fn threat(&self, m: Move) -> i32 {
        let staged = self.terms.handling == Handling::Staged;
        let Some(kind) = m.freezes.filter(|kind| staged && *kind != PieceKind::King) else { return 0 };
        let shogi = &self.shogi;
        let (them, to) = (!shogi.side(), m.base.to());
        let Some(attacker) = shogi.piece_after(m.base) else { return 0 };
        let occupied = occupied_after(shogi, m.base);
        let attacked = attacks::attacks(attacker, to, occupied) & shogi.pieces_of(kind) & shogi.pieces(them);
        if !attacked.any() || !takers(shogi, m.base).without(kind).is_empty() {
            return 0;
        }
        let unprotected = |square| !shogi.attackers_to(square, them, occupied).any();
        let paid = if attacked.into_iter().any(unprotected) { 0 } else { piece_value(attacker.kind()) };
        (piece_value(kind) - paid - self.freeze_cost()).max(0)
    }
}

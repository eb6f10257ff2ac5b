//! Static exchange evaluation.

use super::Position;
use crate::{Bitboard, Move, PieceKind, Square, piece_value};

impl Position {
    /// Whether the captures that `m` sets off on its target square leave the mover at least `threshold` ahead,
    /// if both sides always take with their least valuable piece and stop when it pays. Values are those of
    /// [`piece_value`]; pins and promotions during the exchange are not looked at.
    #[must_use]
    pub fn exchange_at_least(&self, m: Move, threshold: i32) -> bool {
        let to = m.to();
        let Some(moved) = self.piece_after(m) else { return threshold <= 0 };
        let captured = self.piece_at(to).map_or(0, |piece| piece_value(piece.kind()));
        // `balance` is what the side that has just moved is ahead of its goal if nothing more happens.
        let mut balance = captured - threshold;
        if balance < 0 {
            return false;
        }
        let mut at_risk = piece_value(moved.kind());
        if balance - at_risk >= 0 {
            return true;
        }
        let from = match m.origin() {
            crate::Origin::Board(from) => from.into(),
            crate::Origin::Hand(_) => Bitboard::EMPTY,
        };
        let mut occupied = self.occupied() - from | to.into();
        let mut side = self.side;
        let mut mover_holds = true;
        loop {
            side = !side;
            let attackers = self.attackers_to(to, side, occupied) & occupied;
            let Some((square, kind)) = self.least_valuable(attackers) else { break };
            // A king takes only what is no longer protected.
            if kind == PieceKind::King && (self.attackers_to(to, !side, occupied) & occupied).any() {
                break;
            }
            mover_holds = !mover_holds;
            // The taker wins what is at risk; it may now lose its own piece.
            balance = at_risk - balance - 1;
            at_risk = piece_value(kind);
            if balance < 0 {
                // Not even this capture turns the balance, so its side has failed.
                break;
            }
            if balance - at_risk >= 0 {
                break;
            }
            occupied -= square.into();
        }
        mover_holds == (balance >= 0) || (!mover_holds && balance < 0)
    }

    /// The cheapest of some pieces.
    fn least_valuable(&self, pieces: Bitboard) -> Option<(Square, PieceKind)> {
        let at = |square: Square| self.piece_at(square).map(|piece| (square, piece.kind()));
        pieces.into_iter().filter_map(at).min_by_key(|(_, kind)| piece_value(*kind))
    }
}

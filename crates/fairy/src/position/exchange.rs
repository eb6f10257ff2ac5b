//! Static exchange evaluation.

use super::Position;
use crate::board::moves::Move;
use crate::board::square::Squares;
use game::Color;

impl Position {
    /// Whether the exchange that `m` starts on its target square gains at least `threshold`.
    pub(crate) fn nets_at_least(&self, m: Move, threshold: i32) -> bool {
        let (variant, core) = (&*self.variant, &self.core);
        let values = &variant.values;
        let us = core.side;
        let to = m.to();
        let taken = core.piece_at(to).map_or(0, |piece| values.exchange[piece.form().index()]);
        let mover = core.form_after(variant, m);
        // The gain so far, relative to the threshold.
        let mut balance = taken - threshold;
        if balance < 0 {
            return false;
        }
        balance -= values.exchange[mover.index()];
        if balance >= 0 {
            return true;
        }
        let mut occupied =
            core.occupied().without(m.from().map_or(Squares::EMPTY, Squares::of)) | Squares::of(to);
        let mut side = !us;
        loop {
            let attackers = core.attackers(variant, to, occupied, side).without(Squares::of(to));
            let Some((value, square, royal)) = self.least(attackers, side) else { break };
            if royal {
                // A king ends the exchange, unless it could be captured.
                let beyond = occupied.without(Squares::of(square));
                let guarded = !core.attackers(variant, to, beyond, !side).without(Squares::of(to)).is_empty();
                if !guarded {
                    side = !side;
                }
                break;
            }
            occupied = occupied.without(Squares::of(square));
            side = !side;
            balance = -balance - 1 - value;
            if balance >= 0 {
                break;
            }
        }
        // The side that has to move now has lost the exchange.
        side != us
    }

    /// The least valuable attacker; the king is last.
    fn least(&self, attackers: Squares, side: Color) -> Option<(i32, crate::board::square::Square, bool)> {
        let variant = &*self.variant;
        let royals = self.core.royals(variant, side);
        attackers
            .filter_map(|square| {
                let piece = self.core.piece_at(square)?;
                Some((variant.values.exchange[piece.form().index()], square, royals.contains(square)))
            })
            .min_by_key(|(value, _, royal)| (*royal, *value))
    }
}

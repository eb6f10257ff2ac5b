//! Legality of single moves.

use crate::kinds::kind_text;
use crate::moves::Move;
use crate::position::Position;
use crate::tokens::Marker;
use shogi::{Color, HandPiece, PieceKind, attacks};

/// The pawn drop that is illegal only because it mates (打ち歩詰め), if there is one; with a freeze it is legal.
pub(crate) fn mating_pawn_drop(position: &shogi::Position) -> Option<shogi::Move> {
    let us = position.side();
    if !position.hand(us).has(HandPiece::Pawn) {
        return None;
    }
    let king = position.king(!us)?;
    let to = attacks::pawn(!us, king).first()?;
    let pawns = position.pieces_of(PieceKind::Pawn) & position.pieces(us);
    if position.piece_at(to).is_some() || pawns.intersects(to.file().into()) || !answers_check(position, to) {
        return None;
    }
    let drop = shogi::Move::drop(HandPiece::Pawn, to);
    (!position.is_legal(drop)).then_some(drop)
}

/// Whether a drop on `to` ends the check, if there is one.
fn answers_check(position: &shogi::Position, to: shogi::Square) -> bool {
    let checkers = position.checkers();
    match (position.king(position.side()), checkers.first()) {
        (Some(king), Some(checker)) => !checkers.many() && attacks::between(king, checker).contains(to),
        _ => true,
    }
}

impl Position {
    /// Whether a move is legal here; it may come from anywhere.
    #[must_use]
    pub fn allows(&self, m: Move) -> bool {
        let legal = |base| self.shogi.is_legal(base);
        match m.freezes {
            None => legal(m.base) && !self.is_barred(m.base),
            Some(kind) => {
                self.can_freeze()
                    && (legal(m.base) || mating_pawn_drop(&self.shogi) == Some(m.base))
                    && self.can_be_named(kind, m.base)
            }
        }
    }

    /// The rule on freezes that forbids a move, given the kind of its `Z` marker; `None` if only rules of shogi forbid
    /// it.
    pub(crate) fn why_not(&self, m: Move, remark: Option<PieceKind>) -> Option<String> {
        let (side, frozen) = (self.shogi.side(), self.frozen());
        if let Some(kind) = remark.filter(|kind| frozen != Some(*kind)) {
            let truth = frozen
                .map_or("nothing is frozen".to_owned(), |kind| format!("{} is frozen", kind_text(kind)));
            return Some(format!("{} does not match, {truth}", Marker::Under(kind)));
        }
        let only_mates = mating_pawn_drop(&self.shogi) == Some(m.base);
        if !only_mates && !self.shogi.is_legal(m.base) {
            return None;
        }
        if self.is_barred(m.base) {
            return frozen.map(|kind| format!("{} is frozen for this move", kind_text(kind)));
        }
        let Some(kind) = m.freezes else {
            return only_mates.then(|| "a dropped pawn may mate only together with a freeze".to_owned());
        };
        if frozen.is_some() {
            Some("a move made under a freeze may not freeze".to_owned())
        } else if self.left().of(side) == 0 {
            Some(format!("{side} has no freezes left"))
        } else if self.terms.barred == Some(side) {
            Some(format!("the option FREEZE does not let {side} freeze"))
        } else {
            let missing = !self.can_be_named(kind, m.base);
            missing.then(|| format!("the opponent has no {} after it", kind_text(kind)))
        }
    }

    /// Whether the opponent has a piece of this kind after `base`.
    fn can_be_named(&self, kind: PieceKind, base: shogi::Move) -> bool {
        let them = !self.shogi.side();
        self.kinds_after(self.kinds_of(them), base).contains(kind)
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        let moves = self.shogi.legal_moves();
        moves.iter().any(|m| !self.is_barred(*m))
            || self.can_freeze() && mating_pawn_drop(&self.shogi).is_some()
    }

    /// Whether the next player could answer with a pawn drop that is legal only with a freeze.
    pub(crate) fn may_drop_pawn_with_freeze(&self, color: Color) -> bool {
        self.has_freezes(color) && self.shogi.hand(color).has(HandPiece::Pawn)
    }
}

//! Legality of single moves.

use super::{Movement, Position};
use crate::{Bitboard, HandPiece, Move, Origin, PieceKind, Square, attacks};

impl Position {
    /// Whether a move captures.
    #[inline]
    #[must_use]
    pub fn is_capture(&self, m: Move) -> bool {
        self.board[m.to().index()].is_some()
    }

    /// Whether a move is legal here. It may come from anywhere: a hash table, a book, another position.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        match m.origin() {
            Origin::Board(from) => self.is_legal_on_board(from, m.to(), m.is_promotion()),
            Origin::Hand(piece) => self.is_legal_drop(piece, m.to()),
        }
    }

    fn is_legal_on_board(&self, from: Square, to: Square, promote: bool) -> bool {
        let us = self.side;
        let Some(piece) = self.piece_at(from) else { return false };
        let reaches = || attacks::attacks(piece, from, self.occupied()).contains(to);
        if piece.color() != us
            || (self.pieces(us) | self.moving_like(Movement::King)).contains(to)
            || !reaches()
        {
            return false;
        }
        let kind = piece.kind();
        let zone = Bitboard::far_ranks(us, 3);
        if promote && (kind.promoted().is_none() || !(zone.contains(from) || zone.contains(to))) {
            return false;
        }
        // Unless it promotes, the piece must have a move from there.
        if !promote && attacks::on_empty_board(piece, to).is_empty() {
            return false;
        }
        let Some(king) = self.king(us) else { return true };
        if kind == PieceKind::King {
            return !self.is_attacked(to, !us, self.occupied() - from.into());
        }
        if self.pinned(us).contains(from) && !attacks::line_through(king, from).contains(to) {
            return false;
        }
        self.answers_checks(king, to)
    }

    fn is_legal_drop(&self, piece: HandPiece, to: Square) -> bool {
        let us = self.side;
        let placed = crate::Piece::new(us, piece.kind());
        if !self.hand(us).has(piece)
            || self.piece_at(to).is_some()
            || attacks::on_empty_board(placed, to).is_empty()
        {
            return false;
        }
        if piece == HandPiece::Pawn {
            let pawns = self.moving_like(Movement::Pawn) & self.pieces(us);
            if pawns.intersects(to.file().into()) {
                return false;
            }
            let checks = self.king(!us).is_some_and(|king| attacks::pawn(us, to).contains(king));
            if checks && self.is_pawn_drop_mate(to) {
                return false;
            }
        }
        // A drop cannot capture a checker, only interpose.
        self.king(us).is_none_or(|king| !self.checkers().contains(to) && self.answers_checks(king, to))
    }

    /// Whether a piece other than the king that goes to `to` ends every check.
    fn answers_checks(&self, king: Square, to: Square) -> bool {
        let checkers = self.checkers();
        match checkers.first() {
            None => true,
            Some(checker) => {
                !checkers.many() && (checker == to || attacks::between(king, checker).contains(to))
            }
        }
    }
}

//! Drops.

use super::Side;
use super::writer::{DropTemplate, Writer};
use crate::position::Movement;
use crate::{Bitboard, Color, HandPiece, Position, Square, attacks};

/// Where `color` may drop a pawn among `targets`: not on a file with a pawn of its own, not on the last rank, and not
/// to give mate (打ち歩詰め).
#[inline(always)]
pub(super) fn pawn_targets(position: &Position, color: Color, targets: Bitboard) -> Bitboard {
    let own_pawns = position.moving_like(Movement::Pawn) & position.pieces(color);
    let mut to = targets - own_pawns.fill_files() - Bitboard::far_ranks(color, 1);
    if let Some(king) = position.king(!color) {
        let checking = attacks::pawn(!color, king) & to;
        if let Some(square) = checking.first()
            && position.is_pawn_drop_mate(square)
        {
            to -= checking;
        }
    }
    to
}

impl Position {
    /// Whether a pawn of the side to move, dropped on the empty square in front of the enemy king, mates.
    #[inline(never)]
    pub(crate) fn is_pawn_drop_mate(&self, square: Square) -> bool {
        let (us, them) = (self.side(), !self.side());
        let Some(king) = self.king(them) else { return false };
        // Can a piece that is not pinned take the pawn?
        let occupied = self.occupied();
        let pinned = self.pinned(them);
        let takers = self.attackers_to(square, them, occupied) - king.into();
        if takers.into_iter().any(|t| !pinned.contains(t) || attacks::line_through(king, t).contains(square))
        {
            return false;
        }
        // Can the king take it or step aside? The pawn may block a line, so it must be on the board for this test.
        let with_pawn = (occupied | square.into()) - king.into();
        let escapes = attacks::king(king) - self.pieces(them);
        !escapes.into_iter().any(|to| !self.is_attacked(to, us, with_pawn))
    }
}

/// Where the side to move may drop a piece among `targets`, which are empty squares.
#[inline(always)]
pub(super) fn targets_of(position: &Position, piece: HandPiece, targets: Bitboard) -> Bitboard {
    let us = position.side();
    match piece {
        HandPiece::Pawn => pawn_targets(position, us, targets),
        HandPiece::Lance => targets - Bitboard::far_ranks(us, 1),
        HandPiece::Knight => targets - Bitboard::far_ranks(us, 2),
        _ => targets,
    }
}

/// All legal drops to `targets`, which are empty squares.
#[inline(always)]
pub(super) fn generate<S: Side>(position: &Position, targets: Bitboard, writer: &mut Writer) {
    let us = S::US;
    let hand = position.hand(us);
    if hand.is_empty() || targets.is_empty() {
        return;
    }
    if hand.has(HandPiece::Pawn) {
        writer.drops(HandPiece::Pawn, pawn_targets(position, us, targets));
    }
    if hand.only_pawns() {
        return;
    }
    // Neither knights nor lances on the last rank, no knights on the one before.
    let mut template = DropTemplate::EMPTY;
    for piece in [HandPiece::Silver, HandPiece::Gold, HandPiece::Bishop, HandPiece::Rook] {
        if hand.has(piece) {
            template.add(piece);
        }
    }
    let last = Bitboard::far_ranks(us, 1);
    let last_two = Bitboard::far_ranks(us, 2);
    if template.len() > 0 {
        writer.drops_of_all(&template, targets & last);
    }
    if hand.has(HandPiece::Lance) {
        template.add(HandPiece::Lance);
    }
    if template.len() > 0 {
        writer.drops_of_all(&template, targets & (last_two - last));
    }
    if hand.has(HandPiece::Knight) {
        template.add(HandPiece::Knight);
    }
    writer.drops_of_all(&template, targets - last_two);
}

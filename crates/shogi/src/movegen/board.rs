//! Moves of pieces on the board other than the king.

use super::Side;
use super::writer::Writer;
use crate::position::Movement;
use crate::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

/// The moves of one piece, split by promotion.
#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) plain: Bitboard,
    pub(super) promoting: Bitboard,
}

/// Which of a piece's target squares it may go to plain, and which promoting.
#[inline(always)]
pub(super) fn split<S: Side, const ALL: bool>(kind: PieceKind, from: Square, to: Bitboard) -> Split {
    let zone = Bitboard::far_ranks(S::US, 3);
    let anywhere = |promoting_all: bool| if promoting_all { to } else { to & zone };
    match kind {
        PieceKind::Pawn => {
            Split { plain: to - if ALL { Bitboard::far_ranks(S::US, 1) } else { zone }, promoting: to & zone }
        }
        PieceKind::Lance => {
            Split { plain: to - Bitboard::far_ranks(S::US, if ALL { 1 } else { 2 }), promoting: to & zone }
        }
        PieceKind::Knight => Split { plain: to - Bitboard::far_ranks(S::US, 2), promoting: to & zone },
        PieceKind::Silver => Split { plain: to, promoting: anywhere(zone.contains(from)) },
        PieceKind::Bishop | PieceKind::Rook => {
            let promoting = anywhere(zone.contains(from));
            Split { plain: if ALL { to } else { to - promoting }, promoting }
        }
        _ => Split { plain: to, promoting: Bitboard::EMPTY },
    }
}

#[inline(always)]
pub(super) fn write<S: Side, const ALL: bool>(
    kind: PieceKind,
    from: Square,
    to: Bitboard,
    writer: &mut Writer,
) {
    let Split { plain, promoting } = split::<S, ALL>(kind, from, to);
    writer.promotions(from, promoting);
    writer.moves(from, plain);
}

/// Distance that a pawn's move adds to the square number.
pub(super) const fn pawn_distance(color: Color) -> i16 {
    match color {
        Color::Black => -1,
        Color::White => 1,
    }
}

/// All legal moves to `targets` of pieces other than the king.
#[inline(always)]
pub(super) fn generate<S: Side, const ALL: bool>(
    position: &Position,
    targets: Bitboard,
    writer: &mut Writer,
) {
    let us = S::US;
    let occupied = position.occupied();
    let pinned = position.pinned(us);
    let free = position.pieces(us) - pinned;
    let free_moving = |movement| position.moving_like(movement) & free;

    let to = free_moving(Movement::Pawn).forward(us) & targets;
    let Split { plain, promoting } = split::<S, ALL>(PieceKind::Pawn, Square::Sq55, to);
    writer.steps(pawn_distance(us), promoting, true);
    writer.steps(pawn_distance(us), plain, false);

    free_moving(Movement::Lance).for_each(|from| {
        write::<S, ALL>(PieceKind::Lance, from, attacks::lance(us, from, occupied) & targets, writer);
    });
    free_moving(Movement::Knight).for_each(|from| {
        write::<S, ALL>(PieceKind::Knight, from, attacks::knight(us, from) & targets, writer);
    });
    free_moving(Movement::Silver).for_each(|from| {
        write::<S, ALL>(PieceKind::Silver, from, attacks::silver(us, from) & targets, writer);
    });
    free_moving(Movement::Gold).for_each(|from| writer.moves(from, attacks::gold(us, from) & targets));

    let promoted = position.promoted_pieces();
    free_moving(Movement::Bishop).for_each(|from| {
        let to = attacks::bishop(from, occupied);
        if promoted.contains(from) {
            writer.moves(from, (to | attacks::king(from)) & targets);
        } else {
            write::<S, ALL>(PieceKind::Bishop, from, to & targets, writer);
        }
    });
    free_moving(Movement::Rook).for_each(|from| {
        let to = attacks::rook(from, occupied);
        if promoted.contains(from) {
            writer.moves(from, (to | attacks::king(from)) & targets);
        } else {
            write::<S, ALL>(PieceKind::Rook, from, to & targets, writer);
        }
    });

    if pinned.any() {
        pinned_moves::<S, ALL>(position, pinned, targets, writer);
    }
}

/// Moves of pinned pieces, which stay on the line to their king.
#[inline(never)]
fn pinned_moves<S: Side, const ALL: bool>(
    position: &Position,
    pinned: Bitboard,
    targets: Bitboard,
    writer: &mut Writer,
) {
    let Some(king) = position.king(S::US) else { return };
    for from in pinned {
        let Some(piece) = position.piece_at(from) else { continue };
        let to =
            attacks::attacks(piece, from, position.occupied()) & targets & attacks::line_through(king, from);
        write::<S, ALL>(piece.kind(), from, to, writer);
    }
}

/// The kind of piece, for generators that look at one piece at a time.
#[inline(always)]
pub(super) fn kind_at(position: &Position, square: Square) -> Option<PieceKind> {
    position.piece_at(square).map(Piece::kind)
}

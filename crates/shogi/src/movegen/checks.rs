//! Moves that give check.

use super::Side;
use super::board::{Split, kind_at, split};
use super::drops::pawn_targets;
use super::writer::Writer;
use super::{Targets, king};
use crate::bitboard::Wide;
use crate::position::Movement;
use crate::{Bitboard, Color, HandPiece, Piece, PieceKind, Position, Square, attacks};

/// The pieces of which only those near the enemy king can give check by moving.
const STEPPERS: [(Movement, PieceKind); 5] = [
    (Movement::Pawn, PieceKind::Pawn),
    (Movement::Lance, PieceKind::Lance),
    (Movement::Knight, PieceKind::Knight),
    (Movement::Silver, PieceKind::Silver),
    (Movement::Gold, PieceKind::Gold),
];

/// For each colour, each of [`STEPPERS`] and each king square: from where such a piece can reach, on an empty board,
/// a square from which it attacks the king, promoted or not. Sliders can from nearly everywhere.
static NEAR_ENOUGH: [[[Bitboard; 81]; STEPPERS.len()]; 2] = {
    let mut table = [[[Bitboard::EMPTY; 81]; STEPPERS.len()]; 2];
    let mut i = 0;
    while i < 2 * STEPPERS.len() * 81 {
        let (color, stepper, king) = (i / (STEPPERS.len() * 81), i / 81 % STEPPERS.len(), i % 81);
        let kind = STEPPERS[stepper].1;
        // What the other side's piece attacks is where ours attacks from.
        let theirs = Color::ALL[1 - color];
        let backwards = Piece::new(theirs, kind);
        let square = Square::from_index_unchecked(king as u8);
        let plain = attacks::on_empty_board(backwards, square);
        let promoted = attacks::steps(Piece::new(theirs, PieceKind::Gold), square);
        let checking = plain.union(promoted);
        let mut from = 0;
        while from < 81 {
            let via = Square::from_index_unchecked(from as u8);
            if checking.contains(via) {
                let entry = &mut table[color][stepper][king];
                *entry = entry.union(attacks::on_empty_board(backwards, via));
            }
            from += 1;
        }
        i += 1;
    }
    table
};

/// `color`'s pieces that may give check to `king` by moving.
#[inline(always)]
pub(crate) fn candidates(position: &Position, color: Color, king: Square, discoverers: Bitboard) -> Bitboard {
    let sliders = position.moving_like(Movement::Bishop) | position.moving_like(Movement::Rook);
    let mut found = Wide::from(sliders);
    for (stepper, (movement, _)) in STEPPERS.into_iter().enumerate() {
        let near = NEAR_ENOUGH[color.index()][stepper][king.index()];
        found = found | Wide::from(position.moving_like(movement)) & near;
    }
    (found & position.pieces(color) | discoverers).into()
}

/// All legal moves within `targets` that give check.
#[inline(never)]
pub(super) fn generate<S: Side, const ALL: bool>(
    position: &Position,
    targets: &Targets,
    writer: &mut Writer,
) {
    let us = S::US;
    let Some(enemy_king) = position.king(!us) else { return };
    let occupied = position.occupied();
    // From where a piece of ours attacks the king: the squares that the same piece of theirs, standing on the
    // king's square, attacks.
    let checking = |kind: PieceKind| attacks::attacks(Piece::new(!us, kind), enemy_king, occupied);
    let discoverers = position.shields(!us) & position.pieces(us);
    let pinned = position.pinned(us);

    let mut emit = |from: Square, kind: PieceKind, reach: Bitboard| {
        let Split { plain, promoting } = split::<S, ALL>(kind, from, reach);
        let discovered = if discoverers.contains(from) {
            !attacks::line_through(enemy_king, from)
        } else {
            Bitboard::EMPTY
        };
        // A slider moving along the line to the king opens no other line, so the board before the move will do, except
        // that the piece itself must not block its own way.
        let direct = |kind: PieceKind| {
            if discovered.is_empty()
                && !matches!(
                    kind,
                    PieceKind::Lance
                        | PieceKind::Bishop
                        | PieceKind::Rook
                        | PieceKind::Horse
                        | PieceKind::Dragon
                )
            {
                return checking(kind);
            }
            attacks::attacks(Piece::new(!us, kind), enemy_king, occupied - from.into())
        };
        if promoting.any()
            && let Some(promoted) = kind.promoted()
        {
            writer.promotions(from, promoting & (discovered | direct(promoted)));
        }
        writer.moves(from, plain & (discovered | direct(kind)));
    };

    if targets.board.any() {
        for from in candidates(position, us, enemy_king, discoverers) {
            let Some(kind) = kind_at(position, from) else { continue };
            if kind == PieceKind::King {
                continue;
            }
            let mut reach = attacks::attacks(Piece::new(us, kind), from, occupied) & targets.board;
            if pinned.contains(from)
                && let Some(own_king) = position.king(us)
            {
                reach &= attacks::line_through(own_king, from);
            }
            emit(from, kind, reach);
        }
    }
    if let Some(own_king) = position.king(us)
        && discoverers.contains(own_king)
    {
        let off_line = targets.king - attacks::line_through(enemy_king, own_king);
        writer.moves(own_king, king::safe_squares(position, us, own_king, off_line));
    }

    let hand = position.hand(us);
    for (piece, _) in hand.iter() {
        let to = targets.drops & checking(piece.kind());
        let to = if piece == HandPiece::Pawn { pawn_targets(position, us, to) } else { to };
        writer.drops(piece, to);
    }
}

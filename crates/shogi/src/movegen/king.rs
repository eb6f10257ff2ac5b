//! King moves: the neighbours that the opponent does not attack.

use super::Side;
use super::writer::Writer;
use crate::position::Movement;
use crate::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

/// From where pieces can attack a neighbour of the king.
struct Surroundings {
    /// Pieces of each colour that step there.
    steppers: [Bitboard; 2],
    /// Sliders on an empty board.
    bishops: Bitboard,
    rooks: Bitboard,
    lances: [Bitboard; 2],
}

static SURROUNDINGS: [Surroundings; 81] = {
    const NONE: Surroundings = Surroundings {
        steppers: [Bitboard::EMPTY; 2],
        bishops: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        lances: [Bitboard::EMPTY; 2],
    };
    let mut table = [NONE; 81];
    let mut king = 0;
    while king < 81 {
        let mut near = 0;
        while near < 81 {
            let target = Square::from_index_unchecked(near as u8);
            if attacks::steps(Piece::BKing, Square::from_index_unchecked(king as u8)).contains(target) {
                let entry = &mut table[king];
                let around = attacks::steps(Piece::BKing, target);
                let (black, white) = (Color::Black as usize, Color::White as usize);
                // Looking out from the target with the other colour's piece shows where attackers stand.
                entry.steppers[black] =
                    entry.steppers[black].union(around).union(attacks::steps(Piece::WKnight, target));
                entry.steppers[white] =
                    entry.steppers[white].union(around).union(attacks::steps(Piece::BKnight, target));
                entry.bishops = entry.bishops.union(attacks::on_empty_board(Piece::BBishop, target));
                entry.rooks = entry.rooks.union(attacks::on_empty_board(Piece::BRook, target));
                entry.lances[black] =
                    entry.lances[black].union(attacks::on_empty_board(Piece::WLance, target));
                entry.lances[white] =
                    entry.lances[white].union(attacks::on_empty_board(Piece::BLance, target));
            }
            near += 1;
        }
        king += 1;
    }
    table
};

/// The squares among `targets` next to `us`'s king that the opponent does not attack once the king has moved.
#[inline(always)]
pub(crate) fn safe_squares(position: &Position, us: Color, king: Square, targets: Bitboard) -> Bitboard {
    let them = !us;
    let mut safe = attacks::king(king) & targets;
    if safe.is_empty() {
        return safe;
    }
    let surroundings = &SURROUNDINGS[king.index()];
    let theirs = position.pieces(them);
    (surroundings.steppers[them.index()] & theirs).for_each(|square| {
        if let Some(piece) = position.piece_at(square) {
            safe -= attacks::steps(piece, square);
        }
    });
    // The king itself does not shield the squares behind it.
    let occupied = position.occupied() - king.into();
    (surroundings.bishops & theirs & position.moving_like(Movement::Bishop)).for_each(|square| {
        if safe.intersects(attacks::on_empty_board(Piece::BBishop, square)) {
            safe -= attacks::bishop(square, occupied);
        }
    });
    (surroundings.rooks & theirs & position.moving_like(Movement::Rook)).for_each(|square| {
        if safe.intersects(attacks::on_empty_board(Piece::BRook, square)) {
            safe -= attacks::rook(square, occupied);
        }
    });
    (surroundings.lances[them.index()] & theirs & position.moving_like(Movement::Lance)).for_each(|square| {
        if safe.intersects(attacks::on_empty_board(Piece::new(them, PieceKind::Lance), square)) {
            safe -= attacks::lance(them, square, occupied);
        }
    });
    safe
}

/// `color`'s sliders that would attack a neighbour of `king` on an empty board.
#[inline(always)]
pub(crate) fn distant_sliders(position: &Position, color: Color, king: Square) -> Bitboard {
    let surroundings = &SURROUNDINGS[king.index()];
    (surroundings.bishops & position.moving_like(Movement::Bishop)
        | surroundings.rooks & position.moving_like(Movement::Rook)
        | surroundings.lances[color.index()] & position.moving_like(Movement::Lance))
        & position.pieces(color)
}

/// All legal king moves to `targets`.
#[inline(always)]
pub(super) fn generate<S: Side>(position: &Position, targets: Bitboard, writer: &mut Writer) {
    if let Some(king) = position.king(S::US) {
        writer.moves(king, safe_squares(position, S::US, king, targets));
    }
}

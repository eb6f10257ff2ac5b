//! Piece values, those of `YaneuraOu`, for material and static exchange evaluation.

use crate::{HandPiece, PieceKind};

const VALUES: [i32; 15] = [0, 90, 315, 405, 495, 855, 990, 540, 15000, 540, 540, 540, 540, 945, 1395];

/// Value of a piece on the board.
///
/// ```
/// use shogi::{PieceKind, piece_value};
/// assert_eq!(piece_value(PieceKind::Pawn), 90);
/// ```
#[inline]
#[must_use]
pub const fn piece_value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// Value of a piece in hand.
#[inline]
#[must_use]
pub const fn hand_value(piece: HandPiece) -> i32 {
    VALUES[piece.index()]
}

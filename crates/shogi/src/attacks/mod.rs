//! Which squares a piece attacks.
//!
//! Steps are table look-ups. Slides are computed ([`sliders`]) from small ray masks; `benches/sliders` compares that
//! with other methods.

mod directions;
pub mod sliders;
mod steps;

pub use directions::{Direction, between, direction_between, line_through, ray};
pub use sliders::{bishop, lance, rook};
pub use steps::{on_empty_board, steps};

use crate::{Bitboard, Color, Piece, PieceKind, Square};

/// The squares that `piece` on `square` attacks when `occupied` squares block slides.
#[inline]
#[must_use]
pub fn attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceKind::Lance => lance(piece.color(), square, occupied),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Horse => bishop(square, occupied) | king(square),
        PieceKind::Dragon => rook(square, occupied) | king(square),
        _ => steps(piece, square),
    }
}

/// The neighbours of a square.
#[inline]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    steps(Piece::BKing, square)
}

macro_rules! step_function {
    ($($name:ident $kind:ident),*) => {$(
        /// The squares that this kind attacks.
        #[inline]
        #[must_use]
        pub fn $name(color: Color, square: Square) -> Bitboard {
            steps(Piece::new(color, PieceKind::$kind), square)
        }
    )*};
}

step_function!(pawn Pawn, knight Knight, silver Silver, gold Gold);

//! Tables of single steps, and of whole slides on an empty board.

use super::directions::{Direction, ray, step};
use crate::{Bitboard, Piece, PieceKind, Square};

type PieceTable = [[Bitboard; 81]; Piece::INDEX_COUNT];

const GOLD: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
const SILVER: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const ORTHOGONAL: &[(i8, i8)] = &[(0, -1), (0, 1), (1, 0), (-1, 0)];
const DIAGONAL: &[(i8, i8)] = &[(1, -1), (-1, -1), (1, 1), (-1, 1)];
const AROUND: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1)];

/// (file, rank) steps of a black piece; a slider's first step is always open to it.
const fn black_steps(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => &[(0, -1)],
        PieceKind::Knight => &[(1, -2), (-1, -2)],
        PieceKind::Silver => SILVER,
        PieceKind::Bishop => DIAGONAL,
        PieceKind::Rook => ORTHOGONAL,
        PieceKind::King | PieceKind::Horse | PieceKind::Dragon => AROUND,
        _ => GOLD,
    }
}

const fn build_steps(table: &mut PieceTable) {
    let mut k = 0;
    while k < 14 {
        let kind = PieceKind::ALL[k];
        let deltas = black_steps(kind);
        let mut s = 0;
        while s < 81 {
            let square = Square::from_index_unchecked(s as u8);
            let mut i = 0;
            while i < deltas.len() {
                let (file, rank) = deltas[i];
                if let Some(to) = step(square, (file, rank)) {
                    table[k + 1][s] = table[k + 1][s].union(Bitboard::square(to));
                }
                if let Some(to) = step(square, (-file, -rank)) {
                    table[k + 17][s] = table[k + 17][s].union(Bitboard::square(to));
                }
                i += 1;
            }
            s += 1;
        }
        k += 1;
    }
}

const SLIDES: [(Piece, &[Direction]); 10] = {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    const DIAGONALS: &[Direction] = &[NorthEast, NorthWest, SouthEast, SouthWest];
    const STRAIGHTS: &[Direction] = &[North, South, East, West];
    [
        (Piece::BLance, &[North]),
        (Piece::WLance, &[South]),
        (Piece::BBishop, DIAGONALS),
        (Piece::WBishop, DIAGONALS),
        (Piece::BHorse, DIAGONALS),
        (Piece::WHorse, DIAGONALS),
        (Piece::BRook, STRAIGHTS),
        (Piece::WRook, STRAIGHTS),
        (Piece::BDragon, STRAIGHTS),
        (Piece::WDragon, STRAIGHTS),
    ]
};

const fn add_slides(table: &mut PieceTable) {
    let mut p = 0;
    while p < SLIDES.len() {
        let (piece, directions) = SLIDES[p];
        let mut s = 0;
        while s < 81 {
            let mut d = 0;
            while d < directions.len() {
                let slide = ray(directions[d], Square::from_index_unchecked(s as u8));
                table[piece.index()][s] = table[piece.index()][s].union(slide);
                d += 1;
            }
            s += 1;
        }
        p += 1;
    }
}

static STEPS: PieceTable = {
    let mut table = [[Bitboard::EMPTY; 81]; Piece::INDEX_COUNT];
    build_steps(&mut table);
    table
};

static ON_EMPTY_BOARD: PieceTable = {
    let mut table = [[Bitboard::EMPTY; 81]; Piece::INDEX_COUNT];
    build_steps(&mut table);
    add_slides(&mut table);
    table
};

/// The squares a piece attacks at a distance of one move step, whatever stands on the board: everything for a
/// stepping piece, the first square of each slide for a sliding one.
#[inline]
#[must_use]
pub const fn steps(piece: Piece, square: Square) -> Bitboard {
    STEPS[piece.index()][square.index()]
}

/// The squares a piece attacks when nothing else stands on the board.
#[inline]
#[must_use]
pub const fn on_empty_board(piece: Piece, square: Square) -> Bitboard {
    ON_EMPTY_BOARD[piece.index()][square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    #[test]
    fn a_rotated_piece_attacks_the_rotated_squares() {
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let black = Piece::new(Color::Black, kind);
                assert_eq!(steps(black, square).flip(), steps(black.flip(), square.flip()));
                assert_eq!(on_empty_board(black, square).flip(), on_empty_board(black.flip(), square.flip()));
            }
        }
    }

    #[test]
    fn counts_in_the_middle() {
        let counts: Vec<_> = PieceKind::ALL
            .iter()
            .map(|&k| steps(Piece::new(Color::Black, k), Square::Sq55).count())
            .collect();
        assert_eq!(counts, [1, 1, 2, 5, 4, 4, 6, 8, 6, 6, 6, 6, 8, 8]);
        assert_eq!(on_empty_board(Piece::WHorse, Square::Sq55).count(), 20);
        assert_eq!(on_empty_board(Piece::BLance, Square::Sq19).count(), 8);
        assert_eq!(steps(Piece::BKnight, Square::Sq12), Bitboard::EMPTY);
    }
}

//! Whether features mirror the board for a king on the middle file: decided by the side to which the pieces lean.

use shogi::{Bitboard, Color, File, PieceKind, Position, Square};

/// The kinds of pieces that decide, in this order, if the enemy's king does not.
const DECIDING: [&[PieceKind]; 7] = [
    &[PieceKind::Rook, PieceKind::Dragon],
    &[PieceKind::Bishop, PieceKind::Horse],
    &[PieceKind::Gold],
    &[PieceKind::Silver],
    &[PieceKind::Knight],
    &[PieceKind::Lance],
    &[PieceKind::Pawn],
];

/// The files that are left and right of the middle for Black.
const LEFT: Bitboard = files([File::F6, File::F7, File::F8, File::F9]);
const RIGHT: Bitboard = files([File::F1, File::F2, File::F3, File::F4]);

const fn files([a, b, c, d]: [File; 4]) -> Bitboard {
    Bitboard::file(a).union(Bitboard::file(b)).union(Bitboard::file(c)).union(Bitboard::file(d))
}

/// Whether a player sees more on the left: the enemy's king decides first, then rooks, bishops and so on. Of a position
/// and its mirror image exactly one leans left, unless they are equal.
pub(in crate::nnue) fn leans_left(position: &Position, view: Color) -> bool {
    let king = position.king(!view).map_or(Bitboard::EMPTY, Bitboard::square);
    match overweight(king, view) {
        0 => pieces_lean_left(position, view),
        left => left > 0,
    }
}

fn pieces_lean_left(position: &Position, view: Color) -> bool {
    for kinds in DECIDING {
        let pieces = kinds.iter().fold(Bitboard::EMPTY, |set, kind| set | position.pieces_of(*kind));
        for owner in [view, !view] {
            match overweight(pieces & position.pieces(owner), view) {
                0 => {}
                left => return left > 0,
            }
        }
    }
    differs_first_on_left(position, view)
}

/// How many more squares of a set a player sees on the left than on the right.
fn overweight(set: Bitboard, view: Color) -> i32 {
    let left = (set & LEFT).count() as i32 - (set & RIGHT).count() as i32;
    if view == Color::Black { left } else { -left }
}

/// Decides if everything is balanced: by the first square that differs from its mirror image.
#[cold]
fn differs_first_on_left(position: &Position, view: Color) -> bool {
    let seen = |square: Square| {
        let square = if view == Color::Black { square } else { square.flip() };
        position
            .piece_at(square)
            .map_or(0, |piece| 1 + 2 * piece.kind() as u8 + u8::from(piece.color() == view))
    };
    let mut pairs = Square::all().map(|square| (seen(square.mirror()), seen(square)));
    pairs.find(|(left, right)| left != right).is_some_and(|(left, right)| left > right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leans(sfen: &str) -> [bool; 2] {
        let position = Position::from_sfen(sfen).unwrap();
        Color::ALL.map(|view| leans_left(&position, view))
    }

    #[test]
    fn kings_decide_before_rooks_and_rooks_before_others() {
        // Both have the rook on their right, as at the start.
        assert_eq!(leans("4k4/1r7/9/9/9/9/9/7R1/4K4 b - 1"), [false, false]);
        assert_eq!(leans("4k4/1r7/9/9/9/9/9/1R7/4K4 b - 1"), [true, false]);
        // The enemy's king is on the left of each.
        assert_eq!(leans("3k5/1r7/9/9/9/9/9/7R1/5K3 b - 1"), [true, true]);
        assert_eq!(leans("4k4/9/4r4/9/9/9/4R4/1G7/4K4 b - 1"), [true, false]);
    }

    #[test]
    fn sides_with_as_many_pieces_are_told_apart() {
        for (sfen, mirror) in [
            ("4k4/9/9/6P2/9/2P6/9/9/4K4 b - 1", "4k4/9/9/2P6/9/6P2/9/9/4K4 b - 1"),
            ("4k4/9/9/9/9/1+P7/9/9/4K4 b - 1", "4k4/9/9/9/9/7+P1/9/9/4K4 b - 1"),
        ] {
            let [a, b] = [sfen, mirror].map(leans);
            assert_eq!(a.map(|lean| !lean), b, "{sfen}");
        }
        assert_eq!(leans("4k4/9/9/9/9/9/9/9/4K4 b - 1"), [false, false]);
    }
}

//! Entries of the tables that must be equal, mapped to a common index.

use eval::BonaPiece;
use shogi::{Color, HandPiece, Piece, PieceKind, Square};
use std::cmp::Ordering;
use std::sync::LazyLock;

const PIECES: usize = BonaPiece::KING;
const SQUARES: usize = Square::COUNT;
/// Squares of files 1 to 5.
const HALF_BOARD: usize = 45;
/// Number of unordered pairs of pieces.
pub(super) const PAIRS: usize = PIECES * (PIECES + 1) / 2;

/// Number of indices of king, piece, piece.
pub const KPP: usize = HALF_BOARD * PAIRS;
/// Number of indices of king, king, piece.
pub const KKP: usize = SQUARES * SQUARES * PIECES;
/// Number of indices of king, king.
pub const KK: usize = SQUARES * SQUARES;

/// The index of an entry, and the sign of its value there: Black's advantage is White's disadvantage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// The common index.
    pub index: usize,
    /// 1, or −1 if the entry is that of the other side, or 0 if both are the same. The turn bonus always has sign 1.
    pub sign: i8,
}

/// Each piece with the files reversed.
static MIRRORED: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let piece = |index| BonaPiece::from_index(index).expect("below the number of pieces");
    (0..PIECES).map(|index| piece(index).mirror().index() as u16).collect()
});

/// Each piece as the other player sees it.
static TURNED: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut turned: Vec<u16> = (0..PIECES as u16).collect();
    let mut put = |[black, white]: [BonaPiece; 2]| turned[black.index()] = white.index() as u16;
    for color in Color::ALL {
        for kind in PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King) {
            for square in Square::all() {
                put(Color::ALL.map(|view| BonaPiece::on_board(Piece::new(color, kind), square, view)));
            }
        }
        for piece in HandPiece::ALL {
            for nth in 1..=piece.set_size() {
                let seen = Color::ALL.map(|view| BonaPiece::in_hand(color, piece, nth, view));
                if let [Some(black), Some(white)] = seen {
                    put([black, white]);
                }
            }
        }
    }
    turned
});

const fn mirror(square: usize) -> usize {
    (8 - square / 9) * 9 + square % 9
}

fn pair(first: u16, second: u16) -> usize {
    let (low, high) = (usize::from(first.min(second)), usize::from(first.max(second)));
    high * (high + 1) / 2 + low
}

/// The index of the own king with two pieces.
#[must_use]
pub fn king_piece_piece(king: Square, first: u16, second: u16) -> usize {
    let king = king.index();
    let mirrored = || pair(MIRRORED[usize::from(first)], MIRRORED[usize::from(second)]);
    match king / 9 {
        0..4 => king * PAIRS + pair(first, second),
        // On the middle file the king is its own mirror image.
        4 => king * PAIRS + pair(first, second).min(mirrored()),
        _ => mirror(king) * PAIRS + mirrored(),
    }
}

/// The index of both kings with a piece, from Black's point of view.
#[must_use]
pub fn king_king_piece(black: Square, white: Square, piece: u16) -> Lowered {
    let index =
        |black: usize, white: usize, piece: u16| (black * SQUARES + white) * PIECES + usize::from(piece);
    least(black, white, |[black, white], mirrored, turned| {
        let piece = if mirrored { MIRRORED[usize::from(piece)] } else { piece };
        index(black, white, if turned { TURNED[usize::from(piece)] } else { piece })
    })
}

/// The index of both kings.
#[must_use]
pub fn king_king(black: Square, white: Square) -> Lowered {
    least(black, white, |[black, white], _, _| black * SQUARES + white)
}

/// The smallest of four indices: as it is, mirrored, rotated, and both.
fn least(black: Square, white: Square, index: impl Fn([usize; 2], bool, bool) -> usize) -> Lowered {
    let [black, white] = [black.index(), white.index()];
    let turned = [80 - white, 80 - black];
    let least_of =
        |kings: [usize; 2], turned| index(kings, false, turned).min(index(kings.map(mirror), true, turned));
    let (own, other) = (least_of([black, white], false), least_of(turned, true));
    let sign = match own.cmp(&other) {
        Ordering::Less => 1,
        Ordering::Equal => 0,
        Ordering::Greater => -1,
    };
    Lowered { index: own.min(other), sign }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::Random;

    fn square(index: usize) -> Square {
        Square::from_index(index as u8).unwrap()
    }

    #[test]
    fn images_have_the_same_number() {
        let mut random = Random::new(3);
        for _ in 0..20_000 {
            let [king, other] = [random.below(81), random.below(81)];
            let [first, second] = [random.below(PIECES) as u16, random.below(PIECES) as u16];
            let mirrored = |piece: u16| MIRRORED[usize::from(piece)];
            let number = king_piece_piece(square(king), first, second);
            assert!(number < KPP);
            assert_eq!(number, king_piece_piece(square(king), second, first));
            assert_eq!(number, king_piece_piece(square(mirror(king)), mirrored(first), mirrored(second)));

            let lowered = king_king_piece(square(king), square(other), first);
            assert!(lowered.index < KKP);
            let image = king_king_piece(square(mirror(king)), square(mirror(other)), mirrored(first));
            assert_eq!(lowered, image);
            let turned = TURNED[usize::from(first)];
            assert_eq!(TURNED[usize::from(turned)], first);
            let image = king_king_piece(square(80 - other), square(80 - king), turned);
            assert_eq!((lowered.index, lowered.sign), (image.index, -image.sign));

            let kings = king_king(square(king), square(other));
            let image = king_king(square(80 - other), square(80 - king));
            assert_eq!((kings.index, kings.sign), (image.index, -image.sign));
            assert!(kings.index < KK);
        }
    }
}

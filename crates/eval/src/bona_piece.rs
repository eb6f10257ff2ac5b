//! `BonaPiece`: the numbering of "a piece in a place" that shogi evaluation files have shared for ten years.

use shogi::{Color, HandPiece, Piece, PieceKind, Position, Square};

/// A piece in a place, from one player's point of view: own and enemy pieces have different numbers, and White sees the
/// board rotated.
///
/// | numbers | meaning |
/// |---|---|
/// | 0 | a piece of the set that is neither on the board nor in hand (handicap games) |
/// | 1 to 89 | the nth piece of a kind in a hand |
/// | 90 to 1547 | pieces on the board, 81 numbers for each kind and owner; promoted minor pieces count as gold |
/// | 1548 to 1709 | the kings |
///
/// ```
/// use eval::BonaPiece;
/// use shogi::{Color, HandPiece, Piece, Square};
/// let square: Square = "7g".parse()?;
/// assert_eq!(BonaPiece::on_board(Piece::BPawn, square, Color::Black).index(), 90 + 60);
/// assert_eq!(BonaPiece::on_board(Piece::BPawn, square, Color::White).index(), 90 + 81 + 20);
/// let second_rook = BonaPiece::in_hand(Color::White, HandPiece::Rook, 2, Color::White);
/// assert_eq!(second_rook.map(BonaPiece::index), Some(86));
/// # Ok::<(), shogi::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BonaPiece(u16);

/// First number on the board.
const HAND_END: u16 = 90;
/// First number of each kind in the own hand and in the enemy's; `HandPiece` order from 1.
const HAND_BASE: [[u16; 2]; 8] =
    [[0, 0], [1, 20], [39, 44], [49, 54], [59, 64], [79, 82], [85, 88], [69, 74]];

/// The place of each kind among the pairs of planes on the board; `PieceKind` order from 1.
const PLANE_PAIR: [u16; 15] = [0, 0, 1, 2, 3, 5, 7, 4, 9, 4, 4, 4, 4, 6, 8];

/// First number of the plane of each piece from each view: `[view][piece]`.
const BOARD_BASE: [[u16; Piece::INDEX_COUNT + 1]; 2] = {
    let mut table = [[0; Piece::INDEX_COUNT + 1]; 2];
    let mut kind = 1;
    while kind <= 14 {
        let own = HAND_END + 2 * 81 * PLANE_PAIR[kind];
        let enemy = own + 81;
        table[0][kind] = own;
        table[0][kind + 16] = enemy;
        table[1][kind] = enemy;
        table[1][kind + 16] = own;
        kind += 1;
    }
    table
};

impl BonaPiece {
    /// A piece of the set that is neither on the board nor in a hand.
    pub const ZERO: Self = Self(0);
    /// First number on the board; pieces in hand come before.
    pub const HAND_END: usize = HAND_END as usize;
    /// First number of the own king, end of all other pieces (`fe_end`).
    pub const KING: usize = 1548;
    /// First number of the enemy's king (`e_king`).
    pub const ENEMY_KING: usize = 1629;
    /// How many numbers there are, kings included (`fe_end2`).
    pub const COUNT: usize = 1710;
    /// Pieces of a full set without the kings.
    pub const SET_SIZE: usize = 38;

    /// A piece on the board as `view` sees it.
    #[inline]
    #[must_use]
    pub const fn on_board(piece: Piece, square: Square, view: Color) -> Self {
        let square = match view {
            Color::Black => square.index(),
            Color::White => 80 - square.index(),
        };
        // The mask changes nothing and avoids a bounds check.
        Self(BOARD_BASE[view.index()][piece.index() & 31] + square as u16)
    }

    /// The `nth` piece (counted from 1) of a kind in the hand of `owner` as `view` sees it.
    ///
    /// `None` where there is no number: for `nth` = 0 and for more pieces than a set has (composers' diagrams).
    #[inline]
    #[must_use]
    pub const fn in_hand(owner: Color, piece: HandPiece, nth: u32, view: Color) -> Option<Self> {
        if nth == 0 || nth > piece.set_size() {
            return None;
        }
        let side = (owner as usize) ^ (view as usize);
        Some(Self(HAND_BASE[piece.index()][side] + nth as u16 - 1))
    }

    /// Like [`BonaPiece::in_hand`], for both views.
    #[inline]
    pub(crate) fn in_hand_of_both_views(owner: Color, piece: HandPiece, nth: u32) -> Option<[Self; 2]> {
        let black = Self::in_hand(owner, piece, nth, Color::Black)?;
        let [own, enemy] = HAND_BASE[piece.index()];
        Some([black, Self(own + enemy + 2 * (nth as u16 - 1) - black.0)])
    }

    /// The number.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The piece with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u16)) } else { None }
    }

    /// Whether this is one of the kings.
    #[inline]
    #[must_use]
    pub const fn is_king(self) -> bool {
        self.index() >= Self::KING
    }

    /// The square, in its view, of a piece on the board.
    #[inline]
    #[must_use]
    pub const fn square(self) -> Option<usize> {
        if self.0 < HAND_END { None } else { Some((self.index() - Self::HAND_END) % 81) }
    }

    /// The same piece with the files reversed; pieces in hand have no file.
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Self {
        match self.square() {
            None => self,
            Some(square) => {
                let mirrored = (8 - square / 9) * 9 + square % 9;
                Self(self.0 - square as u16 + mirrored as u16)
            }
        }
    }

    /// All pieces of a position but the kings, as `view` sees them: first the board, then the hands. Pieces
    /// that the set lacks are not among them; [`BonaPiece::absent`] counts those.
    pub fn for_each(position: &Position, view: Color, mut visit: impl FnMut(Self)) {
        position.occupied().for_each(|square| {
            if let Some(piece) = position.piece_at(square)
                && piece.kind() != PieceKind::King
            {
                visit(Self::on_board(piece, square, view));
            }
        });
        for owner in Color::ALL {
            for (piece, count) in position.hand(owner).iter() {
                for nth in 1..=count {
                    if let Some(piece) = Self::in_hand(owner, piece, nth, view) {
                        visit(piece);
                    }
                }
            }
        }
    }

    /// How many pieces of the set, kings aside, a position lacks: [`BonaPiece::ZERO`] occurs that often in its list of
    /// pieces. Moves do not change it.
    #[must_use]
    pub fn absent(position: &Position) -> usize {
        let kings = Color::ALL.into_iter().filter(|color| position.king(*color).is_some()).count();
        let on_board = position.occupied().count() as usize - kings;
        let in_hand: u32 =
            Color::ALL.into_iter().flat_map(|color| position.hand(color).iter()).map(|(_, n)| n).sum();
        Self::SET_SIZE.saturating_sub(on_board + in_hand as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_meaning() {
        let mut seen = [0_u8; BonaPiece::COUNT];
        for color in Color::ALL {
            for square in Square::all() {
                for kind in PieceKind::ALL {
                    let number = BonaPiece::on_board(Piece::new(color, kind), square, Color::Black);
                    seen[number.index()] += 1;
                    assert_eq!(number.square(), Some(square.index()));
                    assert_eq!(number.is_king(), kind == PieceKind::King);
                }
            }
            for piece in HandPiece::ALL {
                for nth in 1..=piece.set_size() {
                    seen[BonaPiece::in_hand(color, piece, nth, Color::Black).unwrap().index()] += 1;
                }
                assert_eq!(BonaPiece::in_hand(color, piece, 0, Color::Black), None);
                assert_eq!(BonaPiece::in_hand(color, piece, piece.set_size() + 1, Color::Black), None);
            }
        }
        for (number, times) in seen.into_iter().enumerate() {
            let gap = [0, 19, 38, 43, 48, 53, 58, 63, 68, 73, 78, 81, 84, 87].contains(&number);
            let gold = (738..900).contains(&number);
            assert_eq!(
                times,
                if gap {
                    0
                } else if gold {
                    5
                } else {
                    1
                },
                "{number}"
            );
        }
    }

    #[test]
    fn white_sees_what_black_sees_of_the_position_turned_round() {
        let position =
            Position::from_sfen("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")
                .unwrap();
        let list = |position: &Position, view| {
            let mut list = Vec::new();
            BonaPiece::for_each(position, view, |piece| list.push(piece));
            list.sort_unstable();
            list
        };
        let black = list(&position, Color::Black);
        assert_eq!(black.len() + BonaPiece::absent(&position), 38);
        assert_eq!(list(&position.flip(), Color::White), black);
        let mut mirrored: Vec<_> = black.iter().map(|piece| piece.mirror()).collect();
        mirrored.sort_unstable();
        assert_eq!(list(&position.mirror(), Color::Black), mirrored);
    }

    #[test]
    fn the_numbers_of_the_documents() {
        let square = Square::from_index(10).unwrap();
        for (kind, own) in [
            (PieceKind::Pawn, 90),
            (PieceKind::Lance, 252),
            (PieceKind::Knight, 414),
            (PieceKind::Silver, 576),
            (PieceKind::Gold, 738),
            (PieceKind::ProSilver, 738),
            (PieceKind::Bishop, 900),
            (PieceKind::Horse, 1062),
            (PieceKind::Rook, 1224),
            (PieceKind::Dragon, 1386),
            (PieceKind::King, 1548),
        ] {
            let black = Piece::new(Color::Black, kind);
            assert_eq!(BonaPiece::on_board(black, square, Color::Black).index(), own + 10);
            assert_eq!(BonaPiece::on_board(black, square, Color::White).index(), own + 81 + 70);
            assert_eq!(BonaPiece::on_board(black.flip(), square, Color::Black).index(), own + 81 + 10);
            assert_eq!(BonaPiece::on_board(black.flip(), square, Color::White).index(), own + 70);
        }
    }

    #[test]
    fn handicaps_lack_pieces() {
        let absent = |handicap| BonaPiece::absent(&Position::handicap(handicap));
        assert_eq!(absent(shogi::Handicap::Even), 0);
        assert_eq!(absent(shogi::Handicap::SixPieces), 6);
    }
}

//! Unchecked descriptions of positions.

use crate::{Color, Hand, HandPiece, Piece, PieceKind, Square, zobrist};

/// Anything that SFEN can express, valid or not.
///
/// [`Position::try_from`](crate::Position) checks it.
///
/// ```
/// use shogi::{Position, Setup};
/// let setup: Setup = "4k4/9/9/9/9/9/9/9/4K4 b G 1".parse()?;
/// let position = Position::try_from(setup)?;
/// assert_eq!(position.sfen(), "4k4/9/9/9/9/9/9/9/4K4 b G 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands on each square.
    pub board: [Option<Piece>; Square::COUNT],
    /// Black's and White's hand.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
    /// Number of the next move.
    pub ply: u32,
}

/// Why a [`Setup`] is not a valid position.
///
/// Only positions that cannot be played are refused. Composers' diagrams with a piece too many, two pawns on a file, a
/// pawn on the last rank or the opponent left in check are accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// More pieces of a kind than a hand can count.
    #[error("too many of the piece {}: {most} at most", piece.kind().letter())]
    TooManyPieces {
        /// Which kind.
        piece: HandPiece,
        /// How many there may be.
        most: u32,
    },
    /// A player with two kings.
    #[error("{0} has more than one king")]
    TwoKings(Color),
    /// No king at all; one may be missing (tsume), not both.
    #[error("there is no king on the board")]
    NoKing,
}

impl Setup {
    /// An empty board, Black to move.
    pub const EMPTY: Self = Self { board: [None; 81], hands: [Hand::EMPTY; 2], side: Color::Black, ply: 1 };

    /// What stands on a square.
    #[must_use]
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// All pieces on the board with their squares.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The same position seen from the other side: rotated by 180°, colours exchanged.
    #[must_use]
    pub fn flip(&self) -> Self {
        let mut board = [None; 81];
        for (square, piece) in self.pieces() {
            board[square.flip().index()] = Some(piece.flip());
        }
        Self { board, hands: [self.hands[1], self.hands[0]], side: !self.side, ply: self.ply }
    }

    /// The same position in a mirror: files reversed.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let mut board = [None; 81];
        for (square, piece) in self.pieces() {
            board[square.mirror().index()] = Some(piece);
        }
        Self { board, ..self.clone() }
    }

    /// The [`Position::key128`](crate::Position::key128) of the position that this describes.
    #[must_use]
    pub fn key128(&self) -> u128 {
        let side = if self.side == Color::White { zobrist::white_to_move() } else { 0 };
        let board = self.pieces().fold(side, |key, (square, piece)| key ^ zobrist::piece_on(piece, square));
        let in_hand = |(color, (piece, count)): (Color, (HandPiece, u32))| {
            zobrist::in_hand(color, piece).wrapping_mul(u128::from(count))
        };
        let hands = Color::ALL
            .into_iter()
            .flat_map(|color| self.hands[color.index()].iter().map(move |counted| (color, counted)));
        board ^ hands.map(in_hand).fold(0, u128::wrapping_add)
    }

    /// Whether it can be a position.
    pub fn validate(&self) -> Result<(), SetupError> {
        let mut counts = [0u32; Piece::INDEX_COUNT];
        for piece in self.board.iter().flatten() {
            counts[piece.index()] += 1;
        }
        for color in Color::ALL {
            if counts[Piece::new(color, PieceKind::King).index()] > 1 {
                return Err(SetupError::TwoKings(color));
            }
        }
        if counts[Piece::BKing.index()] + counts[Piece::WKing.index()] == 0 {
            return Err(SetupError::NoKing);
        }
        // One hand must be able to hold all of a kind.
        for piece in HandPiece::ALL {
            let kinds = [Some(piece.kind()), piece.kind().promoted()];
            let owned = Color::ALL.into_iter().flat_map(|color| {
                kinds.into_iter().flatten().map(move |kind| Piece::new(color, kind).index())
            });
            let on_board: u32 = owned.map(|index| counts[index]).sum();
            let in_hand: u32 = self.hands.iter().map(|hand| hand.count(piece)).sum();
            let most = Hand::max_count(piece);
            if on_board + in_hand > most {
                return Err(SetupError::TooManyPieces { piece, most });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_are_those_of_positions() {
        for sfen in [
            crate::STARTPOS_SFEN,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/9/9/9/9/9/9/9 b 2R18Pb4g 1",
        ] {
            let position = crate::Position::from_sfen(sfen).expect(sfen);
            assert_eq!(position.setup().key128(), position.key128(), "{sfen}");
            assert_eq!(position.setup().flip().key128(), position.flip().key128(), "{sfen}");
        }
    }

    #[test]
    fn impossible_positions_are_named() {
        for (sfen, message) in [
            ("4k4/9/9/9/9/9/9/9/4K3K b - 1", "black has more than one king"),
            ("9/9/9/9/9/9/9/9/9 b - 1", "there is no king on the board"),
            ("RRRRk4/9/9/9/9/9/9/9/4K4 b - 1", "too many of the piece R: 3 at most"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 16P16p 1", "too many of the piece P: 31 at most"),
        ] {
            let error = crate::Position::from_sfen(sfen).expect_err(sfen);
            assert_eq!(error.to_string(), format!("impossible position: {message}"), "{sfen}");
        }
    }

    #[test]
    fn diagrams_that_break_the_rules_of_play_are_accepted() {
        for sfen in [
            "4k4/9/9/9/9/9/9/9/9 b G 1",
            "9/9/9/9/9/9/9/9/4K4 w r 1",
            "4k4/P8/P8/9/9/9/9/9/4K4 b - 1",
            "7Pk/6R2/9/9/9/9/9/9/4K4 b G 1",
            "k8/G8/9/9/9/9/9/9/9 b G2r2b4g4s4n4l18p 1",
        ] {
            let position = crate::Position::from_sfen(sfen).expect(sfen);
            assert_eq!(position.sfen(), sfen);
            assert!(!position.legal_moves().is_empty());
        }
    }
}

//! Unchecked descriptions of positions.

use crate::{Color, File, Hand, HandPiece, Piece, PieceKind, Rank, Square};

/// What a position is made from: anything that can be written in SFEN, possible or not.
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

/// Why a [`Setup`] is no position.
///
/// Only what cannot be played on is refused. Composers' diagrams with a piece too many, two pawns on a file, a
/// pawn on the last rank or the opponent left in check are accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// More pieces of a kind than can be counted.
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
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// All pieces on the board with their squares.
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

    /// Whether it can be a position.
    pub(crate) fn validate(&self) -> Result<(), SetupError> {
        let count = |piece| self.pieces().filter(|(_, p)| *p == piece).count();
        for color in Color::ALL {
            if count(Piece::new(color, PieceKind::King)) > 1 {
                return Err(SetupError::TwoKings(color));
            }
        }
        if count(Piece::BKing) + count(Piece::WKing) == 0 {
            return Err(SetupError::NoKing);
        }
        // One hand must be able to hold all of a kind.
        for piece in HandPiece::ALL {
            let on_board = self.pieces().filter(|(_, p)| p.kind().to_hand() == Some(piece)).count() as u32;
            let in_hand: u32 = self.hands.iter().map(|hand| hand.count(piece)).sum();
            let most = Hand::max_count(piece);
            if on_board + in_hand > most {
                return Err(SetupError::TooManyPieces { piece, most });
            }
        }
        Ok(())
    }
}

/// The handicaps that players give, by the names of the field: what White gives up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Handicap {
    /// 平手
    Even,
    /// 香落ち
    Lance,
    /// 右香落ち
    RightLance,
    /// 角落ち
    Bishop,
    /// 飛車落ち
    Rook,
    /// 飛香落ち
    RookLance,
    /// 二枚落ち
    TwoPieces,
    /// 三枚落ち
    ThreePieces,
    /// 四枚落ち
    FourPieces,
    /// 五枚落ち
    FivePieces,
    /// 左五枚落ち
    LeftFivePieces,
    /// 六枚落ち
    SixPieces,
    /// 左七枚落ち
    LeftSevenPieces,
    /// 右七枚落ち
    RightSevenPieces,
    /// 八枚落ち
    EightPieces,
    /// 十枚落ち
    TenPieces,
    /// 歩三兵
    ThreePawns,
    /// 裸玉
    NakedKing,
    /// トンボ
    Dragonfly,
}

impl Handicap {
    /// All handicaps, from none to the naked king.
    pub const ALL: [Self; 19] = [
        Self::Even,
        Self::Lance,
        Self::RightLance,
        Self::Bishop,
        Self::Rook,
        Self::RookLance,
        Self::TwoPieces,
        Self::ThreePieces,
        Self::FourPieces,
        Self::FivePieces,
        Self::LeftFivePieces,
        Self::SixPieces,
        Self::LeftSevenPieces,
        Self::RightSevenPieces,
        Self::EightPieces,
        Self::TenPieces,
        Self::ThreePawns,
        Self::NakedKing,
        Self::Dragonfly,
    ];

    /// Its Japanese name, as KIF writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Even => "平手",
            Self::Lance => "香落ち",
            Self::RightLance => "右香落ち",
            Self::Bishop => "角落ち",
            Self::Rook => "飛車落ち",
            Self::RookLance => "飛香落ち",
            Self::TwoPieces => "二枚落ち",
            Self::ThreePieces => "三枚落ち",
            Self::FourPieces => "四枚落ち",
            Self::FivePieces => "五枚落ち",
            Self::LeftFivePieces => "左五枚落ち",
            Self::SixPieces => "六枚落ち",
            Self::LeftSevenPieces => "左七枚落ち",
            Self::RightSevenPieces => "右七枚落ち",
            Self::EightPieces => "八枚落ち",
            Self::TenPieces => "十枚落ち",
            Self::ThreePawns => "歩三兵",
            Self::NakedKing => "裸玉",
            Self::Dragonfly => "トンボ",
        }
    }

    /// The squares whose pieces White gives up, apart from [`Handicap::bare`] ones.
    fn removed(self) -> &'static [Square] {
        use Square::{Sq11, Sq21, Sq22, Sq31, Sq41, Sq61, Sq71, Sq81, Sq82, Sq91};
        // White's own right-hand side is file 9, so the ordinary (left) lance stands on 1a.
        match self {
            Self::Even | Self::ThreePawns | Self::NakedKing => &[],
            Self::Lance => &[Sq11],
            Self::RightLance => &[Sq91],
            Self::Bishop => &[Sq22],
            Self::Rook => &[Sq82],
            Self::RookLance => &[Sq82, Sq11],
            Self::TwoPieces => &[Sq82, Sq22],
            Self::ThreePieces => &[Sq82, Sq22, Sq11],
            Self::FourPieces => &[Sq82, Sq22, Sq11, Sq91],
            Self::FivePieces => &[Sq82, Sq22, Sq11, Sq91, Sq81],
            Self::LeftFivePieces => &[Sq82, Sq22, Sq11, Sq91, Sq21],
            Self::SixPieces => &[Sq82, Sq22, Sq11, Sq91, Sq81, Sq21],
            Self::LeftSevenPieces => &[Sq82, Sq22, Sq11, Sq91, Sq81, Sq21, Sq31],
            Self::RightSevenPieces => &[Sq82, Sq22, Sq11, Sq91, Sq81, Sq21, Sq71],
            Self::EightPieces => &[Sq82, Sq22, Sq11, Sq91, Sq81, Sq21, Sq31, Sq71],
            Self::TenPieces => &[Sq82, Sq22, Sq11, Sq91, Sq81, Sq21, Sq31, Sq71, Sq41, Sq61],
            Self::Dragonfly => &[Sq11, Sq91, Sq81, Sq21, Sq31, Sq71, Sq41, Sq61],
        }
    }

    /// White keeps nothing but the king on the board.
    const fn bare(self) -> bool {
        matches!(self, Self::ThreePawns | Self::NakedKing)
    }

    /// The position in which the game starts: Black to move in an even game, White in all others.
    #[must_use]
    pub fn setup(self) -> Setup {
        let mut setup = Setup::EMPTY;
        let back = [
            PieceKind::Lance,
            PieceKind::Knight,
            PieceKind::Silver,
            PieceKind::Gold,
            PieceKind::King,
            PieceKind::Gold,
            PieceKind::Silver,
            PieceKind::Knight,
            PieceKind::Lance,
        ];
        let mut place = |file, rank, kind| {
            let square = Square::new(file, rank);
            setup.board[square.index()] = Some(Piece::new(Color::White, kind));
            setup.board[square.flip().index()] = Some(Piece::new(Color::Black, kind));
        };
        for (file, kind) in File::ALL.into_iter().zip(back) {
            place(file, Rank::R1, kind);
            place(file, Rank::R3, PieceKind::Pawn);
        }
        place(File::F2, Rank::R2, PieceKind::Bishop);
        place(File::F8, Rank::R2, PieceKind::Rook);
        if self == Self::Even {
            return setup;
        }
        setup.side = Color::White;
        for square in self.removed() {
            setup.board[square.index()] = None;
        }
        if self.bare() {
            for piece in &mut setup.board {
                if piece.is_some_and(|p| p.color() == Color::White && p.kind() != PieceKind::King) {
                    *piece = None;
                }
            }
        }
        if self == Self::ThreePawns {
            (0..3).for_each(|_| setup.hands[Color::White.index()].add(HandPiece::Pawn));
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_by_name() {
        for (name, white, hands) in [
            ("平手", "lnsgkgsnl/1r5b1/ppppppppp", "-"),
            ("香落ち", "lnsgkgsn1/1r5b1/ppppppppp", "-"),
            ("右香落ち", "1nsgkgsnl/1r5b1/ppppppppp", "-"),
            ("角落ち", "lnsgkgsnl/1r7/ppppppppp", "-"),
            ("飛車落ち", "lnsgkgsnl/7b1/ppppppppp", "-"),
            ("飛香落ち", "lnsgkgsn1/7b1/ppppppppp", "-"),
            ("二枚落ち", "lnsgkgsnl/9/ppppppppp", "-"),
            ("三枚落ち", "lnsgkgsn1/9/ppppppppp", "-"),
            ("四枚落ち", "1nsgkgsn1/9/ppppppppp", "-"),
            ("五枚落ち", "2sgkgsn1/9/ppppppppp", "-"),
            ("左五枚落ち", "1nsgkgs2/9/ppppppppp", "-"),
            ("六枚落ち", "2sgkgs2/9/ppppppppp", "-"),
            ("左七枚落ち", "2sgkg3/9/ppppppppp", "-"),
            ("右七枚落ち", "3gkgs2/9/ppppppppp", "-"),
            ("八枚落ち", "3gkg3/9/ppppppppp", "-"),
            ("十枚落ち", "4k4/9/ppppppppp", "-"),
            ("歩三兵", "4k4/9/9", "3p"),
            ("裸玉", "4k4/9/9", "-"),
            ("トンボ", "4k4/1r5b1/ppppppppp", "-"),
        ] {
            let handicap = Handicap::ALL.into_iter().find(|h| h.name() == name).expect("a known name");
            let side = if name == "平手" { 'b' } else { 'w' };
            let sfen = format!("{white}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {side} {hands} 1");
            assert_eq!(handicap.setup().to_string(), sfen, "{name}");
            assert_eq!(crate::Position::handicap(handicap).sfen(), sfen);
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

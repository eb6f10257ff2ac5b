//! Handicap games.

use crate::{Color, File, HandPiece, Piece, PieceKind, Rank, Setup, Square};

/// The customary handicaps, by what White gives up.
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

    /// Whether White keeps only the king on the board.
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
}

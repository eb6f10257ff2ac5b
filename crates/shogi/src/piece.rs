//! Pieces: the fourteen kinds, with and without an owner, and the seven kinds that can be held in hand.

use crate::Color;
use std::fmt;

/// A kind of piece, with the numbers of `YaneuraOu` and Apery; a promoted kind is its plain kind plus 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// 歩
    Pawn = 1,
    /// 香
    Lance,
    /// 桂
    Knight,
    /// 銀
    Silver,
    /// 角
    Bishop,
    /// 飛
    Rook,
    /// 金
    Gold,
    /// 玉
    King,
    /// と
    ProPawn,
    /// 成香 (杏)
    ProLance,
    /// 成桂 (圭)
    ProKnight,
    /// 成銀 (全)
    ProSilver,
    /// 馬
    Horse,
    /// 龍
    Dragon,
}

impl PieceKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Self; 14] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Bishop,
        Self::Rook,
        Self::Gold,
        Self::King,
        Self::ProPawn,
        Self::ProLance,
        Self::ProKnight,
        Self::ProSilver,
        Self::Horse,
        Self::Dragon,
    ];

    /// The number of the kind, 1 to 14.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether this is a promoted kind.
    #[inline]
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self as u8 > Self::King as u8
    }

    /// What it promotes to; `None` for gold, king and promoted kinds.
    #[inline]
    #[must_use]
    pub const fn promoted(self) -> Option<Self> {
        if (self as u8) < Self::Gold as u8 {
            // SAFETY: 1..=6 plus 8 are the numbers of the promoted kinds.
            Some(unsafe { std::mem::transmute::<u8, Self>(self as u8 + 8) })
        } else {
            None
        }
    }

    /// The kind it was before any promotion.
    #[inline]
    #[must_use]
    pub const fn unpromoted(self) -> Self {
        if self.is_promoted() {
            // SAFETY: promoted kinds are 9..=14, and 8 less are those they come from.
            unsafe { std::mem::transmute::<u8, Self>(self as u8 - 8) }
        } else {
            self
        }
    }

    /// The kind in hand after a capture; `None` for the king.
    #[inline]
    #[must_use]
    pub const fn to_hand(self) -> Option<HandPiece> {
        match self as u8 & 7 {
            0 => None,
            n => Some(HandPiece::from_index_unchecked(n)),
        }
    }

    /// Its SFEN letter in upper case, without the `+` of promoted kinds.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Self::Pawn => 'P',
            Self::Lance => 'L',
            Self::Knight => 'N',
            Self::Silver => 'S',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Gold => 'G',
            _ => 'K',
        }
    }

    /// The kind with this SFEN letter (upper case).
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'P' => Self::Pawn,
            'L' => Self::Lance,
            'N' => Self::Knight,
            'S' => Self::Silver,
            'B' => Self::Bishop,
            'R' => Self::Rook,
            'G' => Self::Gold,
            'K' => Self::King,
            _ => return None,
        })
    }

    /// One kanji, as diagrams show it.
    #[must_use]
    pub const fn kanji(self) -> char {
        match self {
            Self::Pawn => '歩',
            Self::Lance => '香',
            Self::Knight => '桂',
            Self::Silver => '銀',
            Self::Bishop => '角',
            Self::Rook => '飛',
            Self::Gold => '金',
            Self::King => '玉',
            Self::ProPawn => 'と',
            Self::ProLance => '杏',
            Self::ProKnight => '圭',
            Self::ProSilver => '全',
            Self::Horse => '馬',
            Self::Dragon => '龍',
        }
    }
}

/// A kind of piece that can be held in hand and dropped; the numbers are those of [`PieceKind`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "see PieceKind")]
pub enum HandPiece {
    Pawn = 1,
    Lance,
    Knight,
    Silver,
    Bishop,
    Rook,
    Gold,
}

impl HandPiece {
    /// All of them in the order of their numbers.
    pub const ALL: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Bishop, Self::Rook, Self::Gold];

    /// In the order in which SFEN writes hands.
    pub const SFEN_ORDER: [Self; 7] =
        [Self::Rook, Self::Bishop, Self::Gold, Self::Silver, Self::Knight, Self::Lance, Self::Pawn];

    /// The number of the kind, 1 to 7.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// For callers in this crate that have proved `1 <= index <= 7`.
    #[inline(always)]
    pub(crate) const fn from_index_unchecked(index: u8) -> Self {
        debug_assert!(index >= 1 && index <= 7);
        // SAFETY: the enum has exactly the discriminants 1..=7 and every caller guarantees the range.
        unsafe { std::mem::transmute(index) }
    }

    /// The same kind on the board.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: the numbers 1..=7 mean the same kinds there.
        unsafe { std::mem::transmute::<u8, PieceKind>(self as u8) }
    }

    /// How many of them a full set has.
    #[must_use]
    pub const fn set_size(self) -> u32 {
        match self {
            Self::Pawn => 18,
            Self::Bishop | Self::Rook => 2,
            _ => 4,
        }
    }
}

/// A piece on the board: a kind and its owner. White's number is Black's plus 16.
///
/// ```
/// use shogi::{Color, Piece, PieceKind};
/// let dragon = Piece::new(Color::White, PieceKind::Dragon);
/// assert_eq!(dragon.to_string(), "+r");
/// assert_eq!(dragon.kind().unpromoted(), PieceKind::Rook);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "see PieceKind")]
pub enum Piece {
    BPawn = 1, BLance, BKnight, BSilver, BBishop, BRook, BGold, BKing,
    BProPawn, BProLance, BProKnight, BProSilver, BHorse, BDragon,
    WPawn = 17, WLance, WKnight, WSilver, WBishop, WRook, WGold, WKing,
    WProPawn, WProLance, WProKnight, WProSilver, WHorse, WDragon,
}

impl Piece {
    /// A size that arrays indexed by [`Piece::index`] need.
    pub const INDEX_COUNT: usize = 31;

    /// The piece of this owner and kind.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        // SAFETY: 1..=14 plus 0 or 16 are exactly the discriminants of the enum.
        unsafe { std::mem::transmute(kind as u8 | (color as u8) << 4) }
    }

    /// Its number: 1 to 14 for Black, 17 to 30 for White.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The piece with a number; of larger ones only the lowest five bits count.
    ///
    /// ```
    /// use shogi::Piece;
    /// assert_eq!(Piece::from_index(Piece::WRook.index()), Some(Piece::WRook));
    /// assert_eq!(Piece::from_index(0), None);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        static PIECES: [Option<Piece>; 32] = {
            let mut table = [None; 32];
            let mut i = 0;
            while i < PieceKind::ALL.len() {
                let mut side = 0;
                while side < 2 {
                    let piece = Piece::new(Color::ALL[side], PieceKind::ALL[i]);
                    table[piece.index()] = Some(piece);
                    side += 1;
                }
                i += 1;
            }
            table
        };
        PIECES[index % PIECES.len()]
    }

    /// Its owner.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        if self as u8 & 16 == 0 { Color::Black } else { Color::White }
    }

    /// Its kind.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: the low four bits of every discriminant are 1..=14, the discriminants of `PieceKind`.
        unsafe { std::mem::transmute(self as u8 & 15) }
    }

    /// What it becomes when it promotes; itself if it cannot.
    #[inline]
    #[must_use]
    pub const fn promoted(self) -> Self {
        match self.kind().promoted() {
            Some(kind) => Self::new(self.color(), kind),
            None => self,
        }
    }

    /// The same kind with the other owner.
    #[inline]
    #[must_use]
    pub fn flip(self) -> Self {
        Self::new(!self.color(), self.kind())
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        let plus = if kind.is_promoted() { "+" } else { "" };
        match self.color() {
            Color::Black => write!(f, "{plus}{}", kind.letter()),
            Color::White => write!(f, "{plus}{}", kind.letter().to_ascii_lowercase()),
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_promote_and_return() {
        for kind in PieceKind::ALL {
            assert_eq!(kind.index() > 8, kind.is_promoted());
            if let Some(promoted) = kind.promoted() {
                assert_eq!(promoted.index(), kind.index() + 8);
                assert_eq!(promoted.unpromoted(), kind);
            }
            assert_eq!(
                kind.to_hand().map(HandPiece::kind),
                (kind != PieceKind::King).then(|| kind.unpromoted())
            );
            assert_eq!(PieceKind::from_letter(kind.letter()), Some(kind.unpromoted()));
            for color in Color::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
                assert_eq!(piece.flip().flip(), piece);
                assert_eq!(piece.promoted(), Piece::new(color, kind.promoted().unwrap_or(kind)));
                assert!(piece.index() < Piece::INDEX_COUNT);
            }
        }
        assert_eq!(std::mem::size_of::<Option<Piece>>(), 1);
    }
}

//! Squares and their coordinates.

use std::fmt::{self, Write};
use std::str::FromStr;

/// A file (column), 1 at the right edge as Black sees the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the numbers")]
pub enum File {
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    F9,
}

/// A rank (row), 1 (`a`) at White's edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the numbers")]
pub enum Rank {
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
}

impl File {
    /// All files, from 1.
    pub const ALL: [Self; 9] =
        [Self::F1, Self::F2, Self::F3, Self::F4, Self::F5, Self::F6, Self::F7, Self::F8, Self::F9];
}

impl Rank {
    /// All ranks, from 1.
    pub const ALL: [Self; 9] =
        [Self::R1, Self::R2, Self::R3, Self::R4, Self::R5, Self::R6, Self::R7, Self::R8, Self::R9];
}

/// One of the 81 squares, named by file and rank: `Sq76` is 7f in USI, ７六 in Japanese.
///
/// Numbered file by file, as in `YaneuraOu` and Apery: 1a = 0, 1b = 1, … 9i = 80.
///
/// ```
/// use shogi::{File, Rank, Square};
/// let square: Square = "7f".parse()?;
/// assert_eq!(square, Square::Sq76);
/// assert_eq!((square.file(), square.rank()), (File::F7, Rank::R6));
/// assert_eq!(square.flip(), Square::Sq34);
/// assert_eq!(square.to_string(), "7f");
/// # Ok::<(), shogi::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "the names are the coordinates")]
pub enum Square {
    Sq11, Sq12, Sq13, Sq14, Sq15, Sq16, Sq17, Sq18, Sq19,
    Sq21, Sq22, Sq23, Sq24, Sq25, Sq26, Sq27, Sq28, Sq29,
    Sq31, Sq32, Sq33, Sq34, Sq35, Sq36, Sq37, Sq38, Sq39,
    Sq41, Sq42, Sq43, Sq44, Sq45, Sq46, Sq47, Sq48, Sq49,
    Sq51, Sq52, Sq53, Sq54, Sq55, Sq56, Sq57, Sq58, Sq59,
    Sq61, Sq62, Sq63, Sq64, Sq65, Sq66, Sq67, Sq68, Sq69,
    Sq71, Sq72, Sq73, Sq74, Sq75, Sq76, Sq77, Sq78, Sq79,
    Sq81, Sq82, Sq83, Sq84, Sq85, Sq86, Sq87, Sq88, Sq89,
    Sq91, Sq92, Sq93, Sq94, Sq95, Sq96, Sq97, Sq98, Sq99,
}

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 81;

    /// The square where a file and a rank meet.
    #[inline]
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_index_unchecked(file as u8 * 9 + rank as u8)
    }

    /// The square with this number, if there is one.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 81 { Some(Self::from_index_unchecked(index)) } else { None }
    }

    /// For callers in this crate that have proved `index < 81`; the only place where squares are made from numbers.
    #[inline(always)]
    pub(crate) const fn from_index_unchecked(index: u8) -> Self {
        debug_assert!(index < 81);
        // SAFETY: the enum has exactly the discriminants 0..=80 and every caller guarantees the range.
        unsafe { std::mem::transmute(index) }
    }

    /// The number of the square, 0 to 80.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its column.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::ALL[self as usize / 9]
    }

    /// Its row.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize % 9]
    }

    /// The same square seen from the other side (rotated by 180°).
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Self {
        Self::from_index_unchecked(80 - self as u8)
    }

    /// The same square in a mirror (files reversed).
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self::from_index_unchecked((8 - self as u8 / 9) * 9 + self as u8 % 9)
    }

    /// All squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..81u8).map(Self::from_index_unchecked)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'1' + self.file() as u8))?;
        f.write_char(char::from(b'a' + self.rank() as u8))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a square is a file 1-9 and a rank a-i, such as 7f")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => {
                Ok(Self::new(File::ALL[usize::from(file - b'1')], Rank::ALL[usize::from(rank - b'a')]))
            }
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_text_agree() {
        for (i, square) in Square::all().enumerate() {
            assert_eq!(square.index(), i);
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.flip().flip(), square);
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.mirror().rank(), square.rank());
        }
        assert_eq!(Square::from_index(81), None);
        for bad in ["", "7", "7j", "0a", "a7", "7ff", "７六"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError), "{bad}");
        }
    }
}

//! Squares and sets of squares, the same for every size of board.
//!
//! Squares are numbered from the right and from the top, as USI writes them, in rows of [`MOST_FILES`]. Number and text
//! of a square do not depend on the size of the board, which occupies the upper right corner of the largest one.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// The widest board.
pub const MOST_FILES: u8 = 12;
/// The highest board.
pub const MOST_RANKS: u8 = 10;

/// A square.
///
/// ```
/// use fairy::Square;
/// let square: Square = "10c".parse().unwrap();
/// assert_eq!((square.column(), square.row()), (9, 2));
/// assert_eq!(square.to_string(), "10c");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// Number of squares of the largest board.
    pub const COUNT: usize = MOST_FILES as usize * MOST_RANKS as usize;

    /// The square in this column from the right and this row from the top, both counted from 0.
    #[inline]
    #[must_use]
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column < MOST_FILES && row < MOST_RANKS { Some(Self(row * MOST_FILES + column)) } else { None }
    }

    #[inline]
    pub(crate) const fn from_index(index: usize) -> Self {
        debug_assert!(index < Self::COUNT);
        Self(index as u8)
    }

    /// Column from the right, from 0.
    #[inline]
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % MOST_FILES
    }

    /// Row from the top, from 0.
    #[inline]
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / MOST_FILES
    }

    /// Its number, below [`Square::COUNT`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square a number of columns to the left and of rows down, if it is on the largest board.
    pub(crate) fn offset(self, left: i32, down: i32) -> Option<Self> {
        let column = u8::try_from(i32::from(self.column()) + left).ok()?;
        let row = u8::try_from(i32::from(self.row()) + down).ok()?;
        Self::at(column, row)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column() + 1, char::from(b'a' + self.row()))
    }
}

impl std::str::FromStr for Square {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (file, rank) = text.split_at_checked(text.len().wrapping_sub(1)).ok_or(())?;
        let number = file.bytes().all(|b| b.is_ascii_digit()) && !file.starts_with('0');
        let column = file.parse::<u8>().ok().filter(|_| number).and_then(|n| n.checked_sub(1)).ok_or(())?;
        let row = rank.as_bytes()[0].checked_sub(b'a').ok_or(())?;
        Self::at(column, row).ok_or(())
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Squares(u128);

impl Squares {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// All squares of a board of this size.
    pub(crate) fn board(files: u8, ranks: u8) -> Self {
        (0..ranks).flat_map(|row| (0..files).filter_map(move |column| Square::at(column, row))).collect()
    }

    /// One square.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.0)
    }

    /// Whether the square is one of them.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of squares.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is more than one square.
    #[inline]
    #[must_use]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The one with the lowest number.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The one with the highest number.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(127 - self.0.leading_zeros() as u8)) }
    }

    /// The set difference.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

#[allow(
    clippy::copy_iterator,
    reason = "a set is as small as a number, and taking squares from a copy is what is meant"
)]
impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.map(|square| square.to_string())).finish()
    }
}

macro_rules! operators {
    ($($name:ident $function:ident $assign:ident $assign_function:ident $operator:tt;)*) => {$(
        impl $name for Squares {
            type Output = Self;
            #[inline]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }
        impl $assign for Squares {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                self.0 = self.0 $operator other.0;
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Squares {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        for index in 0..Square::COUNT {
            let square = Square::from_index(index);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for text in ["", "a", "0a", "13a", "1k", "01a", "+1a", "1aa", "歩", "1歩"] {
            assert_eq!(text.parse::<Square>(), Err(()), "{text}");
        }
    }

    #[test]
    fn sets() {
        let board = Squares::board(5, 6);
        assert_eq!(board.len(), 30);
        assert_eq!(board.last().map(|square| square.to_string()).as_deref(), Some("5f"));
        assert_eq!(board.count(), 30);
        assert!(board.several() && !Squares::of(Square(3)).several());
    }
}

//! Sets of squares.

use crate::{Color, File, Rank, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// Squares 0 to 62 (files 1 to 7) live in the low word, 63 to 80 (files 8 and 9) in the high word, so that no
/// file crosses a word.
const LOW_SQUARES: u8 = 63;
const LOW: u64 = (1 << LOW_SQUARES) - 1;
const HIGH: u64 = (1 << 18) - 1;

/// A set of squares.
///
/// ```
/// use shogi::{Bitboard, Rank, Square};
/// let rank: Bitboard = Rank::R7.into();
/// assert_eq!(rank.count(), 9);
/// let rest = rank - Square::Sq77.into();
/// assert!(!rest.contains(Square::Sq77));
/// assert_eq!(rest.into_iter().next(), Some(Square::Sq17));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C, align(16))]
pub struct Bitboard {
    low: u64,
    high: u64,
}

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self { low: 0, high: 0 };
    /// Every square.
    pub const ALL: Self = Self { low: LOW, high: HIGH };

    /// One square.
    #[inline]
    #[must_use]
    pub const fn square(square: Square) -> Self {
        const SINGLE: [Bitboard; Square::COUNT] = {
            let mut table = [Bitboard::EMPTY; Square::COUNT];
            let mut i = 0;
            while i < Square::COUNT {
                if i < LOW_SQUARES as usize {
                    table[i].low = 1 << i;
                } else {
                    table[i].high = 1 << (i - LOW_SQUARES as usize);
                }
                i += 1;
            }
            table
        };
        SINGLE[square.index()]
    }

    /// The squares of a rank.
    #[must_use]
    pub const fn rank(rank: Rank) -> Self {
        const FIRST_LOW: u64 = 0x0040_2010_0804_0201;
        const FIRST_HIGH: u64 = 0x201;
        Self { low: FIRST_LOW << rank as u8, high: FIRST_HIGH << rank as u8 }
    }

    /// The squares of a file.
    #[must_use]
    pub const fn file(file: File) -> Self {
        let file = file as u8;
        if file < 7 {
            Self { low: 0x1ff << (9 * file), high: 0 }
        } else {
            Self { low: 0, high: 0x1ff << (9 * (file - 7)) }
        }
    }

    /// The `count` ranks nearest to the opponent of `color`.
    #[inline]
    #[must_use]
    pub const fn far_ranks(color: Color, count: usize) -> Self {
        const TABLE: [[Bitboard; 10]; 2] = {
            let mut table = [[Bitboard::EMPTY; 10]; 2];
            let mut n = 1;
            while n <= 9 {
                table[0][n] = table[0][n - 1].union(Bitboard::rank(Rank::ALL[n - 1]));
                table[1][n] = table[1][n - 1].union(Bitboard::rank(Rank::ALL[9 - n]));
                n += 1;
            }
            table
        };
        TABLE[color.index()][count]
    }

    /// The 128 bits that slider arithmetic works on; bit 63 is never set.
    #[inline(always)]
    pub(crate) const fn to_u128(self) -> u128 {
        self.low as u128 | (self.high as u128) << 64
    }

    #[inline(always)]
    pub(crate) const fn from_u128(bits: u128) -> Self {
        Self { low: bits as u64, high: (bits >> 64) as u64 }
    }

    /// Both words.
    #[inline(always)]
    pub(crate) const fn words(self) -> [u64; 2] {
        [self.low, self.high]
    }

    #[inline(always)]
    pub(crate) const fn from_words(words: [u64; 2]) -> Self {
        Self { low: words[0], high: words[1] }
    }

    /// `|` for constants.
    #[inline]
    pub(crate) const fn union(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }

    /// Whether there is no square in it.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// Whether there is at least one square in it.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.low | self.high != 0
    }

    /// Whether there are two squares or more in it.
    #[inline]
    #[must_use]
    pub const fn many(self) -> bool {
        (self.low != 0 && self.high != 0)
            || self.low & self.low.wrapping_sub(1) | self.high & self.high.wrapping_sub(1) != 0
    }

    /// Number of squares.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    /// Whether `square` is in it.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        let single = Self::square(square);
        self.low & single.low | self.high & single.high != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.low & other.low | self.high & other.high != 0
    }

    /// The square with the smallest number.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.low != 0 {
            Some(Square::from_index_unchecked(self.low.trailing_zeros() as u8))
        } else if self.high != 0 {
            Some(Square::from_index_unchecked(LOW_SQUARES + self.high.trailing_zeros() as u8))
        } else {
            None
        }
    }

    /// The square with the largest number.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Option<Square> {
        if self.high != 0 {
            Some(Square::from_index_unchecked(LOW_SQUARES + 63 - self.high.leading_zeros() as u8))
        } else if self.low != 0 {
            Some(Square::from_index_unchecked(63 - self.low.leading_zeros() as u8))
        } else {
            None
        }
    }

    /// Calls `visit` for each square in order; quicker than iterating because each word has its own loop.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(Square)) {
        let mut low = self.low;
        while low != 0 {
            visit(Square::from_index_unchecked(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        let mut high = self.high;
        while high != 0 {
            visit(Square::from_index_unchecked(LOW_SQUARES + high.trailing_zeros() as u8));
            high &= high - 1;
        }
    }

    /// One step towards the opponent of `color`; what leaves the board is gone.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        // Only the bits that would cross into the next file have to be masked off.
        match color {
            Color::Black => {
                let edge = Self::rank(Rank::R1);
                Self { low: (self.low & !edge.low) >> 1, high: (self.high & !edge.high) >> 1 }
            }
            Color::White => {
                let edge = Self::rank(Rank::R9);
                Self { low: (self.low & !edge.low) << 1, high: (self.high & !edge.high) << 1 }
            }
        }
    }

    /// Every square of every file that has a square in the set.
    #[inline]
    #[must_use]
    pub const fn fill_files(self) -> Self {
        #[inline(always)]
        const fn fill(word: u64, last_rank: u64) -> u64 {
            // Adding 0xff to the lower eight bits of a file carries into its ninth bit unless all are zero.
            let lower = last_rank - (last_rank >> 8);
            let occupied = ((word & lower) + lower | word) & last_rank;
            occupied | (occupied - (occupied >> 8))
        }
        let last = Self::rank(Rank::R9);
        Self { low: fill(self.low, last.low), high: fill(self.high, last.high) }
    }

    /// The same squares on the board rotated by 180°.
    #[must_use]
    pub fn flip(self) -> Self {
        self.into_iter().map(Square::flip).collect()
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::square(square)
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Self {
        Self::rank(rank)
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Self {
        Self::file(file)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self { low: self.low ^ other.low, high: self.high ^ other.high }
    }
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { low: self.low & !other.low, high: self.high & !other.high }
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self { low: self.low ^ LOW, high: self.high ^ HIGH }
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl SubAssign for Bitboard {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

/// The squares of a [`Bitboard`] in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        if self.0.low != 0 {
            self.0.low &= self.0.low - 1;
        } else {
            self.0.high &= self.0.high - 1;
        }
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// A picture as Black sees the board, nine lines of `.` and `*`.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL {
            f.write_str("\n")?;
            for file in File::ALL.into_iter().rev() {
                f.write_str(if self.contains(Square::new(file, rank)) { "*" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let odd: Bitboard = Square::all().filter(|s| s.index() % 2 == 1).collect();
        assert_eq!(odd.count(), 40);
        assert_eq!((!odd).count(), 41);
        assert!((odd & !odd).is_empty() && (odd | !odd) == Bitboard::ALL);
        assert_eq!(
            odd.into_iter().collect::<Vec<_>>(),
            Square::all().filter(|s| odd.contains(*s)).collect::<Vec<_>>()
        );
        assert_eq!((odd.first(), odd.last()), (Some(Square::Sq12), Some(Square::Sq98)));
        assert_eq!(odd.flip().flip(), odd);
        let mut seen = Bitboard::EMPTY;
        odd.for_each(|s| seen |= s.into());
        assert_eq!(seen, odd);
    }

    #[test]
    fn many_means_two_or_more() {
        for a in Square::all() {
            for b in Square::all() {
                let set = Bitboard::square(a) | b.into();
                assert_eq!(set.many(), a != b);
                assert_eq!(set.count(), 1 + u32::from(a != b));
            }
        }
        assert!(!Bitboard::EMPTY.many());
    }

    #[test]
    fn files_ranks_and_steps() {
        for file in File::ALL {
            for rank in Rank::ALL {
                let square = Square::new(file, rank);
                assert_eq!(Bitboard::file(file) & Bitboard::rank(rank), square.into());
                assert_eq!(Bitboard::square(square).fill_files(), file.into());
                let up = Bitboard::square(square).forward(Color::Black);
                assert_eq!(
                    up.first().map(|s| (s.file(), s.rank() as u8 + 1)),
                    (rank != Rank::R1).then_some((file, rank as u8))
                );
                assert_eq!(up.flip(), Bitboard::square(square.flip()).forward(Color::White));
            }
        }
        assert_eq!(Bitboard::ALL.fill_files(), Bitboard::ALL);
        assert_eq!(Bitboard::far_ranks(Color::White, 1), Rank::R9.into());
        assert_eq!(Bitboard::far_ranks(Color::Black, 3).count(), 27);
    }
}

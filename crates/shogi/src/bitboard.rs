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
///
/// One 128-bit integer rather than a pair of words: the compiler then keeps it in general registers wherever bits are
/// scanned, instead of storing halves and loading the whole, which stalls each time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self::from_words([LOW, HIGH]);

    /// One square.
    #[inline]
    #[must_use]
    pub const fn square(square: Square) -> Self {
        const SINGLE: [Bitboard; Square::COUNT] = {
            let mut table = [Bitboard::EMPTY; Square::COUNT];
            let mut i = 0;
            while i < Square::COUNT {
                // Bit 63 is left out.
                table[i] = Bitboard(1 << (i + i / LOW_SQUARES as usize));
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
        Self::from_words([FIRST_LOW << rank as u8, FIRST_HIGH << rank as u8])
    }

    /// The squares of a file.
    #[must_use]
    pub const fn file(file: File) -> Self {
        let file = file as u8;
        Self(0x1ff << (9 * file + file / 7))
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
        self.0
    }

    #[inline(always)]
    pub(crate) const fn from_u128(bits: u128) -> Self {
        Self(bits)
    }

    /// Both words.
    #[inline(always)]
    pub(crate) const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    #[inline(always)]
    pub(crate) const fn from_words(words: [u64; 2]) -> Self {
        Self(words[0] as u128 | (words[1] as u128) << 64)
    }

    /// A bit for each square, by its number.
    #[inline(always)]
    #[must_use]
    pub const fn to_bits(self) -> u128 {
        let [low, high] = self.words();
        low as u128 | (high as u128) << LOW_SQUARES
    }

    /// `|` for constants.
    #[inline]
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        !self.any()
    }

    /// Whether the set is not empty.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        // Word by word, or the compiler would move the value to a vector register for the test.
        let [low, high] = self.words();
        low | high != 0
    }

    /// Whether it has two squares or more.
    #[inline]
    #[must_use]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in it.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.intersects(Self::square(square))
    }

    /// Whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        Self(self.0 & other.0).any()
    }

    /// The square with the smallest number.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        let [low, high] = self.words();
        if low != 0 {
            Some(Square::from_index_unchecked(low.trailing_zeros() as u8))
        } else if high != 0 {
            Some(Square::from_index_unchecked(LOW_SQUARES + high.trailing_zeros() as u8))
        } else {
            None
        }
    }

    /// The square with the largest number.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Option<Square> {
        let [low, high] = self.words();
        if high != 0 {
            Some(Square::from_index_unchecked(LOW_SQUARES + 63 - high.leading_zeros() as u8))
        } else if low != 0 {
            Some(Square::from_index_unchecked(63 - low.leading_zeros() as u8))
        } else {
            None
        }
    }

    /// Calls `visit` for each square in order; quicker than iterating because each word has its own loop.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(Square)) {
        let [mut low, mut high] = self.words();
        while low != 0 {
            visit(Square::from_index_unchecked(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        while high != 0 {
            visit(Square::from_index_unchecked(LOW_SQUARES + high.trailing_zeros() as u8));
            high &= high - 1;
        }
    }

    /// One step towards the opponent of `color`; squares beyond the edge are dropped.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        // Only the bits that would cross into the next file have to be masked off.
        match color {
            Color::Black => Self((self.0 & !Self::rank(Rank::R1).0) >> 1),
            Color::White => Self((self.0 & !Self::rank(Rank::R9).0) << 1),
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
            let occupied = (((word & lower) + lower) | word) & last_rank;
            occupied | (occupied - (occupied >> 8))
        }
        let [low, high] = self.words();
        let last = Self::rank(Rank::R9).words();
        Self::from_words([fill(low, last[0]), fill(high, last[1])])
    }

    /// The squares after rotating the board by 180°.
    #[must_use]
    pub fn flip(self) -> Self {
        self.into_iter().map(Square::flip).collect()
    }
}

/// A bitboard in a vector register, for long chains of intersections and unions, which take one step each there.
#[derive(Clone, Copy)]
pub(crate) struct Wide(Lanes);

#[cfg(target_arch = "x86_64")]
type Lanes = std::arch::x86_64::__m128i;
#[cfg(not(target_arch = "x86_64"))]
type Lanes = u128;

impl From<Bitboard> for Wide {
    #[inline(always)]
    fn from(set: Bitboard) -> Self {
        // SAFETY: all bits of both types are free.
        Self(unsafe { std::mem::transmute::<u128, Lanes>(set.0) })
    }
}

impl From<Wide> for Bitboard {
    #[inline(always)]
    fn from(set: Wide) -> Self {
        // SAFETY: all bits of both types are free.
        Self(unsafe { std::mem::transmute::<Lanes, u128>(set.0) })
    }
}

impl<T: Into<Wide>> BitAnd<T> for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: T) -> Self {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE2 is part of x86-64.
        return Self(unsafe { std::arch::x86_64::_mm_and_si128(self.0, other.into().0) });
        #[cfg(not(target_arch = "x86_64"))]
        return Self(self.0 & other.into().0);
    }
}

impl<T: Into<Wide>> BitOr<T> for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: T) -> Self {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE2 is part of x86-64.
        return Self(unsafe { std::arch::x86_64::_mm_or_si128(self.0, other.into().0) });
        #[cfg(not(target_arch = "x86_64"))]
        return Self(self.0 | other.into().0);
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
        Self(self.0 & other.0)
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
        Self(self.0 ^ other.0)
    }
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ Self::ALL.0)
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
        self.0.0 &= self.0.0 - 1;
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

//! Squares as bits, and the thirteen lines that moves work on.

use std::fmt;

/// Bit 8·rank + file: the unused eighth file keeps shifts along a rank from overflowing into the next one.
pub(crate) type Bits = u64;

const FILE_A_TO_F: Bits = 0x0000_0101_0101_0101;
const RANK_1_TO_7: Bits = 0x7f;

/// Files of the board.
pub(crate) const FILES: u8 = 7;
/// Ranks of the board.
pub(crate) const RANKS: u8 = 6;

/// A line that a move can work on: a file `1` to `7` or a rank `a` to `f`.
///
/// ```
/// use binarsi::Way;
/// let way = Way::from_letter('c').unwrap();
/// assert_eq!((way.to_string(), way.len()), ("c".to_owned(), 7));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Way(u8);

/// The squares of each way, padded so that no bounds check is needed.
const MASKS: [Bits; 16] = {
    let mut masks = [0; 16];
    let mut way = 0;
    while way < FILES + RANKS {
        masks[way as usize] =
            if way < FILES { FILE_A_TO_F << way } else { RANK_1_TO_7 << (8 * (way - FILES)) };
        way += 1;
    }
    masks
};

impl Way {
    /// Files `1` to `7`, then ranks `a` to `f`.
    pub const COUNT: usize = (FILES + RANKS) as usize;

    /// All ways, files first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..FILES + RANKS).map(Self)
    }

    /// The way of a letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            '1'..='7' => Some(Self(letter as u8 - b'1')),
            'a'..='f' => Some(Self(letter as u8 - b'a' + FILES)),
            _ => None,
        }
    }

    pub(crate) const fn from_index(index: u8) -> Self {
        assert!(index < FILES + RANKS);
        Self(index)
    }

    /// Its index in [`Way::all`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter in moves.
    #[must_use]
    pub const fn letter(self) -> char {
        (if self.is_file() { b'1' + self.0 } else { b'a' + self.0 - FILES }) as char
    }

    /// Whether it is vertical.
    #[inline]
    #[must_use]
    pub const fn is_file(self) -> bool {
        self.0 < FILES
    }

    /// Number of its squares.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no way is empty of squares")]
    pub const fn len(self) -> usize {
        (if self.is_file() { RANKS } else { FILES }) as usize
    }

    /// All its squares.
    #[inline]
    pub(crate) const fn mask(self) -> Bits {
        MASKS[self.0 as usize & (MASKS.len() - 1)]
    }

    /// Bits from one square of the way to the next.
    #[inline]
    pub(crate) const fn along(self) -> u32 {
        if self.is_file() { 8 } else { 1 }
    }

    /// Bits from the way to the next higher one.
    #[inline]
    pub(crate) const fn across(self) -> u32 {
        if self.is_file() { 1 } else { 8 }
    }

    /// The square at a place counted from the top or the left.
    pub(crate) const fn square(self, place: usize) -> Bits {
        let corner: Bits = if self.is_file() { 1 << self.0 } else { 1 << (8 * (self.0 - FILES)) };
        corner << (place as u32 * self.along())
    }

    /// The way `steps` to the left or up, if there is one.
    pub(crate) const fn lower(self, steps: u8) -> Option<Self> {
        let first = if self.is_file() { 0 } else { FILES };
        if self.0 >= first + steps { Some(Self(self.0 - steps)) } else { None }
    }

    /// The way `steps` to the right or down, if there is one.
    pub(crate) const fn higher(self, steps: u8) -> Option<Self> {
        let end = if self.is_file() { FILES } else { FILES + RANKS };
        if self.0 + steps < end { Some(Self(self.0 + steps)) } else { None }
    }

    /// The content of the way `steps` lower, moved onto this one.
    #[inline]
    pub(crate) const fn lower_on(self, board: Bits, steps: u32) -> Bits {
        (board << (steps * self.across())) & self.mask()
    }

    /// The content of the way `steps` higher, moved onto this one.
    #[inline]
    pub(crate) const fn higher_on(self, board: Bits, steps: u32) -> Bits {
        (board >> (steps * self.across())) & self.mask()
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of ways, such as the locked ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ways(u16);

impl Ways {
    /// None.
    pub const EMPTY: Self = Self(0);
    /// All thirteen.
    pub const ALL: Self = Self((1 << Way::COUNT) - 1);
    /// The vertical ones.
    pub(crate) const FILES: Self = Self((1 << FILES) - 1);
    /// The horizontal ones.
    pub(crate) const RANKS: Self = Self(Self::ALL.0 & !Self::FILES.0);

    /// Whether the way is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, way: Way) -> bool {
        self.0 >> way.0 & 1 != 0
    }

    /// With the way.
    #[inline]
    #[must_use]
    pub const fn with(self, way: Way) -> Self {
        Self(self.0 | 1 << way.0)
    }

    /// Without the way.
    #[must_use]
    pub const fn without(self, way: Way) -> Self {
        Self(self.0 & !(1 << way.0))
    }

    /// Number of ways.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Bit `i` is the way of index `i`.
    #[inline]
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Its ways in order.
    pub fn iter(self) -> impl Iterator<Item = Way> {
        Way::all().filter(move |way| self.contains(*way))
    }
}

impl fmt::Display for Ways {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.iter().try_for_each(|way| way.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_neighbours() {
        let letters: String = Way::all().map(Way::letter).collect();
        assert_eq!(letters, "1234567abcdef");
        for way in Way::all() {
            assert_eq!(Way::from_letter(way.letter()), Some(way));
            assert_eq!(way.mask().count_ones() as usize, way.len());
            assert_eq!((0..way.len()).fold(0, |bits, place| bits | way.square(place)), way.mask());
            if let Some(lower) = way.lower(1) {
                assert_eq!(lower.higher(1), Some(way));
                assert_eq!(way.lower_on(lower.mask(), 1), way.mask());
                assert_eq!(lower.higher_on(way.mask(), 1), lower.mask());
            }
        }
        assert_eq!(Way::from_letter('a').unwrap().lower(1), None);
        assert_eq!(Way::from_letter('7').unwrap().higher(1), None);
        assert_eq!(Way::from_letter('g'), None);
    }

    #[test]
    fn sets() {
        let c = Way::from_letter('c').unwrap();
        let four = Way::from_letter('4').unwrap();
        let both = Ways::EMPTY.with(c).with(four);
        assert_eq!((both.to_string().as_str(), both.len()), ("4c", 2));
        assert_eq!(both.without(c).without(four).to_string(), "-");
        assert_eq!(Ways::ALL.to_string(), "1234567abcdef");
    }
}

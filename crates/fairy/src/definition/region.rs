//! Regions of the board as the file writes them: files from `a` on the left, ranks from 1 at sente's side.

use crate::board::square::{MOST_FILES, MOST_RANKS, Square, Squares};

/// A region, independent of the size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region(u128);

impl Region {
    /// Nowhere.
    pub const NONE: Self = Self(0);
    /// Everywhere.
    pub const ALL: Self = Self(u128::MAX);

    /// A whole rank.
    #[must_use]
    pub const fn rank(number: u8) -> Self {
        Self(((1 << MOST_FILES) - 1) << ((number - 1) * MOST_FILES))
    }

    /// A whole file, from 0 for `a`.
    #[must_use]
    pub fn file(file: u8) -> Self {
        (1..=MOST_RANKS).fold(Self::NONE, |region, rank| region.and_square(file, rank))
    }

    fn and_square(self, file: u8, rank: u8) -> Self {
        Self(self.0 | 1 << ((rank - 1) * MOST_FILES + file))
    }

    /// Reads `e4`, `*3`, `c*` and `-`, separated by blanks.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut region = Self::NONE;
        for word in text.split_whitespace().take_while(|word| *word != "-") {
            let bad = || format!("`{word}` is no square (e4), rank (*3) or file (c*)");
            let (file, rank) = word.split_at_checked(1).ok_or_else(bad)?;
            let file = match file {
                "*" => None,
                _ => Some(file_number(file).ok_or_else(bad)?),
            };
            let rank = match rank {
                "*" => None,
                _ => Some(rank.parse::<u8>().ok().filter(|n| (1..=MOST_RANKS).contains(n)).ok_or_else(bad)?),
            };
            region = match (file, rank) {
                (None, None) => return Err(bad()),
                (None, Some(rank)) => Self(region.0 | Self::rank(rank).0),
                (Some(file), None) => Self(region.0 | Self::file(file).0),
                (Some(file), Some(rank)) => region.and_square(file, rank),
            };
        }
        Ok(region)
    }

    /// Whether the region is empty.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Its squares on a board of this size.
    #[must_use]
    pub fn on_board(self, files: u8, ranks: u8) -> Squares {
        let inside = |square: &Square| {
            let (file, rank) = (files - 1 - square.column(), ranks - square.row());
            self.0 >> ((rank - 1) * MOST_FILES + file) & 1 != 0
        };
        Squares::board(files, ranks).filter(inside).collect()
    }
}

/// The number of a file, from 0 for `a`.
pub(crate) fn file_number(letter: &str) -> Option<u8> {
    let &[letter] = letter.as_bytes() else { return None };
    letter.to_ascii_lowercase().checked_sub(b'a').filter(|file| *file < MOST_FILES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(text: &str) -> Vec<String> {
        Region::parse(text).unwrap().on_board(5, 6).map(|square| square.to_string()).collect()
    }

    #[test]
    fn forms() {
        assert_eq!(squares("a1"), ["5f"]);
        assert_eq!(squares("e6 E1"), ["1a", "1f"]);
        assert_eq!(squares("*1"), ["1f", "2f", "3f", "4f", "5f"]);
        assert_eq!(squares("c*").len(), 6);
        assert_eq!(squares("*9 - *1"), [""; 0]);
        for bad in ["x", "*", "**", "a0", "a11", "m1", "*0", "a-1", "歩1", "a1b"] {
            assert!(Region::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Region::ALL.on_board(3, 4).len(), 12);
    }
}

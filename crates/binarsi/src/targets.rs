//! The six clear targets.

use crate::way::{Bits, Ways};
use game::Color;

/// A clear target: a line of stones of one colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Target {
    /// Three black stones in a horizontal row.
    Black3 = 0,
    /// Four black stones on a diagonal.
    Black4,
    /// Five black stones in a vertical row.
    Black5,
    /// Three white stones in a vertical row.
    White3,
    /// Four white stones on a diagonal.
    White4,
    /// Five white stones in a horizontal row.
    White5,
}

impl Target {
    /// In the order of SFEN.
    pub const ALL: [Self; 6] =
        [Self::Black3, Self::Black4, Self::Black5, Self::White3, Self::White4, Self::White5];

    /// Its name on the board.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["b3", "b4", "b5", "w3", "w4", "w5"][self as usize]
    }
}

impl Target {
    /// The target that a player still lacks who has the other two.
    #[inline]
    pub(crate) fn last_of(side: Color, cleared: TargetSet) -> Option<Self> {
        let lacking = !cleared.of(side) & 7;
        let first = if side == Color::Black { 0 } else { 3 };
        lacking.is_power_of_two().then(|| Self::ALL[first + lacking.trailing_zeros() as usize])
    }

    /// Whether it is on the board.
    #[inline]
    pub(crate) const fn lies_on(self, black: Bits, white: Bits) -> bool {
        match self {
            Self::Black3 => row3(black, ACROSS),
            Self::Black4 => diagonal4(black),
            Self::Black5 => row5(black, DOWN),
            Self::White3 => row3(white, DOWN),
            Self::White4 => diagonal4(white),
            Self::White5 => row5(white, ACROSS),
        }
    }

    /// The ways that share more than one square with a line: moves on others change at most one of its stones.
    #[inline]
    pub(crate) const fn ways_along(self) -> Ways {
        match self {
            Self::Black3 | Self::White5 => Ways::RANKS,
            Self::Black5 | Self::White3 => Ways::FILES,
            Self::Black4 | Self::White4 => Ways::EMPTY,
        }
    }
}

/// The targets that have been cleared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TargetSet(u8);

impl TargetSet {
    /// None.
    pub const EMPTY: Self = Self(0);

    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & 63)
    }

    /// Bit `i` is the target `i` of [`Target::ALL`].
    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// The targets of one player, as three bits.
    #[inline]
    pub(crate) const fn of(self, side: Color) -> u8 {
        match side {
            Color::Black => self.0 & 7,
            Color::White => self.0 >> 3,
        }
    }

    /// Whether the player has all three.
    #[inline]
    #[must_use]
    pub const fn complete(self, side: Color) -> bool {
        self.of(side) == 7
    }

    /// Whether the target is in the set.
    #[must_use]
    pub const fn contains(self, target: Target) -> bool {
        self.0 >> target as u8 & 1 != 0
    }

    /// The set with `target`.
    #[must_use]
    pub const fn with(self, target: Target) -> Self {
        Self(self.0 | 1 << target as u8)
    }

    /// The union of two sets.
    #[inline]
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Its targets in order.
    pub fn iter(self) -> impl Iterator<Item = Target> {
        Target::ALL.into_iter().filter(move |target| self.contains(*target))
    }

    /// The targets on the board.
    #[inline]
    pub(crate) const fn on_board(black: Bits, white: Bits) -> Self {
        Self(
            row3(black, ACROSS) as u8
                | (diagonal4(black) as u8) << 1
                | (row5(black, DOWN) as u8) << 2
                | (row3(white, DOWN) as u8) << 3
                | (diagonal4(white) as u8) << 4
                | (row5(white, ACROSS) as u8) << 5,
        )
    }
}

const ACROSS: u32 = 1;
const DOWN: u32 = 8;

#[inline]
const fn row3(stones: Bits, step: u32) -> bool {
    stones & stones >> step & stones >> (2 * step) != 0
}

#[inline]
const fn row4(stones: Bits, step: u32) -> Bits {
    let pairs = stones & stones >> step;
    pairs & pairs >> (2 * step)
}

#[inline]
const fn row5(stones: Bits, step: u32) -> bool {
    row4(stones, step) & stones >> (4 * step) != 0
}

#[inline]
const fn diagonal4(stones: Bits) -> bool {
    row4(stones, 7) | row4(stones, 9) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::way::{FILES, RANKS};

    /// Every line of `length` squares in a direction, square by square.
    fn lines(length: i8, (df, dr): (i8, i8)) -> Vec<Bits> {
        let mut found = Vec::new();
        for file in 0..FILES as i8 {
            for rank in 0..RANKS as i8 {
                let (last_file, last_rank) = (file + df * (length - 1), rank + dr * (length - 1));
                if (0..FILES as i8).contains(&last_file) && (0..RANKS as i8).contains(&last_rank) {
                    let square = |i: i8| 1 << (8 * (rank + dr * i) + file + df * i);
                    found.push((0..length).map(square).sum());
                }
            }
        }
        found
    }

    #[test]
    fn every_line_counts_and_one_stone_less_does_not() {
        let diagonals = [lines(4, (1, 1)), lines(4, (1, -1))].concat();
        let expected = [
            (Target::Black3, lines(3, (1, 0))),
            (Target::Black4, diagonals.clone()),
            (Target::Black5, lines(5, (0, 1))),
            (Target::White3, lines(3, (0, 1))),
            (Target::White4, diagonals),
            (Target::White5, lines(5, (1, 0))),
        ];
        for (target, lines) in expected {
            let black = (target as u8) < 3;
            let hits = |line| {
                if black { TargetSet::on_board(line, 0) } else { TargetSet::on_board(0, line) }
            };
            for line in lines {
                assert!(hits(line).contains(target), "{target:?} {line:x}");
                let mut rest = line;
                while rest != 0 {
                    assert!(
                        !hits(line & !(rest & rest.wrapping_neg())).contains(target),
                        "{target:?} {line:x}"
                    );
                    rest &= rest - 1;
                }
            }
        }
    }

    #[test]
    fn lines_do_not_run_round_the_edge() {
        // 6a 7a 1b, and the corresponding diagonals.
        let wrapped = [1 << 5 | 1 << 6 | 1 << 8, 1 << 4 | 1 << 13 | 1 << 22 | 1 << 24];
        for stones in wrapped {
            assert_eq!(TargetSet::on_board(stones, 0), TargetSet::EMPTY);
        }
    }
}

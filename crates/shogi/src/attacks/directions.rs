//! The eight directions of the board and the rays and lines along them.

use crate::{Bitboard, Square};

/// A direction as Black sees the board. The first four lead to larger square numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "compass points, White's edge being north")]
pub enum Direction {
    South,
    NorthWest,
    West,
    SouthWest,
    North,
    SouthEast,
    East,
    NorthEast,
}

impl Direction {
    /// All directions.
    pub const ALL: [Self; 8] = [
        Self::South,
        Self::NorthWest,
        Self::West,
        Self::SouthWest,
        Self::North,
        Self::SouthEast,
        Self::East,
        Self::NorthEast,
    ];

    /// Steps in (file, rank).
    #[must_use]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::South => (0, 1),
            Self::NorthWest => (1, -1),
            Self::West => (1, 0),
            Self::SouthWest => (1, 1),
            Self::North => (0, -1),
            Self::SouthEast => (-1, 1),
            Self::East => (-1, 0),
            Self::NorthEast => (-1, -1),
        }
    }

    /// Whether it leads to larger square numbers.
    #[inline]
    #[must_use]
    pub const fn is_increasing(self) -> bool {
        (self as u8) < 4
    }

    /// Whether it runs along a diagonal.
    #[inline]
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The way back.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[self as usize ^ 4]
    }
}

/// One step from a square, or nothing at the edge.
pub(super) const fn step(square: Square, (file, rank): (i8, i8)) -> Option<Square> {
    let file = square as i8 / 9 + file;
    let rank = square as i8 % 9 + rank;
    if file < 0 || file > 8 || rank < 0 || rank > 8 {
        return None;
    }
    Square::from_index((file * 9 + rank) as u8)
}

static RAYS: [[Bitboard; 81]; 8] = {
    let mut rays = [[Bitboard::EMPTY; 81]; 8];
    let mut d = 0;
    while d < 8 {
        let mut from = 0;
        while from < 81 {
            let delta = Direction::ALL[d].delta();
            let mut next = step(Square::from_index_unchecked(from as u8), delta);
            while let Some(square) = next {
                rays[d][from] = rays[d][from].union(Bitboard::square(square));
                next = step(square, delta);
            }
            from += 1;
        }
        d += 1;
    }
    rays
};

static DIRECTION: [[Option<Direction>; 81]; 81] = {
    let mut table = [[None; 81]; 81];
    let mut from = 0;
    while from < 81 {
        let mut d = 0;
        while d < 8 {
            let delta = Direction::ALL[d].delta();
            let mut next = step(Square::from_index_unchecked(from as u8), delta);
            while let Some(square) = next {
                table[from][square.index()] = Some(Direction::ALL[d]);
                next = step(square, delta);
            }
            d += 1;
        }
        from += 1;
    }
    table
};

/// All squares in one direction, up to the edge.
#[inline]
#[must_use]
pub const fn ray(direction: Direction, from: Square) -> Bitboard {
    RAYS[direction as usize][from.index()]
}

/// The direction that leads from one square to another, if they share a line.
#[inline]
#[must_use]
pub fn direction_between(from: Square, to: Square) -> Option<Direction> {
    DIRECTION[from.index()][to.index()]
}

/// The squares strictly between two squares of a line; empty if they do not share one.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    match direction_between(a, b) {
        Some(direction) => ray(direction, a) & ray(direction.opposite(), b),
        None => Bitboard::EMPTY,
    }
}

/// The whole line through two squares, from edge to edge; empty if they do not share one.
#[inline]
#[must_use]
pub fn line_through(a: Square, b: Square) -> Bitboard {
    match direction_between(a, b) {
        Some(direction) => ray(direction, a) | ray(direction.opposite(), a) | a.into(),
        None => Bitboard::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_and_lines() {
        for direction in Direction::ALL {
            let (file, rank) = direction.delta();
            assert_eq!(direction.opposite().delta(), (-file, -rank));
            assert_eq!(direction.is_increasing(), 9 * file + rank > 0);
            assert_eq!(direction.is_diagonal(), file != 0 && rank != 0);
        }
        for a in Square::all() {
            for b in Square::all() {
                let (files, ranks) = (b.file() as i8 - a.file() as i8, b.rank() as i8 - a.rank() as i8);
                let aligned = a != b && (files == 0 || ranks == 0 || files.abs() == ranks.abs());
                assert_eq!(direction_between(a, b).is_some(), aligned);
                let inner = if aligned { files.abs().max(ranks.abs()) - 1 } else { 0 };
                assert_eq!(i64::from(between(a, b).count()), i64::from(inner));
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line_through(a, b).contains(a), aligned);
                assert_eq!(line_through(a, b), line_through(b, a));
            }
        }
    }
}

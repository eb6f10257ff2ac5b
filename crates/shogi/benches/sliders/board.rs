//! Boards as 128 bits in the layout of [`shogi::Bitboard`] (squares 0 to 62, a hole, squares 63 to 80), and
//! what tables are made from.

use shogi::attacks::{Direction, ray};
use shogi::{Bitboard, Square};

/// The bit of a square.
pub const fn bit(square: usize) -> u128 {
    1 << (square + square / 63)
}

/// All squares.
pub const ALL: u128 = ((1 << 82) - 1) ^ (1 << 63);

/// A set as bits, for building tables and checking, not for timing.
pub fn bits(set: Bitboard) -> u128 {
    set.into_iter().map(|square| bit(square.index())).sum()
}

pub fn square(index: usize) -> Square {
    Square::all().nth(index).expect("a square")
}

pub fn ray_bits(direction: Direction, from: usize) -> u128 {
    bits(ray(direction, square(from)))
}

pub const DIAGONALS: [Direction; 4] =
    [Direction::SouthWest, Direction::NorthWest, Direction::NorthEast, Direction::SouthEast];
pub const STRAIGHTS: [Direction; 4] = [Direction::South, Direction::West, Direction::North, Direction::East];

/// The squares on which a blocker matters: all on the rays but the last of each.
pub fn relevant(directions: &[Direction], from: usize) -> u128 {
    let without_end = |direction: &Direction| {
        let set = ray(*direction, square(from));
        let end = if direction.is_increasing() { set.last() } else { set.first() };
        bits(set) & !end.map_or(0, |end| bit(end.index()))
    };
    directions.iter().map(without_end).fold(0, |all, ray| all | ray)
}

/// Every subset of `mask`.
pub fn subsets(mask: u128) -> impl Iterator<Item = u128> {
    let mut next = Some(0u128);
    std::iter::from_fn(move || {
        let subset = next?;
        next = Some(subset.wrapping_sub(mask) & mask).filter(|subset| *subset != 0);
        Some(subset)
    })
}

/// Xorshift.
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn next_u128(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

/// Random squares with boards that are a quarter to half full, as in games.
pub fn samples(count: usize, seed: u64) -> Vec<(usize, u128)> {
    let mut random = Random::new(seed);
    let mut sample = || {
        let [a, b, c] = [random.next_u128(), random.next_u128(), random.next_u128()];
        let occupied = if a & 1 == 0 { a & b } else { a & b | a & c };
        ((random.next() % 81) as usize, occupied & ALL)
    };
    (0..count).map(|_| sample()).collect()
}

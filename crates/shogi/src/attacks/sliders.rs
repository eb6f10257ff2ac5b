//! Slides of lance, bishop and rook.
//!
//! Towards larger square numbers the first blocker is the lowest bit of `occupied & ray`, and subtracting one
//! from that flips everything up to it: `(blockers ^ (blockers - 1)) & ray` is the answer. Towards smaller
//! numbers the same works on the byte-reversed board, because ranks and diagonals have at most one square in
//! each byte; files are consecutive bits and use the highest bit instead. The masks take 10 kB; there are no
//! occupancy-indexed tables to fall out of the cache.

use super::directions::{Direction, ray};
use crate::{Bitboard, Color, Square};

/// The rays of one square through which two lines pass, ready for the arithmetic above.
#[derive(Clone, Copy)]
struct Rays {
    increasing: [u128; 2],
    /// Rays towards smaller numbers, bytes reversed.
    decreasing: [u128; 2],
}

static DIAGONALS: [Rays; 81] = {
    let mut table = [Rays { increasing: [0; 2], decreasing: [0; 2] }; 81];
    let mut i = 0;
    while i < 81 {
        let square = Square::from_index_unchecked(i as u8);
        table[i].increasing =
            [ray(Direction::SouthWest, square).to_u128(), ray(Direction::NorthWest, square).to_u128()];
        table[i].decreasing = [
            ray(Direction::NorthEast, square).to_u128().swap_bytes(),
            ray(Direction::SouthEast, square).to_u128().swap_bytes(),
        ];
        i += 1;
    }
    table
};

/// West and east; the second entries are the file, south and north (not reversed).
static STRAIGHTS: [Rays; 81] = {
    let mut table = [Rays { increasing: [0; 2], decreasing: [0; 2] }; 81];
    let mut i = 0;
    while i < 81 {
        let square = Square::from_index_unchecked(i as u8);
        table[i].increasing =
            [ray(Direction::West, square).to_u128(), ray(Direction::South, square).to_u128()];
        table[i].decreasing =
            [ray(Direction::East, square).to_u128().swap_bytes(), ray(Direction::North, square).to_u128()];
        i += 1;
    }
    table
};

#[inline(always)]
fn slide(occupied: u128, ray: u128) -> u128 {
    let blockers = occupied & ray;
    (blockers ^ blockers.wrapping_sub(1)) & ray
}

/// Up the file, towards smaller numbers; `ray` lies within one word.
#[inline(always)]
fn slide_north(occupied: Bitboard, ray: Bitboard) -> Bitboard {
    let [o, r] = [occupied.words(), ray.words()];
    Bitboard::from_words(std::array::from_fn(|i| {
        // With no blocker the mask must not cut anything, and bit 0 cuts nothing.
        r[i] & u64::MAX << (o[i] & r[i] | 1).ilog2()
    }))
}

/// Down the file, towards larger numbers; `ray` lies within one word.
#[inline(always)]
fn slide_south(occupied: Bitboard, ray: Bitboard) -> Bitboard {
    let [o, r] = [occupied.words(), ray.words()];
    Bitboard::from_words(std::array::from_fn(|i| {
        let blockers = o[i] & r[i];
        (blockers ^ blockers.wrapping_sub(1)) & r[i]
    }))
}

/// The squares a lance attacks.
#[inline]
#[must_use]
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &STRAIGHTS[square.index()];
    match color {
        Color::Black => slide_north(occupied, Bitboard::from_u128(rays.decreasing[1])),
        Color::White => slide_south(occupied, Bitboard::from_u128(rays.increasing[1])),
    }
}

/// The squares a bishop attacks.
#[inline]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &DIAGONALS[square.index()];
    let occupied = occupied.to_u128();
    let reversed = occupied.swap_bytes();
    let increasing = slide(occupied, rays.increasing[0]) | slide(occupied, rays.increasing[1]);
    let decreasing = slide(reversed, rays.decreasing[0]) | slide(reversed, rays.decreasing[1]);
    Bitboard::from_u128(increasing | decreasing.swap_bytes())
}

/// The squares a rook attacks.
#[inline]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &STRAIGHTS[square.index()];
    let file = slide_south(occupied, Bitboard::from_u128(rays.increasing[1]))
        | slide_north(occupied, Bitboard::from_u128(rays.decreasing[1]));
    let occupied = occupied.to_u128();
    let west = slide(occupied, rays.increasing[0]);
    let east = slide(occupied.swap_bytes(), rays.decreasing[0]).swap_bytes();
    Bitboard::from_u128(west | east) | file
}

#[cfg(test)]
mod tests {
    use super::super::directions::step;
    use super::*;

    /// Walks square by square.
    fn walk(square: Square, occupied: Bitboard, directions: &[Direction]) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for direction in directions {
            let mut at = square;
            while let Some(next) = step(at, direction.delta()) {
                attacked |= next.into();
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        attacked
    }

    #[test]
    fn computed_slides_equal_walked_ones() {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for round in 0..400 {
            let mut words = [random(), random()];
            for _ in 0..round % 4 {
                words = [words[0] & random(), words[1] & random()];
            }
            let occupied = Bitboard::from_words(words) & Bitboard::ALL;
            for square in Square::all() {
                assert_eq!(lance(Color::Black, square, occupied), walk(square, occupied, &[North]));
                assert_eq!(lance(Color::White, square, occupied), walk(square, occupied, &[South]));
                let diagonals = [NorthEast, NorthWest, SouthEast, SouthWest];
                assert_eq!(bishop(square, occupied), walk(square, occupied, &diagonals));
                let straights = [North, South, East, West];
                assert_eq!(rook(square, occupied), walk(square, occupied, &straights));
            }
        }
    }
}

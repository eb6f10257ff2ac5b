//! Each ray for itself: find the first blocker, cut off the ray behind it.

use crate::board::ray_bits;
use shogi::attacks::Direction;

/// Rays of one direction from each bit; bit 127, which nothing occupies, stands for "no blocker" upwards.
type Rays = [u128; 128];

pub const BISHOP_BYTES: usize = 4 * size_of::<Rays>();
pub const ROOK_BYTES: usize = 4 * size_of::<Rays>();

#[inline(always)]
fn up(rays: &Rays, from: usize, occupied: u128) -> u128 {
    let ray = rays[from];
    let first = (occupied & ray | 1 << 127).trailing_zeros();
    ray ^ rays[first as usize]
}

#[inline(always)]
fn down(rays: &Rays, from: usize, occupied: u128) -> u128 {
    let ray = rays[from];
    // Square 0 ends every ray that reaches it: nothing lies behind it, blocker or not.
    let first = (occupied & ray | 1).ilog2();
    ray ^ rays[first as usize]
}

/// The rays of all directions.
pub struct Table([Rays; 8]);

impl Table {
    pub fn new() -> Self {
        Self(Direction::ALL.map(|direction| {
            let mut rays = [0; 128];
            for square in 0..81 {
                rays[square + square / 63] = ray_bits(direction, square);
            }
            rays
        }))
    }

    #[inline(always)]
    fn four(&self, parity: usize, square: usize, occupied: u128) -> u128 {
        // The first four directions lead to larger numbers; diagonals have odd numbers.
        let from = square + square / 63;
        up(&self.0[parity], from, occupied)
            | up(&self.0[parity + 2], from, occupied)
            | down(&self.0[parity + 4], from, occupied)
            | down(&self.0[parity + 6], from, occupied)
    }

    #[inline(always)]
    pub fn bishop(&self, square: usize, occupied: u128) -> u128 {
        self.four(1, square, occupied)
    }

    #[inline(always)]
    pub fn rook(&self, square: usize, occupied: u128) -> u128 {
        self.four(0, square, occupied)
    }
}

//! A table for every occupancy, found by multiplication.
//!
//! The two words are merged by `|`: the inner squares of a piece's lines never fall on each other. Multipliers
//! are searched at the start; where none of the least size turns up soon, the table of a square is doubled.

use crate::board::{DIAGONALS, Random, STRAIGHTS, bits, relevant, square, subsets};
use shogi::attacks::{self, Direction};
use shogi::{Bitboard, Square};

#[derive(Clone, Copy, Default)]
struct Magic {
    mask: u128,
    factor: u64,
    shift: u32,
    offset: u32,
}

pub struct Table {
    magics: [Magic; 81],
    attacks: Vec<u128>,
}

const TRIES: usize = 20_000;

#[inline(always)]
fn index(magic: &Magic, occupied: u128) -> usize {
    let blockers = occupied & magic.mask;
    let merged = blockers as u64 | (blockers >> 64) as u64;
    (merged.wrapping_mul(magic.factor) >> magic.shift) as usize
}

/// Different attacks in one place would be wrong; equal ones are welcome.
fn fill(magic: &Magic, wanted: &[(u128, u128)], table: &mut [u128]) -> bool {
    table.fill(0);
    wanted.iter().all(|(occupied, attacks)| {
        let entry = &mut table[index(magic, *occupied)];
        (*entry == 0 || entry == attacks) && {
            *entry = *attacks;
            true
        }
    })
}

impl Table {
    pub fn bishop() -> Self {
        Self::new(&DIAGONALS, attacks::bishop)
    }

    pub fn rook() -> Self {
        Self::new(&STRAIGHTS, attacks::rook)
    }

    fn new(directions: &[Direction], slow: fn(Square, Bitboard) -> Bitboard) -> Self {
        let mut random = Random::new(0x00c0_ffee);
        let mut table = Self { magics: [Magic::default(); 81], attacks: Vec::new() };
        for from in 0..81 {
            let mask = relevant(directions, from);
            let set = |bits: u128| -> Bitboard {
                Square::all().filter(|s| bits & crate::board::bit(s.index()) != 0).collect()
            };
            let wanted: Vec<(u128, u128)> =
                subsets(mask).map(|occupied| (occupied, bits(slow(square(from), set(occupied))))).collect();
            let (magic, attacks) = find(mask, &wanted, &mut random);
            table.magics[from] = Magic { offset: table.attacks.len() as u32, ..magic };
            table.attacks.extend(attacks);
        }
        table
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.magics) + size_of_val(&self.attacks[..])
    }

    #[inline(always)]
    pub fn attacks(&self, square: usize, occupied: u128) -> u128 {
        let magic = &self.magics[square];
        let index = magic.offset as usize + index(magic, occupied);
        debug_assert!(index < self.attacks.len());
        // SAFETY: the shift leaves an index below the size of this square's table.
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

fn find(mask: u128, wanted: &[(u128, u128)], random: &mut Random) -> (Magic, Vec<u128>) {
    for extra in 0.. {
        let size = mask.count_ones() + extra;
        let mut table = vec![0; 1 << size];
        for _ in 0..TRIES {
            let factor = random.next() & random.next() & random.next();
            let magic = Magic { mask, factor, shift: 64 - size, offset: 0 };
            if fill(&magic, wanted, &mut table) {
                return (magic, table);
            }
        }
    }
    unreachable!("a large enough table has room for every occupancy")
}

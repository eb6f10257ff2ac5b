//! A table for every occupancy, found by the instruction PEXT (BMI2; slow before Zen 3).

use crate::board::{DIAGONALS, STRAIGHTS, bit, bits, relevant, square, subsets};
use shogi::attacks::{self, Direction};
use shogi::{Bitboard, Square};
use std::arch::x86_64::_pext_u64;

#[derive(Clone, Copy, Default)]
struct Entry {
    mask: u128,
    offset: u32,
    low_bits: u32,
}

/// It exists only where the processor has BMI2.
pub struct Table {
    entries: [Entry; 81],
    attacks: Vec<u128>,
}

#[inline]
#[target_feature(enable = "bmi2")]
fn index(entry: &Entry, occupied: u128) -> usize {
    let low = _pext_u64(occupied as u64, entry.mask as u64);
    let high = _pext_u64((occupied >> 64) as u64, (entry.mask >> 64) as u64);
    (low | high << entry.low_bits) as usize
}

impl Table {
    pub fn bishop() -> Option<Self> {
        Self::new(&DIAGONALS, attacks::bishop)
    }

    pub fn rook() -> Option<Self> {
        Self::new(&STRAIGHTS, attacks::rook)
    }

    fn new(directions: &[Direction], slow: fn(Square, Bitboard) -> Bitboard) -> Option<Self> {
        if !is_x86_feature_detected!("bmi2") {
            return None;
        }
        let mut table = Self { entries: [Entry::default(); 81], attacks: Vec::new() };
        for from in 0..81 {
            let mask = relevant(directions, from);
            let offset = table.attacks.len();
            let entry = Entry { mask, offset: offset as u32, low_bits: (mask as u64).count_ones() };
            table.entries[from] = entry;
            table.attacks.resize(offset + (1 << mask.count_ones()), 0);
            for occupied in subsets(mask) {
                let set: Bitboard = Square::all().filter(|s| occupied & bit(s.index()) != 0).collect();
                // SAFETY: BMI2 was detected above.
                let index = unsafe { index(&entry, occupied) };
                table.attacks[offset + index] = bits(slow(square(from), set));
            }
        }
        Some(table)
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.entries) + size_of_val(&self.attacks[..])
    }

    #[inline(always)]
    pub fn attacks(&self, square: usize, occupied: u128) -> u128 {
        let entry = &self.entries[square];
        // SAFETY: a table is only made where BMI2 is.
        let index = entry.offset as usize + unsafe { index(entry, occupied) };
        debug_assert!(index < self.attacks.len());
        // SAFETY: the index has as many bits as the mask, and this square's table an entry for each.
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

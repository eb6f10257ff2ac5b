//! Both ways along a line at once: `o ^ (o - 2r)`, forwards and with the bytes reversed. Files, whose squares
//! share bytes, are looked up by the seven inner squares.

use crate::board::{bit, bits, ray_bits, square};
use shogi::Bitboard;
use shogi::attacks::{Direction, rook as crate_rook};

#[derive(Clone, Copy, Default)]
struct Line {
    mask: u128,
    twice_reversed_from: u128,
}

#[derive(Clone, Copy, Default)]
struct Lines {
    twice_from: u128,
    lines: [Line; 2],
}

type FileTable = [[u16; 128]; 9];

pub const BISHOP_BYTES: usize = 81 * size_of::<Lines>();
pub const ROOK_BYTES: usize = 81 * size_of::<Lines>() + size_of::<FileTable>();

fn line(square: usize, one_way: Direction) -> Line {
    let mask = ray_bits(one_way, square) | ray_bits(one_way.opposite(), square);
    Line { mask, twice_reversed_from: bit(square).swap_bytes().wrapping_shl(1) }
}

#[inline(always)]
fn along(line: &Line, twice_from: u128, occupied: u128) -> u128 {
    let blockers = occupied & line.mask;
    let forwards = blockers.wrapping_sub(twice_from);
    let backwards = blockers.swap_bytes().wrapping_sub(line.twice_reversed_from).swap_bytes();
    (forwards ^ backwards) & line.mask
}

/// Lines of all squares.
pub struct Table {
    diagonals: [Lines; 81],
    ranks: [Lines; 81],
    /// Attacks within file 1 by rank and inner blockers.
    files: FileTable,
}

impl Table {
    pub fn new() -> Self {
        let attacks_on_file = |rank, inner: usize| {
            let blockers: Bitboard = (0..7).filter(|i| inner >> i & 1 == 1).map(|i| square(i + 1)).collect();
            (bits(crate_rook(square(rank), blockers)) & 0x1ff) as u16
        };
        Self {
            diagonals: std::array::from_fn(|square| Lines {
                twice_from: bit(square) << 1,
                lines: [line(square, Direction::SouthWest), line(square, Direction::NorthWest)],
            }),
            ranks: std::array::from_fn(|square| Lines {
                twice_from: bit(square) << 1,
                lines: [line(square, Direction::West), Line::default()],
            }),
            files: std::array::from_fn(|rank| std::array::from_fn(|inner| attacks_on_file(rank, inner))),
        }
    }

    #[inline(always)]
    pub fn bishop(&self, square: usize, occupied: u128) -> u128 {
        let Lines { twice_from, lines } = &self.diagonals[square];
        along(&lines[0], *twice_from, occupied) | along(&lines[1], *twice_from, occupied)
    }

    #[inline(always)]
    pub fn rook(&self, square: usize, occupied: u128) -> u128 {
        let Lines { twice_from, lines } = &self.ranks[square];
        let (file, rank) = (square / 9, square % 9);
        let shift = 9 * file + file / 7;
        let inner = (occupied >> (shift + 1)) as usize & 0x7f;
        along(&lines[0], *twice_from, occupied) | u128::from(self.files[rank][inner]) << shift
    }
}

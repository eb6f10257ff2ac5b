//! What the crate does: bytes reversed and one subtracted, on 128-bit integers.

use shogi::attacks;
use shogi::{Bitboard, Square};

/// Four rays of 16 bytes for each square.
pub const BISHOP_BYTES: usize = 81 * 4 * 16;
pub const ROOK_BYTES: usize = 81 * 4 * 16;

// `Bitboard` is a `u128` whose bits are not public, and conversions square by square would be all that is timed.
const _: () = assert!(size_of::<Bitboard>() == size_of::<u128>());

#[inline(always)]
fn set(bits: u128) -> Bitboard {
    // SAFETY: equal size (above); the layout is documented, checked by `candidate`, and any bits are a value.
    unsafe { std::mem::transmute(bits) }
}

#[inline(always)]
fn bits(set: Bitboard) -> u128 {
    // SAFETY: as above, and a `u128` takes any bits.
    unsafe { std::mem::transmute(set) }
}

#[inline(always)]
fn square(index: usize) -> Square {
    debug_assert!(index < Square::COUNT);
    // SAFETY: `Square` has the discriminants 0 to 80, and the samples are below 81.
    unsafe { std::mem::transmute(index as u8) }
}

#[inline(always)]
pub fn bishop(index: usize, occupied: u128) -> u128 {
    bits(attacks::bishop(square(index), set(occupied)))
}

#[inline(always)]
pub fn rook(index: usize, occupied: u128) -> u128 {
    bits(attacks::rook(square(index), set(occupied)))
}

//! The crate's method in vector registers: all four rays of a bishop at once, both of a rank.
//!
//! One vector holds the low words of board and reversed board, another the high words, so that a 128-bit
//! decrement is two additions and a comparison.

use crate::board::ray_bits;
use shogi::attacks::Direction;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi64, _mm_and_si128, _mm_cmpeq_epi64, _mm_or_si128, _mm_set_epi8,
    _mm_set_epi64x, _mm_set1_epi64x, _mm_setzero_si128, _mm_shuffle_epi8, _mm_unpackhi_epi64,
    _mm_unpacklo_epi64, _mm_xor_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_unpackhi_epi64,
    _mm256_unpacklo_epi64, _mm256_xor_si256,
};

/// Words of the rays in the order of the lanes: up, down (reversed), up, down (reversed).
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Diagonals {
    low: [u64; 4],
    high: [u64; 4],
}

/// West and east (reversed) by words, then south and north as they are.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Straights {
    low: [u64; 2],
    high: [u64; 2],
    south: u128,
    north: u128,
}

pub const BISHOP_BYTES: usize = 81 * size_of::<Diagonals>();
pub const ROOK_BYTES: usize = 81 * size_of::<Straights>();

/// Exists only where the processor has AVX2.
pub struct Table {
    diagonals: [Diagonals; 81],
    straights: [Straights; 81],
}

impl Table {
    pub fn new() -> Option<Self> {
        let low = |ray: u128| ray as u64;
        let high = |ray: u128| (ray >> 64) as u64;
        let diagonals = |square| {
            let rays = [
                ray_bits(Direction::SouthWest, square),
                ray_bits(Direction::NorthEast, square).swap_bytes(),
                ray_bits(Direction::NorthWest, square),
                ray_bits(Direction::SouthEast, square).swap_bytes(),
            ];
            Diagonals { low: rays.map(low), high: rays.map(high) }
        };
        let straights = |square| {
            let rays = [ray_bits(Direction::West, square), ray_bits(Direction::East, square).swap_bytes()];
            Straights {
                low: rays.map(low),
                high: rays.map(high),
                south: ray_bits(Direction::South, square),
                north: ray_bits(Direction::North, square),
            }
        };
        is_x86_feature_detected!("avx2").then(|| Self {
            diagonals: std::array::from_fn(diagonals),
            straights: std::array::from_fn(straights),
        })
    }

    #[inline(always)]
    pub fn bishop(&self, square: usize, occupied: u128) -> u128 {
        // SAFETY: `self` exists only where AVX2 was detected.
        unsafe { bishop(&self.diagonals[square], occupied) }
    }

    #[inline(always)]
    pub fn rook(&self, square: usize, occupied: u128) -> u128 {
        // SAFETY: as above; AVX2 includes SSE4.1.
        unsafe { rook(&self.straights[square], occupied) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn vector(bits: u128) -> __m128i {
    _mm_set_epi64x((bits >> 64) as i64, bits as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn integer(vector: __m128i) -> u128 {
    // SAFETY: both are 16 bytes without invalid values.
    unsafe { std::mem::transmute(vector) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn reversal() -> __m128i {
    _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load256(words: &[u64; 4]) -> __m256i {
    // SAFETY: both are 32 bytes without invalid values.
    unsafe { std::mem::transmute(*words) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load128(words: &[u64; 2]) -> __m128i {
    // SAFETY: both are 16 bytes without invalid values.
    unsafe { std::mem::transmute(*words) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn bishop(rays: &Diagonals, occupied: u128) -> u128 {
    let (ray_low, ray_high) = (load256(&rays.low), load256(&rays.high));
    let occupied = vector(occupied);
    let reversed = _mm256_broadcastsi128_si256(_mm_shuffle_epi8(occupied, reversal()));
    let occupied = _mm256_broadcastsi128_si256(occupied);
    let low = _mm256_and_si256(_mm256_unpacklo_epi64(occupied, reversed), ray_low);
    let high = _mm256_and_si256(_mm256_unpackhi_epi64(occupied, reversed), ray_high);
    let less_low = _mm256_add_epi64(low, _mm256_set1_epi64x(-1));
    // The comparison is -1 where the low word was 0 and borrows.
    let less_high = _mm256_add_epi64(high, _mm256_cmpeq_epi64(low, _mm256_setzero_si256()));
    let low = _mm256_and_si256(_mm256_xor_si256(low, less_low), ray_low);
    let high = _mm256_and_si256(_mm256_xor_si256(high, less_high), ray_high);
    let up = _mm256_unpacklo_epi64(low, high);
    let down = _mm256_unpackhi_epi64(low, high);
    let down = _mm256_shuffle_epi8(down, _mm256_broadcastsi128_si256(reversal()));
    let both = _mm256_or_si256(up, down);
    integer(_mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn rank(rays: &Straights, occupied: u128) -> u128 {
    let (ray_low, ray_high) = (load128(&rays.low), load128(&rays.high));
    let occupied = vector(occupied);
    let reversed = _mm_shuffle_epi8(occupied, reversal());
    let low = _mm_and_si128(_mm_unpacklo_epi64(occupied, reversed), ray_low);
    let high = _mm_and_si128(_mm_unpackhi_epi64(occupied, reversed), ray_high);
    let less_low = _mm_add_epi64(low, _mm_set1_epi64x(-1));
    let less_high = _mm_add_epi64(high, _mm_cmpeq_epi64(low, _mm_setzero_si128()));
    let low = _mm_and_si128(_mm_xor_si128(low, less_low), ray_low);
    let high = _mm_and_si128(_mm_xor_si128(high, less_high), ray_high);
    let west = _mm_unpacklo_epi64(low, high);
    let east = _mm_shuffle_epi8(_mm_unpackhi_epi64(low, high), reversal());
    integer(_mm_or_si128(west, east))
}

#[inline]
#[target_feature(enable = "avx2")]
fn rook(rays: &Straights, occupied: u128) -> u128 {
    let words = |bits: u128| [bits as u64, (bits >> 64) as u64];
    let [o, s, n] = [words(occupied), words(rays.south), words(rays.north)];
    // A file lies within one word.
    let file = [0, 1].map(|i| {
        let blockers = o[i] & s[i];
        let first = (o[i] & n[i] | 1).ilog2();
        (blockers ^ blockers.wrapping_sub(1)) & s[i] | n[i] & u64::MAX << first
    });
    rank(rays, occupied) | u128::from(file[0]) | u128::from(file[1]) << 64
}

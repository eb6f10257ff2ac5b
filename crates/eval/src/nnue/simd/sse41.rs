//! SSE4.1 (with the SSSE3 it implies).

use super::composite::kernels;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::x86_64::*;

type Vector = __m128i;
type Bytes = __m128i;
const LANES: usize = 4;

const VECTOR_COST: f64 = 2.25;

#[inline]
#[target_feature(enable = "sse4.1")]
fn load(numbers: &[i32]) -> Vector {
    let numbers: &[i32; LANES] = numbers.first_chunk().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_loadu_si128(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn store(vector: Vector, numbers: &mut [i32]) {
    let numbers: &mut [i32; LANES] = numbers.first_chunk_mut().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_storeu_si128(numbers.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn splat(inputs: [u8; 4]) -> Bytes {
    _mm_set1_epi32(i32::from_ne_bytes(inputs))
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn load_weights(weights: &[i8]) -> __m128i {
    let weights: &[i8; 4 * LANES] = weights.first_chunk().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_loadu_si128(weights.as_ptr().cast()) }
}

/// Inputs are at most 127, so that a pair of products fits 16 bits.
#[inline]
#[target_feature(enable = "sse4.1")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    let pairs = _mm_maddubs_epi16(inputs, load_weights(weights));
    _mm_add_epi32(sums, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
}

/// Sums wait for a single addition.
const CHAINS: usize = 1;

#[inline]
#[target_feature(enable = "sse4.1")]
fn begin(sums: Vector) -> [Vector; CHAINS] {
    [sums]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn total([sums]: [Vector; CHAINS]) -> Vector {
    sums
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn dot_four<const GENTLE: bool>(
    [sums]: [Vector; CHAINS],
    inputs: [Bytes; 4],
    weights: [&[i8]; 4],
) -> [Vector; CHAINS] {
    let pairs = [
        _mm_maddubs_epi16(inputs[0], load_weights(weights[0])),
        _mm_maddubs_epi16(inputs[1], load_weights(weights[1])),
        _mm_maddubs_epi16(inputs[2], load_weights(weights[2])),
        _mm_maddubs_epi16(inputs[3], load_weights(weights[3])),
    ];
    let ones = _mm_set1_epi16(1);
    let sums = if GENTLE {
        let left = _mm_add_epi16(pairs[0], pairs[1]);
        let right = _mm_add_epi16(pairs[2], pairs[3]);
        _mm_add_epi32(sums, _mm_madd_epi16(_mm_add_epi16(left, right), ones))
    } else {
        let left = _mm_add_epi32(_mm_madd_epi16(pairs[0], ones), _mm_madd_epi16(pairs[1], ones));
        let right = _mm_add_epi32(_mm_madd_epi16(pairs[2], ones), _mm_madd_epi16(pairs[3], ones));
        _mm_add_epi32(sums, _mm_add_epi32(left, right))
    };
    [sums]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn quarters(numbers: &[i16; 32]) -> [__m128i; 4] {
    let pointer: *const __m128i = numbers.as_ptr().cast();
    // SAFETY: the array has 64 bytes.
    std::array::from_fn(|quarter| unsafe { _mm_loadu_si128(pointer.add(quarter)) })
}

/// Writes the bytes and tells which groups of four are not 0.
#[inline]
#[target_feature(enable = "sse4.1")]
fn finish(bytes: [__m128i; 2], outputs: &mut [u8; 32]) -> u8 {
    let pointer: *mut __m128i = outputs.as_mut_ptr().cast();
    let mut bits = 0;
    for (half, bytes) in bytes.into_iter().enumerate() {
        // SAFETY: the array has 32 bytes.
        unsafe { _mm_storeu_si128(pointer.add(half), bytes) };
        // No byte has its highest bit set, so that groups are positive numbers or 0.
        let positive = _mm_cmpgt_epi32(bytes, _mm_setzero_si128());
        bits |= _mm_movemask_ps(_mm_castsi128_ps(positive)) << (4 * half);
    }
    bits as u8
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn clip(sums: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let [a, b, c, d] = quarters(sums);
    let clip = |a, b| _mm_max_epi8(_mm_packs_epi16(a, b), _mm_setzero_si128());
    finish([clip(a, b), clip(c, d)], outputs)
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn multiply(a: &[i16; 32], b: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let most = _mm_set1_epi16(254);
    let (a, b) = (quarters(a), quarters(b));
    // A negative product is packed to 0.
    let product = |quarter: usize| {
        let left = _mm_max_epi16(_mm_min_epi16(a[quarter], most), _mm_setzero_si128());
        _mm_mulhi_epi16(_mm_slli_epi16::<7>(left), _mm_min_epi16(b[quarter], most))
    };
    let packed = |first| _mm_packus_epi16(product(first), product(first + 1));
    finish([packed(0), packed(2)], outputs)
}

pub(super) type Row = [__m128i; 4];

pub(super) const TILE: usize = 2;

#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn load_row(numbers: &[i16; 32]) -> Row {
    let pointer: *const __m128i = numbers.as_ptr().cast();
    // SAFETY: the array has 64 bytes.
    unsafe {
        [
            _mm_loadu_si128(pointer),
            _mm_loadu_si128(pointer.add(1)),
            _mm_loadu_si128(pointer.add(2)),
            _mm_loadu_si128(pointer.add(3)),
        ]
    }
}

#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn store_row(row: Row, numbers: &mut [i16; 32]) {
    let pointer: *mut __m128i = numbers.as_mut_ptr().cast();
    // SAFETY: the array has 64 bytes.
    unsafe {
        _mm_storeu_si128(pointer, row[0]);
        _mm_storeu_si128(pointer.add(1), row[1]);
        _mm_storeu_si128(pointer.add(2), row[2]);
        _mm_storeu_si128(pointer.add(3), row[3]);
    }
}

#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn add_row(a: Row, b: Row) -> Row {
    [
        _mm_add_epi16(a[0], b[0]),
        _mm_add_epi16(a[1], b[1]),
        _mm_add_epi16(a[2], b[2]),
        _mm_add_epi16(a[3], b[3]),
    ]
}

#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn subtract_row(a: Row, b: Row) -> Row {
    [
        _mm_sub_epi16(a[0], b[0]),
        _mm_sub_epi16(a[1], b[1]),
        _mm_sub_epi16(a[2], b[2]),
        _mm_sub_epi16(a[3], b[3]),
    ]
}

kernels!(#[target_feature(enable = "sse4.1")]);

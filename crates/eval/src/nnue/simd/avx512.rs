//! AVX-512 without VNNI.

use super::composite::kernels;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::x86_64::*;

pub(super) type Vector = __m512i;
pub(super) type Bytes = __m512i;
pub(super) const LANES: usize = 16;

const VECTOR_COST: f64 = 2.25;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn load(numbers: &[i32]) -> Vector {
    let numbers: &[i32; LANES] = numbers.first_chunk().expect("a full vector");
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn store(vector: Vector, numbers: &mut [i32]) {
    let numbers: &mut [i32; LANES] = numbers.first_chunk_mut().expect("a full vector");
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn splat(inputs: [u8; 4]) -> Bytes {
    _mm512_set1_epi32(i32::from_ne_bytes(inputs))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn load_weights(weights: &[i8]) -> __m512i {
    let weights: &[i8; 4 * LANES] = weights.first_chunk().expect("a full vector");
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(weights.as_ptr().cast()) }
}

/// Inputs are at most 127, so that a pair of products fits 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    let pairs = _mm512_maddubs_epi16(inputs, load_weights(weights));
    _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}

/// Sums wait for a single addition.
const CHAINS: usize = 1;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn begin(sums: Vector) -> [Vector; CHAINS] {
    [sums]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn total([sums]: [Vector; CHAINS]) -> Vector {
    sums
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn dot_four<const GENTLE: bool>(
    [sums]: [Vector; CHAINS],
    inputs: [Bytes; 4],
    weights: [&[i8]; 4],
) -> [Vector; CHAINS] {
    let pairs = [
        _mm512_maddubs_epi16(inputs[0], load_weights(weights[0])),
        _mm512_maddubs_epi16(inputs[1], load_weights(weights[1])),
        _mm512_maddubs_epi16(inputs[2], load_weights(weights[2])),
        _mm512_maddubs_epi16(inputs[3], load_weights(weights[3])),
    ];
    let ones = _mm512_set1_epi16(1);
    let sums = if GENTLE {
        let left = _mm512_add_epi16(pairs[0], pairs[1]);
        let right = _mm512_add_epi16(pairs[2], pairs[3]);
        _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_add_epi16(left, right), ones))
    } else {
        let left = _mm512_add_epi32(_mm512_madd_epi16(pairs[0], ones), _mm512_madd_epi16(pairs[1], ones));
        let right = _mm512_add_epi32(_mm512_madd_epi16(pairs[2], ones), _mm512_madd_epi16(pairs[3], ones));
        _mm512_add_epi32(sums, _mm512_add_epi32(left, right))
    };
    [sums]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn load_sums(sums: &[i16; 32]) -> __m512i {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(sums.as_ptr().cast()) }
}

/// Writes 32 numbers of 0 to 127, and tells which groups of four are not 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn finish(numbers: __m512i, outputs: &mut [u8; 32]) -> u8 {
    let bytes = _mm512_cvtepi16_epi8(numbers);
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_storeu_si256(outputs.as_mut_ptr().cast(), bytes) };
    _mm256_test_epi32_mask(bytes, bytes)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn clip(sums: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let clipped = _mm512_min_epi16(load_sums(sums), _mm512_set1_epi16(127));
    finish(_mm512_max_epi16(clipped, _mm512_setzero_si512()), outputs)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn multiply(a: &[i16; 32], b: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let (most, zero) = (_mm512_set1_epi16(254), _mm512_setzero_si512());
    let limit = |sums| _mm512_max_epi16(_mm512_min_epi16(load_sums(sums), most), zero);
    finish(_mm512_mulhi_epi16(_mm512_slli_epi16::<7>(limit(a)), limit(b)), outputs)
}

pub(super) type Row = __m512i;

pub(super) const TILE: usize = 16;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn load_row(numbers: &[i16; 32]) -> Row {
    load_sums(numbers)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn store_row(row: Row, numbers: &mut [i16; 32]) {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), row) };
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn add_row(a: Row, b: Row) -> Row {
    _mm512_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn subtract_row(a: Row, b: Row) -> Row {
    _mm512_sub_epi16(a, b)
}

kernels!(#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,bmi1,popcnt")]);

//! AVX-512 without VNNI.

use super::composite::kernels;
use super::products::paired_products;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::x86_64::*;

pub(super) type Vector = __m512i;
pub(super) type Bytes = __m512i;
pub(super) const LANES: usize = 16;

const VECTOR_COST: f64 = 2.25;

paired_products!(
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_set1_epi32,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_add_epi32,
    _mm512_maddubs_epi16,
    _mm512_madd_epi16
);

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn load_sums(sums: &[i16; 32]) -> __m512i {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(sums.as_ptr().cast()) }
}

/// Writes 32 numbers of 0 to 127, and returns which groups of four are not 0.
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

//! AVX2.

use super::composite::kernels;
use super::products::paired_products;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::x86_64::*;

pub(super) type Vector = __m256i;
pub(super) type Bytes = __m256i;
pub(super) const LANES: usize = 8;

const VECTOR_COST: f64 = 2.25;

paired_products!(
    #[target_feature(enable = "avx2")]
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_set1_epi32,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_add_epi32,
    _mm256_maddubs_epi16,
    _mm256_madd_epi16
);

#[inline]
#[target_feature(enable = "avx2")]
fn halves(numbers: &[i16; 32]) -> [__m256i; 2] {
    let pointer: *const __m256i = numbers.as_ptr().cast();
    // SAFETY: the array has 64 bytes.
    unsafe { [_mm256_loadu_si256(pointer), _mm256_loadu_si256(pointer.add(1))] }
}

/// Reorders packed bytes, writes them, and returns which groups of four are not 0.
#[inline]
#[target_feature(enable = "avx2")]
fn finish(packed: __m256i, outputs: &mut [u8; 32]) -> u8 {
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_storeu_si256(outputs.as_mut_ptr().cast(), bytes) };
    // No byte has its highest bit set, so that groups are positive numbers or 0.
    let positive = _mm256_cmpgt_epi32(bytes, _mm256_setzero_si256());
    _mm256_movemask_ps(_mm256_castsi256_ps(positive)) as u8
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn clip(sums: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let [a, b] = halves(sums);
    finish(_mm256_max_epi8(_mm256_packs_epi16(a, b), _mm256_setzero_si256()), outputs)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn multiply(a: &[i16; 32], b: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let most = _mm256_set1_epi16(254);
    let zero = _mm256_setzero_si256();
    let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
    let left = |x| _mm256_slli_epi16::<7>(_mm256_max_epi16(_mm256_min_epi16(x, most), zero));
    // A negative product is packed to 0.
    let products = [
        _mm256_mulhi_epi16(left(a0), _mm256_min_epi16(b0, most)),
        _mm256_mulhi_epi16(left(a1), _mm256_min_epi16(b1, most)),
    ];
    finish(_mm256_packus_epi16(products[0], products[1]), outputs)
}

pub(super) type Row = [__m256i; 2];

pub(super) const TILE: usize = 4;

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_row(numbers: &[i16; 32]) -> Row {
    halves(numbers)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_row(row: Row, numbers: &mut [i16; 32]) {
    let pointer: *mut __m256i = numbers.as_mut_ptr().cast();
    // SAFETY: the array has 64 bytes.
    unsafe {
        _mm256_storeu_si256(pointer, row[0]);
        _mm256_storeu_si256(pointer.add(1), row[1]);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn add_row(a: Row, b: Row) -> Row {
    [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn subtract_row(a: Row, b: Row) -> Row {
    [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])]
}

kernels!(#[target_feature(enable = "avx2,bmi1,popcnt")]);

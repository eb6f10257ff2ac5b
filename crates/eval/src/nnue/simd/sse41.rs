//! SSE4.1 (with the SSSE3 it implies).

use super::composite::kernels;
use super::products::paired_products;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::x86_64::*;

pub(super) type Vector = __m128i;
pub(super) type Bytes = __m128i;
pub(super) const LANES: usize = 4;

const VECTOR_COST: f64 = 2.25;

paired_products!(
    #[target_feature(enable = "sse4.1")]
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_set1_epi32,
    _mm_set1_epi16,
    _mm_add_epi16,
    _mm_add_epi32,
    _mm_maddubs_epi16,
    _mm_madd_epi16
);

#[inline]
#[target_feature(enable = "sse4.1")]
fn quarters(numbers: &[i16; 32]) -> [__m128i; 4] {
    let pointer: *const __m128i = numbers.as_ptr().cast();
    // SAFETY: the array has 64 bytes.
    std::array::from_fn(|quarter| unsafe { _mm_loadu_si128(pointer.add(quarter)) })
}

/// Writes the bytes and returns which groups of four are not 0.
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

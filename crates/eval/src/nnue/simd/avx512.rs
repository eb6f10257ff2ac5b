//! AVX-512 without VNNI. Sums of the first layer are clipped with AVX2: they come 32 at a time.

pub(super) use super::avx2::{clip, multiply};
use super::composite::kernels;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::x86_64::*;

pub(super) type Vector = __m512i;
pub(super) type Bytes = __m512i;
pub(super) const LANES: usize = 16;

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
pub(super) fn plus(a: Vector, b: Vector) -> Vector {
    _mm512_add_epi32(a, b)
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

kernels!(#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]);

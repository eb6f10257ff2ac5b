//! AVX2 with VNNI: one instruction for four products.

use super::avx2::{Bytes, LANES, Vector, clip, load, load_weights, multiply, plus, splat, store};
use super::composite::kernels;
use std::arch::x86_64::_mm256_dpbusd_avx_epi32;

#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    _mm256_dpbusd_avx_epi32(sums, inputs, load_weights(weights))
}

kernels!(#[target_feature(enable = "avx2,avxvnni")]);

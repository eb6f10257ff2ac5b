//! AVX-512 with VNNI: one instruction for four products.

use super::avx512::{Bytes, LANES, Vector, clip, load, load_weights, multiply, plus, splat, store};
use super::composite::kernels;
use std::arch::x86_64::_mm512_dpbusd_epi32;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    _mm512_dpbusd_epi32(sums, inputs, load_weights(weights))
}

kernels!(#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vnni")]);

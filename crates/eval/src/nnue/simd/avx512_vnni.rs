//! AVX-512 with VNNI: one instruction for four products.

use super::avx512::{Bytes, LANES, Vector, clip, load, load_weights, multiply, splat, store};
use super::composite::kernels;
use std::arch::x86_64::{_mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_setzero_si512};

const VECTOR_COST: f64 = 1.5;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    _mm512_dpbusd_epi32(sums, inputs, load_weights(weights))
}

/// Two chains, since each product waits for the one before.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn dot_four<const GENTLE: bool>(sums: Vector, inputs: [Bytes; 4], weights: [&[i8]; 4]) -> Vector {
    let left = dot(dot(sums, inputs[0], weights[0]), inputs[1], weights[1]);
    let right = dot(dot(_mm512_setzero_si512(), inputs[2], weights[2]), inputs[3], weights[3]);
    _mm512_add_epi32(left, right)
}

kernels!(#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vnni,bmi1,popcnt")]);

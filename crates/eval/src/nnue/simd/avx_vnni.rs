//! AVX2 with VNNI: one instruction for four products.

use super::avx2::{Bytes, LANES, Vector, clip, load, load_weights, multiply, splat, store};
use super::composite::kernels;
use std::arch::x86_64::{_mm256_add_epi32, _mm256_dpbusd_avx_epi32, _mm256_setzero_si256};

const VECTOR_COST: f64 = 1.5;

#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    _mm256_dpbusd_avx_epi32(sums, inputs, load_weights(weights))
}

/// Two chains, since each product waits for the one before.
#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn dot_four<const GENTLE: bool>(sums: Vector, inputs: [Bytes; 4], weights: [&[i8]; 4]) -> Vector {
    let left = dot(dot(sums, inputs[0], weights[0]), inputs[1], weights[1]);
    let right = dot(dot(_mm256_setzero_si256(), inputs[2], weights[2]), inputs[3], weights[3]);
    _mm256_add_epi32(left, right)
}

kernels!(#[target_feature(enable = "avx2,avxvnni,bmi1,popcnt")]);

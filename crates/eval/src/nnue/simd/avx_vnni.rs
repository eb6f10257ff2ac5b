//! AVX2 with VNNI: one instruction for four products.

use super::avx2::{
    Bytes, LANES, TILE, Vector, add_row, clip, load, load_row, load_weights, multiply, splat, store,
    store_row, subtract_row,
};
use super::composite::kernels;
use std::arch::x86_64::{_mm256_add_epi32, _mm256_dpbusd_avx_epi32, _mm256_setzero_si256};

const VECTOR_COST: f64 = 1.5;

#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    _mm256_dpbusd_avx_epi32(sums, inputs, load_weights(weights))
}

/// Each product waits for the one before.
const CHAINS: usize = 4;

#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn begin(sums: Vector) -> [Vector; CHAINS] {
    let zero = _mm256_setzero_si256();
    [sums, zero, zero, zero]
}

#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn total([a, b, c, d]: [Vector; CHAINS]) -> Vector {
    _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d))
}

#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn dot_four<const GENTLE: bool>(
    [a, b, c, d]: [Vector; CHAINS],
    inputs: [Bytes; 4],
    weights: [&[i8]; 4],
) -> [Vector; CHAINS] {
    [
        dot(a, inputs[0], weights[0]),
        dot(b, inputs[1], weights[1]),
        dot(c, inputs[2], weights[2]),
        dot(d, inputs[3], weights[3]),
    ]
}

kernels!(#[target_feature(enable = "avx2,avxvnni,bmi1,popcnt")]);

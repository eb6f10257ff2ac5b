//! AVX-512 with VNNI: one instruction for four products.

use super::avx512::{
    Bytes, LANES, TILE, Vector, add_row, clip, load, load_row, load_weights, multiply, splat, store,
    store_row, subtract_row,
};
use super::composite::kernels;
use std::arch::x86_64::{_mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_setzero_si512};

const VECTOR_COST: f64 = 1.5;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    _mm512_dpbusd_epi32(sums, inputs, load_weights(weights))
}

/// Each product waits for the one before.
const CHAINS: usize = 4;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn begin(sums: Vector) -> [Vector; CHAINS] {
    let zero = _mm512_setzero_si512();
    [sums, zero, zero, zero]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn total([a, b, c, d]: [Vector; CHAINS]) -> Vector {
    _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
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

kernels!(#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vnni,bmi1,popcnt")]);

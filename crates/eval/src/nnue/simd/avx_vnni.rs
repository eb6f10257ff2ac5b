//! AVX2 with VNNI: one instruction for four products.

use super::avx2::{
    Bytes, LANES, TILE, Vector, add_row, clip, load, load_row, load_weights, multiply, splat, store,
    store_row, subtract_row,
};
use super::composite::kernels;
use super::products::fused_products;
use std::arch::x86_64::{_mm256_add_epi32, _mm256_dpbusd_avx_epi32, _mm256_setzero_si256};

fused_products!(
    #[target_feature(enable = "avx2,avxvnni")]
    _mm256_dpbusd_avx_epi32,
    _mm256_add_epi32,
    _mm256_setzero_si256
);

kernels!(#[target_feature(enable = "avx2,avxvnni,bmi1,popcnt")]);

//! AVX-512 with VNNI: one instruction for four products.

use super::avx512::{
    Bytes, LANES, TILE, Vector, add_row, clip, load, load_row, load_weights, multiply, splat, store,
    store_row, subtract_row,
};
use super::composite::kernels;
use super::products::fused_products;
use std::arch::x86_64::{_mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_setzero_si512};

fused_products!(
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    _mm512_dpbusd_epi32,
    _mm512_add_epi32,
    _mm512_setzero_si512
);

kernels!(#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vnni,bmi1,popcnt")]);

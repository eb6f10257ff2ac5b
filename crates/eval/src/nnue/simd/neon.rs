//! NEON.

use super::composite::kernels;
use super::products::products_in_turn;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::aarch64::*;

type Vector = int32x4_t;
type Bytes = int8x16_t;
const LANES: usize = 4;

const VECTOR_COST: f64 = 5.0;

#[inline]
#[target_feature(enable = "neon")]
fn load(numbers: &[i32]) -> Vector {
    let numbers: &[i32; LANES] = numbers.first_chunk().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    unsafe { vld1q_s32(numbers.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(vector: Vector, numbers: &mut [i32]) {
    let numbers: &mut [i32; LANES] = numbers.first_chunk_mut().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    unsafe { vst1q_s32(numbers.as_mut_ptr(), vector) }
}

/// Inputs are at most 127 and the same as signed bytes.
#[inline]
#[target_feature(enable = "neon")]
fn splat(inputs: [u8; 4]) -> Bytes {
    vreinterpretq_s8_s32(vdupq_n_s32(i32::from_ne_bytes(inputs)))
}

/// Inputs are at most 127, so that a pair of products fits 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    let weights: &[i8; 4 * LANES] = weights.first_chunk().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    let weights = unsafe { vld1q_s8(weights.as_ptr()) };
    let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
    let high = vmull_high_s8(inputs, weights);
    vpadalq_s16(sums, vpaddq_s16(low, high))
}

products_in_turn!(#[target_feature(enable = "neon")]);

#[inline]
#[target_feature(enable = "neon")]
fn quarters(numbers: &[i16; 32]) -> [int16x8_t; 4] {
    // SAFETY: the array has 32 numbers.
    std::array::from_fn(|quarter| unsafe { vld1q_s16(numbers.as_ptr().add(8 * quarter)) })
}

/// Writes the bytes and returns which groups of four are not 0.
#[inline]
#[target_feature(enable = "neon")]
fn finish(bytes: [uint8x16_t; 2], outputs: &mut [u8; 32]) -> u8 {
    const PLACES: [u32; 4] = [1, 2, 4, 8];
    let mut bits = 0;
    for (half, bytes) in bytes.into_iter().enumerate() {
        // SAFETY: the arrays have 32 and 16 bytes.
        let places = unsafe {
            vst1q_u8(outputs.as_mut_ptr().add(16 * half), bytes);
            vld1q_u32(PLACES.as_ptr())
        };
        let groups = vreinterpretq_u32_u8(bytes);
        bits |= vaddvq_u32(vandq_u32(vtstq_u32(groups, groups), places)) << (4 * half);
    }
    bits as u8
}

#[inline]
#[target_feature(enable = "neon")]
fn clip(sums: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let [a, b, c, d] = quarters(sums);
    let clip = |a, b| {
        let bytes = vcombine_s8(vqmovn_s16(a), vqmovn_s16(b));
        vreinterpretq_u8_s8(vmaxq_s8(bytes, vdupq_n_s8(0)))
    };
    finish([clip(a, b), clip(c, d)], outputs)
}

#[inline]
#[target_feature(enable = "neon")]
fn multiply(a: &[i16; 32], b: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let (a, b) = (quarters(a), quarters(b));
    let limit = |x| vmaxq_s16(vminq_s16(x, vdupq_n_s16(254)), vdupq_n_s16(0));
    // The doubling multiplication saves one shift.
    let product = |quarter: usize| {
        let left = vshlq_n_s16::<6>(limit(a[quarter]));
        vqmovun_s16(vqdmulhq_s16(left, limit(b[quarter])))
    };
    let packed = |first| vcombine_u8(product(first), product(first + 1));
    finish([packed(0), packed(2)], outputs)
}

type Row = [int16x8_t; 4];

const TILE: usize = 4;

#[inline]
#[target_feature(enable = "neon")]
fn load_row(numbers: &[i16; 32]) -> Row {
    quarters(numbers)
}

#[inline]
#[target_feature(enable = "neon")]
fn store_row(row: Row, numbers: &mut [i16; 32]) {
    for (numbers, part) in numbers.as_chunks_mut::<8>().0.iter_mut().zip(row) {
        // SAFETY: the array has 16 bytes.
        unsafe { vst1q_s16(numbers.as_mut_ptr(), part) };
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn add_row(a: Row, b: Row) -> Row {
    [vaddq_s16(a[0], b[0]), vaddq_s16(a[1], b[1]), vaddq_s16(a[2], b[2]), vaddq_s16(a[3], b[3])]
}

#[inline]
#[target_feature(enable = "neon")]
fn subtract_row(a: Row, b: Row) -> Row {
    [vsubq_s16(a[0], b[0]), vsubq_s16(a[1], b[1]), vsubq_s16(a[2], b[2]), vsubq_s16(a[3], b[3])]
}

kernels!(#[target_feature(enable = "neon")]);

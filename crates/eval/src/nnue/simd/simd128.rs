//! WebAssembly's vectors of 128 bits.

use super::composite::kernels;
use super::products::products_in_turn;
#[allow(clippy::wildcard_imports, reason = "intrinsics are known by their prefix")]
use std::arch::wasm32::*;

type Vector = v128;
/// The inputs with even indices and those with odd ones, in 16 bits each.
type Bytes = [v128; 2];
const LANES: usize = 4;

const VECTOR_COST: f64 = 7.0;

#[inline]
#[target_feature(enable = "simd128")]
fn load(numbers: &[i32]) -> Vector {
    let numbers: &[i32; LANES] = numbers.first_chunk().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    unsafe { v128_load(numbers.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "simd128")]
fn store(vector: Vector, numbers: &mut [i32]) {
    let numbers: &mut [i32; LANES] = numbers.first_chunk_mut().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    unsafe { v128_store(numbers.as_mut_ptr().cast(), vector) };
}

#[inline]
#[target_feature(enable = "simd128")]
fn splat(inputs: [u8; 4]) -> Bytes {
    let all = i32x4_splat(i32::from_ne_bytes(inputs));
    [v128_and(all, u16x8_splat(0xff)), u16x8_shr(all, 8)]
}

/// There is no product of bytes: shifts widen the weights and keep their order.
#[inline]
#[target_feature(enable = "simd128")]
fn dot(sums: Vector, [even, odd]: Bytes, weights: &[i8]) -> Vector {
    let weights: &[i8; 4 * LANES] = weights.first_chunk().expect("a full vector");
    // SAFETY: the array has 16 bytes.
    let weights = unsafe { v128_load(weights.as_ptr().cast()) };
    let evens = i32x4_dot_i16x8(i16x8_shr(i16x8_shl(weights, 8), 8), even);
    let odds = i32x4_dot_i16x8(i16x8_shr(weights, 8), odd);
    i32x4_add(sums, i32x4_add(evens, odds))
}

products_in_turn!(#[target_feature(enable = "simd128")]);

#[inline]
#[target_feature(enable = "simd128")]
fn quarters(numbers: &[i16; 32]) -> [v128; 4] {
    let pointer: *const v128 = numbers.as_ptr().cast();
    // SAFETY: the array has 64 bytes.
    unsafe {
        [v128_load(pointer), v128_load(pointer.add(1)), v128_load(pointer.add(2)), v128_load(pointer.add(3))]
    }
}

/// Writes the bytes and returns which groups of four are not 0.
#[inline]
#[target_feature(enable = "simd128")]
fn finish(bytes: [v128; 2], outputs: &mut [u8; 32]) -> u8 {
    let pointer: *mut v128 = outputs.as_mut_ptr().cast();
    // SAFETY: the array has 32 bytes.
    unsafe {
        v128_store(pointer, bytes[0]);
        v128_store(pointer.add(1), bytes[1]);
    }
    let zero = i32x4_splat(0);
    i32x4_bitmask(i32x4_ne(bytes[0], zero)) | i32x4_bitmask(i32x4_ne(bytes[1], zero)) << 4
}

#[inline]
#[target_feature(enable = "simd128")]
fn clip(sums: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let [a, b, c, d] = quarters(sums);
    let zero = i8x16_splat(0);
    finish([i8x16_max(i8x16_narrow_i16x8(a, b), zero), i8x16_max(i8x16_narrow_i16x8(c, d), zero)], outputs)
}

/// The product of two numbers up to 254 fits 16 bits without a sign.
#[inline]
#[target_feature(enable = "simd128")]
fn limited_product(a: v128, b: v128) -> v128 {
    let (least, most) = (i16x8_splat(0), i16x8_splat(254));
    let a = i16x8_max(i16x8_min(a, most), least);
    let b = i16x8_max(i16x8_min(b, most), least);
    u16x8_shr(i16x8_mul(a, b), 9)
}

#[inline]
#[target_feature(enable = "simd128")]
fn multiply(a: &[i16; 32], b: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let (a, b) = (quarters(a), quarters(b));
    let first = u8x16_narrow_i16x8(limited_product(a[0], b[0]), limited_product(a[1], b[1]));
    let second = u8x16_narrow_i16x8(limited_product(a[2], b[2]), limited_product(a[3], b[3]));
    finish([first, second], outputs)
}

type Row = [v128; 4];

const TILE: usize = 2;

#[inline]
#[target_feature(enable = "simd128")]
fn load_row(numbers: &[i16; 32]) -> Row {
    quarters(numbers)
}

#[inline]
#[target_feature(enable = "simd128")]
fn store_row(row: Row, numbers: &mut [i16; 32]) {
    let pointer: *mut v128 = numbers.as_mut_ptr().cast();
    // SAFETY: the array has 64 bytes.
    unsafe {
        v128_store(pointer, row[0]);
        v128_store(pointer.add(1), row[1]);
        v128_store(pointer.add(2), row[2]);
        v128_store(pointer.add(3), row[3]);
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn add_row(a: Row, b: Row) -> Row {
    [i16x8_add(a[0], b[0]), i16x8_add(a[1], b[1]), i16x8_add(a[2], b[2]), i16x8_add(a[3], b[3])]
}

#[inline]
#[target_feature(enable = "simd128")]
fn subtract_row(a: Row, b: Row) -> Row {
    [i16x8_sub(a[0], b[0]), i16x8_sub(a[1], b[1]), i16x8_sub(a[2], b[2]), i16x8_sub(a[3], b[3])]
}

kernels!(#[target_feature(enable = "simd128")]);

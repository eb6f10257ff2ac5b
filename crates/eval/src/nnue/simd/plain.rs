//! Plain Rust, for processors without any of the other sets.

use super::composite::kernels;
use super::products::products_in_turn;

type Vector = [i32; LANES];
type Bytes = [u8; 4];
const LANES: usize = 8;

const VECTOR_COST: f64 = 40.0;

#[inline]
fn load(numbers: &[i32]) -> Vector {
    *numbers.first_chunk().expect("a full vector")
}

#[inline]
fn store(vector: Vector, numbers: &mut [i32]) {
    numbers[..LANES].copy_from_slice(&vector);
}

#[inline]
fn splat(inputs: [u8; 4]) -> Bytes {
    inputs
}

#[inline]
fn dot(mut sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    let weights: &[i8; 4 * LANES] = weights.first_chunk().expect("a full vector");
    for lane in 0..LANES {
        let mut sum = 0;
        for input in 0..4 {
            sum += i32::from(inputs[input]) * i32::from(weights[4 * lane + input]);
        }
        sums[lane] = sums[lane].wrapping_add(sum);
    }
    sums
}

products_in_turn!();

#[inline]
fn clip(sums: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    *outputs = std::array::from_fn(|lane| sums[lane].clamp(0, 127) as u8);
    nonzero(outputs)
}

#[inline]
fn multiply(a: &[i16; 32], b: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let limit = |x: i16| i32::from(x).clamp(0, 254);
    *outputs = std::array::from_fn(|lane| (((limit(a[lane]) << 7) * limit(b[lane])) >> 16) as u8);
    nonzero(outputs)
}

#[inline]
fn nonzero(outputs: &[u8; 32]) -> u8 {
    let (groups, _) = outputs.as_chunks::<4>();
    groups.iter().enumerate().fold(0, |bits, (bit, group)| bits | u8::from(*group != [0; 4]) << bit)
}

type Row = [i16; 32];

const TILE: usize = 1;

#[inline]
fn load_row(numbers: &Row) -> Row {
    *numbers
}

#[inline]
fn store_row(row: Row, numbers: &mut Row) {
    *numbers = row;
}

#[inline]
fn add_row(a: Row, b: Row) -> Row {
    std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
}

#[inline]
fn subtract_row(a: Row, b: Row) -> Row {
    std::array::from_fn(|lane| a[lane].wrapping_sub(b[lane]))
}

kernels!();

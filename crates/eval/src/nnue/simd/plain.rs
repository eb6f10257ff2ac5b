//! Plain Rust, for processors without anything better.

use super::composite::kernels;

type Vector = [i32; LANES];
type Bytes = [u8; 4];
const LANES: usize = 8;

fn load(numbers: &[i32]) -> Vector {
    std::array::from_fn(|lane| numbers[lane])
}

fn store(vector: Vector, numbers: &mut [i32]) {
    numbers[..LANES].copy_from_slice(&vector);
}

fn splat(inputs: [u8; 4]) -> Bytes {
    inputs
}

fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
    let (weights, _) = weights.as_chunks::<4>();
    std::array::from_fn(|lane| {
        let products = inputs.iter().zip(weights[lane]).map(|(x, w)| i32::from(*x) * i32::from(w));
        sums[lane].wrapping_add(products.sum())
    })
}

fn clip(sums: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    *outputs = std::array::from_fn(|lane| sums[lane].clamp(0, 127) as u8);
    nonzero(outputs)
}

fn multiply(a: &[i16; 32], b: &[i16; 32], outputs: &mut [u8; 32]) -> u8 {
    let limit = |x: i16| i32::from(x).clamp(0, 254);
    *outputs = std::array::from_fn(|lane| (((limit(a[lane]) << 7) * limit(b[lane])) >> 16) as u8);
    nonzero(outputs)
}

fn nonzero(outputs: &[u8; 32]) -> u8 {
    let (groups, _) = outputs.as_chunks::<4>();
    groups.iter().enumerate().fold(0, |bits, (bit, group)| bits | u8::from(*group != [0; 4]) << bit)
}

kernels!();

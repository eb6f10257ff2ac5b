//! Vectors of sixteen numbers in plain Rust, which compilers turn into vector instructions.

use std::ops::AddAssign;

/// Length of a [`Vector`].
pub(in crate::fit) const LANES: usize = 16;

/// Sixteen numbers, a cache line.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(in crate::fit) struct Vector(pub(in crate::fit) [f32; LANES]);

impl Vector {
    pub(in crate::fit) const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub(in crate::fit) fn map(self, f: impl Fn(f32) -> f32) -> Self {
        let mut result = self;
        for lane in 0..LANES {
            result.0[lane] = f(result.0[lane]);
        }
        result
    }

    #[inline(always)]
    pub(in crate::fit) fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = self;
        for lane in 0..LANES {
            result.0[lane] = f(result.0[lane], other.0[lane]);
        }
        result
    }

    /// Adds products; `FUSED` if the processor has fused multiply-add.
    #[inline(always)]
    pub(in crate::fit) fn add_products<const FUSED: bool>(&mut self, a: &Self, b: &Self) {
        for lane in 0..LANES {
            self.0[lane] = multiply_add::<FUSED>(a.0[lane], b.0[lane], self.0[lane]);
        }
    }

    /// Adds a multiple of `a`.
    #[inline(always)]
    pub(in crate::fit) fn add_scaled<const FUSED: bool>(&mut self, a: &Self, factor: f32) {
        for lane in 0..LANES {
            self.0[lane] = multiply_add::<FUSED>(a.0[lane], factor, self.0[lane]);
        }
    }

    /// The sum of the numbers, halves first.
    #[inline(always)]
    pub(in crate::fit) fn sum(&self) -> f32 {
        let mut numbers = self.0;
        let mut count = LANES;
        while count > 1 {
            count /= 2;
            for index in 0..count {
                numbers[index] += numbers[index + count];
            }
        }
        numbers[0]
    }
}

impl AddAssign<&Self> for Vector {
    #[inline(always)]
    fn add_assign(&mut self, other: &Self) {
        for lane in 0..LANES {
            self.0[lane] += other.0[lane];
        }
    }
}

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    // Without the instruction, `mul_add` would be a slow call.
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Number of vectors for this many numbers.
pub(in crate::fit) const fn vectors(numbers: usize) -> usize {
    numbers.div_ceil(LANES)
}

/// A number in a row of vectors.
#[inline(always)]
pub(in crate::fit) fn at(row: &[Vector], index: usize) -> f32 {
    row[index / LANES].0[index % LANES]
}

/// A number in a row of vectors, for changing.
#[inline(always)]
pub(in crate::fit) fn at_mut(row: &mut [Vector], index: usize) -> &mut f32 {
    &mut row[index / LANES].0[index % LANES]
}

/// Copies numbers into a row of vectors; the rest stays.
pub(in crate::fit) fn fill(row: &mut [Vector], numbers: &[f32]) {
    for (vector, numbers) in row.iter_mut().zip(numbers.chunks(LANES)) {
        vector.0[..numbers.len()].copy_from_slice(numbers);
    }
}

/// Copies the first numbers of a row of vectors.
pub(in crate::fit) fn take(row: &[Vector], numbers: &mut [f32]) {
    for (vector, numbers) in row.iter().zip(numbers.chunks_mut(LANES)) {
        numbers.copy_from_slice(&vector.0[..numbers.len()]);
    }
}

/// Compiles a function for several instruction sets and runs the best one the processor has: `$name(arguments)` calls
/// `$inner::<FUSED>(arguments)`, which must be `#[inline(always)]`. What it calls must be so, too, and loops must be `for`
/// loops: a closure given to `for_each` may end up as a function of its own, without these instructions.
macro_rules! for_this_processor {
    ($(#[$meta:meta])* $vis:vis fn $name:ident => $inner:ident ($($arg:ident : $type:ty),* $(,)?) $(-> $result:ty)?) => {
        $(#[$meta])*
        $vis fn $name($($arg: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $type),*) $(-> $result)? {
                    $inner::<true>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) $(-> $result)? {
                    $inner::<true>($($arg),*)
                }
                use std::arch::is_x86_feature_detected as has;
                let fused = has!("avx2") && has!("fma");
                if fused && has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                    // SAFETY: the processor has these instructions.
                    return unsafe { avx512($($arg),*) };
                }
                if fused {
                    // SAFETY: the processor has these instructions.
                    return unsafe { avx2($($arg),*) };
                }
            }
            // 64-bit ARM always has fused multiply-add.
            $inner::<{ cfg!(target_arch = "aarch64") }>($($arg),*)
        }
    };
}
pub(in crate::fit) use for_this_processor;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_rows() {
        let numbers: Vec<f32> = (0..40_u8).map(f32::from).collect();
        let mut row = vec![Vector::ZERO; vectors(numbers.len())];
        fill(&mut row, &numbers);
        assert_eq!(row.len(), 3);
        assert_eq!(at(&row, 37).to_bits(), 37_f32.to_bits());
        *at_mut(&mut row, 37) = 1.0;
        let mut taken = vec![0.0; 40];
        take(&row, &mut taken);
        assert_eq!(taken[36..38], [36.0, 1.0]);
        assert!((row[0].sum() - 120.0).abs() < 1e-9);
    }
}

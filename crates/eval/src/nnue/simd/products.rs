//! Sums of products of four inputs, shared by instruction sets that differ only in the instructions.

/// A single sum, and products in 16 bits. The module supplies its [`Vector`], its attribute and its instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! paired_products {
    (
        $(#[$attribute:meta])*
        $load:ident, $store:ident, $splat:ident, $ones:ident,
        $add_pairs:ident, $add:ident, $multiply:ident, $add_neighbours:ident
    ) => {
        #[inline]
        $(#[$attribute])*
        pub(super) fn load(numbers: &[i32]) -> Vector {
            let numbers: &[i32; LANES] = numbers.first_chunk().expect("a full vector");
            // SAFETY: the array is as large as the vector.
            unsafe { $load(numbers.as_ptr().cast()) }
        }

        #[inline]
        $(#[$attribute])*
        pub(super) fn store(vector: Vector, numbers: &mut [i32]) {
            let numbers: &mut [i32; LANES] = numbers.first_chunk_mut().expect("a full vector");
            // SAFETY: the array is as large as the vector.
            unsafe { $store(numbers.as_mut_ptr().cast(), vector) }
        }

        #[inline]
        $(#[$attribute])*
        pub(super) fn splat(inputs: [u8; 4]) -> Bytes {
            $splat(i32::from_ne_bytes(inputs))
        }

        #[inline]
        $(#[$attribute])*
        pub(super) fn load_weights(weights: &[i8]) -> Vector {
            let weights: &[i8; 4 * LANES] = weights.first_chunk().expect("a full vector");
            // SAFETY: the array is as large as the vector.
            unsafe { $load(weights.as_ptr().cast()) }
        }

        /// Inputs are at most 127, so that a pair of products fits 16 bits.
        #[inline]
        $(#[$attribute])*
        fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
            let pairs = $multiply(inputs, load_weights(weights));
            $add(sums, $add_neighbours(pairs, $ones(1)))
        }

        $crate::nnue::simd::products::one_chain!($(#[$attribute])*);

        #[inline]
        $(#[$attribute])*
        fn dot_four<const GENTLE: bool>(
            [sums]: [Vector; CHAINS],
            inputs: [Bytes; 4],
            weights: [&[i8]; 4],
        ) -> [Vector; CHAINS] {
            let pairs = [
                $multiply(inputs[0], load_weights(weights[0])),
                $multiply(inputs[1], load_weights(weights[1])),
                $multiply(inputs[2], load_weights(weights[2])),
                $multiply(inputs[3], load_weights(weights[3])),
            ];
            let ones = $ones(1);
            let sums = if GENTLE {
                let left = $add_pairs(pairs[0], pairs[1]);
                let right = $add_pairs(pairs[2], pairs[3]);
                $add(sums, $add_neighbours($add_pairs(left, right), ones))
            } else {
                let left = $add($add_neighbours(pairs[0], ones), $add_neighbours(pairs[1], ones));
                let right = $add($add_neighbours(pairs[2], ones), $add_neighbours(pairs[3], ones));
                $add(sums, $add(left, right))
            };
            [sums]
        }
    };
}

/// A single sum: the next product depends on only one addition.
macro_rules! one_chain {
    ($(#[$attribute:meta])*) => {
        const CHAINS: usize = 1;

        #[inline]
        $(#[$attribute])*
        fn begin(sums: Vector) -> [Vector; CHAINS] {
            [sums]
        }

        #[inline]
        $(#[$attribute])*
        fn total([sums]: [Vector; CHAINS]) -> Vector {
            sums
        }
    };
}

/// A single sum to which four products are added in turn.
macro_rules! products_in_turn {
    ($(#[$attribute:meta])*) => {
        $crate::nnue::simd::products::one_chain!($(#[$attribute])*);

        #[inline]
        $(#[$attribute])*
        fn dot_four<const GENTLE: bool>(
            [sums]: [Vector; CHAINS],
            inputs: [Bytes; 4],
            weights: [&[i8]; 4],
        ) -> [Vector; CHAINS] {
            let sums = dot(sums, inputs[0], weights[0]);
            let sums = dot(sums, inputs[1], weights[1]);
            let sums = dot(sums, inputs[2], weights[2]);
            [dot(sums, inputs[3], weights[3])]
        }
    };
}

/// Four sums, because an instruction that multiplies and adds would wait for the one before on the same sum.
#[cfg(target_arch = "x86_64")]
macro_rules! fused_products {
    ($(#[$attribute:meta])* $dot:ident, $add:ident, $zero:ident) => {
        const VECTOR_COST: f64 = 1.5;

        const CHAINS: usize = 4;

        #[inline]
        $(#[$attribute])*
        fn dot(sums: Vector, inputs: Bytes, weights: &[i8]) -> Vector {
            $dot(sums, inputs, load_weights(weights))
        }

        #[inline]
        $(#[$attribute])*
        fn begin(sums: Vector) -> [Vector; CHAINS] {
            [sums, $zero(), $zero(), $zero()]
        }

        #[inline]
        $(#[$attribute])*
        fn total([a, b, c, d]: [Vector; CHAINS]) -> Vector {
            $add($add(a, b), $add(c, d))
        }

        #[inline]
        $(#[$attribute])*
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
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) use {fused_products, paired_products};
pub(super) use {one_chain, products_in_turn};

//! The loops that every instruction set builds from its primitives.
//!
//! A module that calls `kernels!`, with the attribute that enables its instructions, first defines:
//! - `Vector`, `LANES`: a vector of `LANES` 32-bit sums;
//! - `VECTOR_COST`: instructions of `dot_four` for each of the four;
//! - `load(&[i32]) -> Vector`, `store(Vector, &mut [i32])`;
//! - `splat([u8; 4]) -> Bytes`: four inputs for every lane;
//! - `dot(Vector, Bytes, &[i8]) -> Vector`: adds to each lane the products of the inputs with its four weights;
//! - `CHAINS`, `begin(Vector) -> [Vector; CHAINS]`, `total([Vector; CHAINS]) -> Vector`: sums in `CHAINS` parts, where
//!   an addition would wait too long for the one before;
//! - `dot_four::<GENTLE>`: as `dot` for four at once and to such parts; the weights are `GENTLE` if four pairs of products
//!   always fit 16 bits together;
//! - `clip(&[i16; 32], &mut [u8; 32]) -> u8`: clips sums to 0..=127; a bit for each four outputs that are not 0;
//! - `multiply(&[i16; 32], &[i16; 32], &mut [u8; 32]) -> u8`: products of two halves (SFNN), the same bits;
//! - `Row`, `load_row`, `store_row`, `add_row`, `subtract_row`: 32 sums of the first layer;
//! - `TILE`: how many of them stay in registers.

macro_rules! kernels {
    ($(#[$attribute:meta])*) => {
        use crate::nnue::incremental::delta::Delta;
        use crate::nnue::network::packed::{Layer, Packed, Scratch};
        use crate::nnue::simd::{Forward, Kernels, Sizes, UpdateBoth};

        /// The loops of this instruction set that fit a network.
        pub(in crate::nnue) fn kernels(sizes: Sizes) -> Kernels {
            Kernels {
                lanes: LANES,
                vector_cost: VECTOR_COST,
                update_both: update_both_for(sizes),
                update: update::<0>,
                adjust,
                forward: forward_for(sizes),
            }
        }

        fn update_both_for(sizes: Sizes) -> UpdateBoth {
            match if sizes.stacked { 2 * sizes.half } else { sizes.half } {
                256 => update_both::<256>,
                512 => update_both::<512>,
                1024 => update_both::<1024>,
                1536 => update_both::<1536>,
                _ => update_both::<0>,
            }
        }

        const fn registers(outputs: usize) -> usize {
            outputs.div_ceil(LANES)
        }

        fn forward_for(sizes: Sizes) -> Forward {
            match (sizes.half, sizes.outputs, sizes.stacked) {
                (256, [32, 32], false) => forward::<256, { registers(32) }, { registers(32) }, false>,
                (512, [16, 32], false) => forward::<512, { registers(16) }, { registers(32) }, false>,
                (1024, [8, 32], false) => forward::<1024, { registers(8) }, { registers(32) }, false>,
                (1024, [8, 64], false) => forward::<1024, { registers(8) }, { registers(64) }, false>,
                (128, [16, 32], true) => forward::<128, { registers(16) }, { registers(32) }, true>,
                (256, [16, 32], true) => forward::<256, { registers(16) }, { registers(32) }, true>,
                (768, [16, 32], true) => forward::<768, { registers(16) }, { registers(32) }, true>,
                (_, [8, 64], false) => forward::<0, { registers(8) }, { registers(64) }, false>,
                (_, [16, 32], false) => forward::<0, { registers(16) }, { registers(32) }, false>,
                (_, [32, 32], false) => forward::<0, { registers(32) }, { registers(32) }, false>,
                (_, [16, 32], true) => forward::<0, { registers(16) }, { registers(32) }, true>,
                (_, [8, 64], true) => forward::<0, { registers(8) }, { registers(64) }, true>,
                (_, _, false) => forward::<0, 0, 0, false>,
                (_, _, true) => forward::<0, 0, 0, true>,
            }
        }

        /// The layers after the first. `HALF` is the number of inputs from one player, `R1` and `R2` the vectors that
        /// hold the outputs of the hidden layers; 0 for sizes unknown at compile time.
        $(#[$attribute])*
        fn forward<const HALF: usize, const R1: usize, const R2: usize, const STACKED: bool>(
            network: &Packed,
            stack: usize,
            us: &[i16],
            them: &[i16],
            scratch: &mut Scratch,
        ) -> i32 {
            let [first, second, last] = &network.stacks[stack];
            let (inputs, bits) = (&mut scratch.inputs, &mut scratch.bits);
            let half = if HALF > 0 { HALF } else { network.half_stride };
            let sums = if STACKED { 2 * half } else { half };
            let (us, them) = (&us[..sums], &them[..sums]);
            let searched = BLOCK * network.sparse_blocks;
            let inputs = &mut inputs[..2 * half];
            let (sparse, dense) = inputs.split_at_mut(2 * searched);
            let (own_dense, enemy_dense) = dense.split_at_mut(half - searched);
            let (own_sparse, enemy_sparse) = sparse.split_at_mut(searched);
            let (own_bits, enemy_bits) = bits[..2 * network.sparse_blocks].split_at_mut(network.sparse_blocks);
            transform::<STACKED>(us, own_sparse, own_dense, own_bits);
            transform::<STACKED>(them, enemy_sparse, enemy_dense, enemy_bits);
            let outputs1 = if R1 > 0 { R1 * LANES } else { first.outputs };
            let outputs2 = if R2 > 0 { R2 * LANES } else { second.outputs };
            affine::<HALF, R1, true>(first, inputs, (2 * searched, bits), &mut scratch.sums);
            let sums = &scratch.sums[..outputs1];
            let mut shortcut = 0;
            // Outputs written beyond the neurons of a layer have weights of 0.
            if STACKED {
                if network.shortcut {
                    shortcut = sums[network.hidden1];
                }
                activate_squares(sums, &mut scratch.hidden);
                activate(sums, &mut scratch.hidden[network.behind_squares..]);
            } else {
                activate(sums, &mut scratch.hidden);
            }
            affine::<0, R2, false>(second, &scratch.hidden, (0, &[]), &mut scratch.sums);
            activate(&scratch.sums[..outputs2], &mut scratch.last);
            output(last, &scratch.last[..outputs2.next_multiple_of(32)]).wrapping_add(shortcut)
        }

        /// Makes inputs of the hidden layers from the sums of the first one, and the bits of the tested blocks.
        #[inline]
        $(#[$attribute])*
        fn transform<const STACKED: bool>(sums: &[i16], sparse: &mut [u8], dense: &mut [u8], bits: &mut [u8]) {
            let (sparse, _) = sparse.as_chunks_mut::<BLOCK>();
            let (dense, _) = dense.as_chunks_mut::<BLOCK>();
            let (sums, _) = sums.as_chunks::<BLOCK>();
            if STACKED {
                let (first, second) = sums.split_at(sums.len() / 2);
                let mut pairs = first.iter().zip(second);
                for ((input, bits), (a, b)) in sparse.iter_mut().zip(bits).zip(&mut pairs) {
                    *bits = multiply(a, b, input);
                }
                for (input, (a, b)) in dense.iter_mut().zip(pairs) {
                    multiply(a, b, input);
                }
            } else {
                let (searched, rest) = sums.split_at(sparse.len());
                for ((input, bits), sums) in sparse.iter_mut().zip(bits).zip(searched) {
                    *bits = clip(sums, input);
                }
                for (input, sums) in dense.iter_mut().zip(rest) {
                    clip(sums, input);
                }
            }
        }

        /// A layer. In the first hidden layer (`FIRST`), of the first `searched` inputs only groups whose bit is set
        /// are multiplied.
        #[inline]
        $(#[$attribute])*
        fn affine<const HALF: usize, const R: usize, const FIRST: bool>(
            layer: &Layer,
            inputs: &[u8],
            (searched, bits): (usize, &[u8]),
            outputs: &mut [i32],
        ) {
            if R > 0 {
                assert_eq!(layer.outputs, R * LANES);
                if layer.gentle {
                    affine_part::<HALF, R, FIRST, true>(layer, R * LANES, 0, inputs, (searched, bits), outputs);
                } else {
                    affine_part::<HALF, R, FIRST, false>(layer, R * LANES, 0, inputs, (searched, bits), outputs);
                }
            } else {
                for part in 0..layer.outputs / LANES {
                    affine_part::<HALF, 1, FIRST, false>(layer, layer.outputs, part, inputs, (searched, bits), outputs);
                }
            }
        }

        /// Inputs and weights from a group on.
        type Rest<'a> = (&'a [[u8; 4]], &'a [i8]);

        /// `R` vectors of the `all` outputs of a layer, from the vector `part` on.
        #[inline]
        $(#[$attribute])*
        fn affine_part<const HALF: usize, const R: usize, const FIRST: bool, const GENTLE: bool>(
            layer: &Layer,
            all: usize,
            part: usize,
            inputs: &[u8],
            (searched, bits): (usize, &[u8]),
            outputs: &mut [i32],
        ) {
            let start = part * LANES;
            let bias = &layer.bias[start..start + R * LANES];
            let outputs = &mut outputs[start..start + R * LANES];
            let (inputs, _) = inputs.as_chunks::<4>();
            let groups = if HALF > 0 { 2 * HALF / 4 } else { layer.groups };
            let inputs = &inputs[..groups];
            let mut sums = [begin(load(bias)); R];
            for register in 1..R {
                sums[register] = begin(load(&bias[register * LANES..]));
            }
            let row = 4 * all;
            let weights = &layer.weights[..groups * row];
            let fetch = |(inputs, weights): Rest<'_>, group: usize| {
                debug_assert!(group < inputs.len() && inputs.len() * row == weights.len());
                debug_assert!(start + R * LANES <= all);
                // SAFETY: callers below pass groups below the length of `inputs`; `weights` has `row` numbers for
                // each of them, of which the slice takes R * LANES * 4 from `start` on.
                unsafe {
                    let first = group * row + 4 * start;
                    let weights: &[i8] = std::slice::from_raw_parts(weights.as_ptr().add(first), R * LANES * 4);
                    (splat(*inputs.get_unchecked(group)), weights)
                }
            };
            let add = |sums: &mut [[Vector; CHAINS]; R], rest: Rest<'_>, group: usize| {
                let (input, weights) = fetch(rest, group);
                for register in 0..R {
                    sums[register][0] = dot(sums[register][0], input, &weights[register * LANES * 4..]);
                }
            };
            let add_four = |sums: &mut [[Vector; CHAINS]; R], rest: Rest<'_>, groups: [usize; 4]| {
                let [(a, u), (b, v), (c, w), (d, x)] =
                    [fetch(rest, groups[0]), fetch(rest, groups[1]), fetch(rest, groups[2]), fetch(rest, groups[3])];
                for register in 0..R {
                    let first = register * LANES * 4;
                    let weights = [&u[first..], &v[first..], &w[first..], &x[first..]];
                    sums[register] = dot_four::<GENTLE>(sums[register], [a, b, c, d], weights);
                }
            };
            let add_all = |sums: &mut [[Vector; CHAINS]; R], rest: Rest<'_>| {
                let groups = rest.0.len();
                for four in 0..groups / 4 {
                    add_four(sums, rest, [4 * four, 4 * four + 1, 4 * four + 2, 4 * four + 3]);
                }
                for group in groups & !3..groups {
                    add(sums, rest, group);
                }
            };
            if FIRST {
                for (index, word) in bits.as_chunks::<8>().0.iter().enumerate() {
                    let rest = (&inputs[64 * index..], &weights[64 * index * row..]);
                    let mut word = u64::from_le_bytes(*word);
                    for _ in 0..word.count_ones() / 4 {
                        let mut groups = [0; 4];
                        for group in &mut groups {
                            *group = word.trailing_zeros() as usize;
                            word &= word - 1;
                        }
                        add_four(&mut sums, rest, groups);
                    }
                    while word != 0 {
                        add(&mut sums, rest, word.trailing_zeros() as usize);
                        word &= word - 1;
                    }
                }
                let searched = searched / 4;
                add_all(&mut sums, (&inputs[searched..], &weights[searched * row..]));
            } else {
                add_all(&mut sums, (inputs, weights));
            }
            for register in 0..R {
                store(total(sums[register]), &mut outputs[register * LANES..]);
            }
        }

        #[inline]
        $(#[$attribute])*
        fn activate(sums: &[i32], outputs: &mut [u8]) {
            let (sums, _) = sums.as_chunks::<LANES>();
            let (outputs, _) = outputs.as_chunks_mut::<LANES>();
            for (outputs, sums) in outputs.iter_mut().zip(sums) {
                for lane in 0..LANES {
                    outputs[lane] = (sums[lane] >> 6).clamp(0, 127) as u8;
                }
            }
        }

        /// Squares activations; a sum beyond 16 bits counts as the largest of 16 bits.
        #[inline]
        $(#[$attribute])*
        fn activate_squares(sums: &[i32], outputs: &mut [u8]) {
            let (sums, _) = sums.as_chunks::<LANES>();
            let (outputs, _) = outputs.as_chunks_mut::<LANES>();
            for (outputs, sums) in outputs.iter_mut().zip(sums) {
                for lane in 0..LANES {
                    let sum = sums[lane].clamp(-32768, 32767);
                    outputs[lane] = ((sum * sum) >> 19).min(127) as u8;
                }
            }
        }

        /// The one output of the last layer.
        #[inline]
        $(#[$attribute])*
        fn output(layer: &Layer, inputs: &[u8]) -> i32 {
            let (inputs, _) = inputs.as_chunks::<32>();
            let (weights, _) = layer.weights.as_chunks::<32>();
            let mut sum = 0;
            for (inputs, weights) in inputs.iter().zip(weights) {
                for lane in 0..32 {
                    sum += i32::from(inputs[lane]) * i32::from(weights[lane]);
                }
            }
            layer.bias[0].wrapping_add(sum)
        }

        /// Sums are processed by cache lines; rows are multiples of it.
        const BLOCK: usize = 32;

        #[inline]
        $(#[$attribute])*
        fn row(weights: &[i16], feature: u32, blocks: usize) -> &[[i16; BLOCK]] {
            &weights.as_chunks::<BLOCK>().0[feature as usize * blocks..][..blocks]
        }

        /// `STRIDE` is the number of sums of a player, 0 if unknown at compile time.
        $(#[$attribute])*
        fn update_both<const STRIDE: usize>(from: &[i16], to: &mut [i16], weights: &[i16], delta: &Delta) {
            let stride = if STRIDE > 0 { STRIDE } else { to.len() / 2 };
            let players = from[..2 * stride].chunks_exact(stride).zip(to[..2 * stride].chunks_exact_mut(stride));
            for (player, (from, to)) in players.enumerate() {
                update::<STRIDE>(from, to, weights, delta, player);
            }
        }

        #[inline]
        $(#[$attribute])*
        fn update<const STRIDE: usize>(
            from: &[i16],
            to: &mut [i16],
            weights: &[i16],
            delta: &Delta,
            player: usize,
        ) {
            // Nearly all moves take one pass.
            match (delta.added.of(player), delta.removed.of(player)) {
                ([a], [r]) => replace::<STRIDE, 1>(from, to, weights, [*a], [*r]),
                ([a, b], [r, s]) => replace::<STRIDE, 2>(from, to, weights, [*a, *b], [*r, *s]),
                (added, removed) => {
                    to.copy_from_slice(from);
                    adjust(to, weights, added, removed);
                }
            }
        }

        /// Adds and removes the same number of rows.
        #[inline]
        $(#[$attribute])*
        fn replace<const STRIDE: usize, const N: usize>(
            from: &[i16],
            to: &mut [i16],
            weights: &[i16],
            added: [u32; N],
            removed: [u32; N],
        ) {
            let blocks = if STRIDE > 0 { STRIDE } else { to.len() } / BLOCK;
            let from = &from.as_chunks::<BLOCK>().0[..blocks];
            let to = &mut to.as_chunks_mut::<BLOCK>().0[..blocks];
            // No closures: they would be compiled without these instructions.
            let mut rows: [[&[[i16; BLOCK]]; 2]; N] = [[&[]; 2]; N];
            for pair in 0..N {
                rows[pair] = [row(weights, added[pair], blocks), row(weights, removed[pair], blocks)];
            }
            for block in 0..blocks {
                let mut sums = from[block];
                for [added, removed] in &rows {
                    sums = less(more(sums, &added[block]), &removed[block]);
                }
                to[block] = sums;
            }
        }

        $(#[$attribute])*
        fn adjust(sums: &mut [i16], weights: &[i16], added: &[u32], removed: &[u32]) {
            let (sums, _) = sums.as_chunks_mut::<BLOCK>();
            let blocks = sums.len();
            let (tiles, rest) = sums.as_chunks_mut::<TILE>();
            for (index, tile) in tiles.iter_mut().enumerate() {
                adjust_blocks(tile, TILE * index, blocks, weights, added, removed);
            }
            let first = blocks - rest.len();
            for (index, block) in rest.iter_mut().enumerate() {
                adjust_blocks(std::array::from_mut(block), first + index, blocks, weights, added, removed);
            }
        }

        /// Adjusts `N` of the `blocks` of a player's sums, from the block `first` on.
        #[inline]
        $(#[$attribute])*
        fn adjust_blocks<const N: usize>(
            sums: &mut [[i16; BLOCK]; N],
            first: usize,
            blocks: usize,
            weights: &[i16],
            added: &[u32],
            removed: &[u32],
        ) {
            let mut tile = [load_row(&sums[0]); N];
            for block in 1..N {
                tile[block] = load_row(&sums[block]);
            }
            for feature in added {
                let row: &[[i16; BLOCK]; N] =
                    row(weights, *feature, blocks)[first..].first_chunk().expect("as many blocks as sums");
                for block in 0..N {
                    tile[block] = add_row(tile[block], load_row(&row[block]));
                }
            }
            for feature in removed {
                let row: &[[i16; BLOCK]; N] =
                    row(weights, *feature, blocks)[first..].first_chunk().expect("as many blocks as sums");
                for block in 0..N {
                    tile[block] = subtract_row(tile[block], load_row(&row[block]));
                }
            }
            for block in 0..N {
                store_row(tile[block], &mut sums[block]);
            }
        }

        #[inline]
        $(#[$attribute])*
        fn more(mut sums: [i16; BLOCK], row: &[i16; BLOCK]) -> [i16; BLOCK] {
            for lane in 0..BLOCK {
                sums[lane] = sums[lane].wrapping_add(row[lane]);
            }
            sums
        }

        #[inline]
        $(#[$attribute])*
        fn less(mut sums: [i16; BLOCK], row: &[i16; BLOCK]) -> [i16; BLOCK] {
            for lane in 0..BLOCK {
                sums[lane] = sums[lane].wrapping_sub(row[lane]);
            }
            sums
        }
    };
}

pub(super) use kernels;

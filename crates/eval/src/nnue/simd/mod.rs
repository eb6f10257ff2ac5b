//! The inner loops, once for each instruction set, all with the same results.
//!
//! Every module defines the same primitives; [`kernels!`](composite) builds the loops from them, inside functions with
//! the instruction set enabled. The module is chosen once, when a network is prepared.

mod composite;
mod isa;
mod plain;
mod products;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_vnni;
#[cfg(target_arch = "x86_64")]
mod avx_vnni;
#[cfg(target_arch = "x86_64")]
mod sse41;

#[cfg(target_arch = "aarch64")]
mod neon;

// A module with such instructions does not load where they are missing, so they are chosen when it is built.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

pub use isa::{Isa, ParseIsaError};

use crate::nnue::incremental::delta::Delta;
use crate::nnue::network::packed::{Packed, Scratch};

// Unsafe only because the processor must have the instruction set.

/// `(from, to, weights, delta)`: updates the sums of both players after a move.
pub(super) type UpdateBoth = unsafe fn(&[i16], &mut [i16], &[i16], &Delta);
/// `(from, to, weights, delta, player)`: updates the sums of one player.
pub(super) type Update = unsafe fn(&[i16], &mut [i16], &[i16], &Delta, usize);
/// `(sums, weights, added, removed)`: adds some rows and removes some.
pub(super) type Adjust = unsafe fn(&mut [i16], &[i16], &[u32], &[u32]);
/// `(network, stack, own sums, enemy's sums, scratch)`: evaluates the layers after the first.
pub(super) type Forward = unsafe fn(&Packed, usize, &[i16], &[i16], &mut Scratch) -> i32;

/// The loops of one instruction set for one shape of network.
///
/// The functions may only be called on processors that have the instruction set; [`Isa::kernels`] ensures that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    /// Outputs of layers are padded to a multiple of this.
    pub(super) lanes: usize,
    /// Instructions for the products of four inputs with a vector of outputs.
    pub(super) vector_cost: f64,
    pub(super) update_both: UpdateBoth,
    pub(super) update: Update,
    pub(super) adjust: Adjust,
    pub(super) forward: Forward,
}

/// Sizes that select the compiled loops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Inputs of the first hidden layer that come from one player.
    pub(super) half: usize,
    pub(super) outputs: [usize; 2],
    pub(super) stacked: bool,
}

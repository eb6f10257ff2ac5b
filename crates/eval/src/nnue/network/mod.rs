//! A network prepared for this processor.

pub(in crate::nnue) mod activity;
pub(in crate::nnue) mod aligned;
pub(in crate::nnue) mod layers;
pub(in crate::nnue) mod packed;
pub(in crate::nnue) mod parameters;
pub(in crate::nnue) mod reference;
pub(in crate::nnue) mod value_scale;

use crate::nnue::incremental::delta::Delta;
use crate::nnue::network::packed::{Packed, Scratch};
use crate::nnue::simd::Kernels;
use crate::nnue::{Architecture, HashMismatch, Isa, NetworkError, Parameters};
use shogi::Position;
use std::fs::File;
use std::path::Path;

/// The name of network files in their folders.
pub const FILE_NAME: &str = "nn.bin";

/// A network prepared for an instruction set; evaluations share it.
#[derive(Debug)]
pub struct Network {
    parameters: Parameters,
    packed: Packed,
    kernels: Kernels,
    isa: Isa,
}

impl Network {
    /// Prepares a network for the best instruction set of this processor.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self::with_isa(parameters, Isa::best())
    }

    /// Prepares a network for one instruction set; uses plain Rust if the processor lacks it.
    #[must_use]
    pub fn with_isa(mut parameters: Parameters, isa: Isa) -> Self {
        let isa = if isa.is_available() { isa } else { Isa::Plain };
        let (packed, kernels) = Packed::new(&mut parameters, isa);
        Self { parameters, packed, kernels, isa }
    }

    /// Reads a network file, or `nn.bin` in a folder (`EvalDir`), and returns warnings about it.
    pub fn load(path: &Path, isa: Isa) -> Result<(Self, Vec<HashMismatch>), NetworkError> {
        let path = if path.is_dir() { &path.join(FILE_NAME) } else { path };
        let file_error = |error| NetworkError::File { path: path.to_owned(), error };
        let file = File::open(path).map_err(file_error)?;
        let length = file.metadata().map_err(file_error)?.len();
        let loaded = Parameters::read(file, length)?;
        Ok((Self::with_isa(loaded.parameters, isa), loaded.mismatches))
    }

    /// The shape.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        self.parameters.architecture()
    }

    /// The numbers.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The instruction set that is used.
    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa
    }

    pub(in crate::nnue) fn scratch(&self) -> Scratch {
        self.packed.scratch()
    }

    /// Numbers of a player's sums.
    pub(in crate::nnue) fn stride(&self) -> usize {
        self.parameters.transformer.stride
    }

    pub(in crate::nnue) fn bias(&self) -> &[i16] {
        &self.parameters.transformer.bias
    }

    /// Sums of the first layer for both players, one after the other, after a move.
    #[inline]
    pub(in crate::nnue) fn update_both(&self, from: &[i16], to: &mut [i16], delta: &Delta) {
        // SAFETY: the kernels are those of an instruction set that `with_isa` found available.
        unsafe { (self.kernels.update_both)(from, to, &self.parameters.transformer.weights, delta) }
    }

    /// Like [`Self::update_both`], for one player.
    #[inline]
    pub(in crate::nnue) fn update(&self, from: &[i16], to: &mut [i16], delta: &Delta, player: usize) {
        // SAFETY: `with_isa` chose kernels of an instruction set that is available.
        unsafe { (self.kernels.update)(from, to, &self.parameters.transformer.weights, delta, player) }
    }

    /// Like [`Self::update`], in place.
    #[inline]
    pub(in crate::nnue) fn adjust(&self, sums: &mut [i16], added: &[u32], removed: &[u32]) {
        // SAFETY: `with_isa` chose kernels of an instruction set that is available.
        unsafe { (self.kernels.adjust)(sums, &self.parameters.transformer.weights, added, removed) }
    }

    /// The unscaled value, given the sums of the first layer.
    #[inline]
    pub(in crate::nnue) fn forward(
        &self,
        position: &Position,
        us: &[i16],
        them: &[i16],
        scratch: &mut Scratch,
    ) -> i32 {
        let stack = self.parameters.stack_index(position);
        // SAFETY: `with_isa` chose kernels of an instruction set that is available.
        unsafe { (self.kernels.forward)(&self.packed, stack, us, them, scratch) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Features;

    /// Trained weights are mostly small; there are shorter loops for those.
    #[test]
    fn small_weights_on_every_instruction_set() {
        for shape in [
            Architecture::classic(Features::Kp, 64, 32, 32),
            Architecture::stacked(Features::Kp, 64, 15, 32),
            Architecture::classic(Features::Kp, 64, 5, 7),
        ] {
            let mut parameters = Parameters::random(&shape, 8);
            for layer in parameters.stacks.iter_mut().flat_map(|stack| &mut stack.0) {
                layer.weights.iter_mut().for_each(|weight| *weight /= 4);
            }
            let position = Position::startpos();
            let sums = |network: &Network, view| {
                let mut sums = network.bias().to_vec();
                let mut active = Vec::new();
                shape.features.for_each_active(&position, view, |feature| active.push(feature as u32));
                network.adjust(&mut sums, &active, &[]);
                sums
            };
            for isa in Isa::available() {
                let network = Network::with_isa(parameters.clone(), isa);
                assert!(network.packed.stacks[0][0].gentle && network.packed.stacks[0][1].gentle);
                let [us, them] = shogi::Color::ALL.map(|view| sums(&network, view));
                let value = network.forward(&position, &us, &them, &mut network.scratch());
                assert_eq!(value, parameters.evaluate(&position), "{isa}");
            }
        }
    }
}

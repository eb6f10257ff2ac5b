//! A network as the inner loops want it.

use super::aligned::Aligned;
use super::parameters::{Affine, Stack};
use super::simd::{Isa, Kernels, Sizes};
use super::{Model, Parameters};

/// A layer: `weights[group of four inputs][output][input of the group]`, the last one just `weights[input]`.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) groups: usize,
    /// Padded.
    pub(crate) outputs: usize,
    /// Pairs of products of any four groups fit 16 bits when they are summed.
    pub(crate) gentle: bool,
    pub(crate) bias: Aligned<i32>,
    pub(crate) weights: Aligned<i8>,
}

impl Layer {
    /// `place` tells where the inner loops have an input of the file.
    fn hidden(layer: &Affine, lanes: usize, inputs: usize, place: impl Fn(usize) -> usize) -> Self {
        let outputs = layer.bias.len().next_multiple_of(lanes);
        let groups = inputs.div_ceil(4);
        let mut bias = Aligned::zeroed(outputs);
        bias[..layer.bias.len()].copy_from_slice(&layer.bias);
        let mut weights = Aligned::zeroed(4 * groups * outputs);
        for output in 0..layer.bias.len() {
            for (input, weight) in layer.row(output).iter().enumerate() {
                let place = place(input);
                weights[(place / 4 * outputs + output) * 4 + place % 4] = *weight;
            }
        }
        let gentle = is_gentle(&weights, outputs);
        Self { groups, outputs, gentle, bias, weights }
    }

    fn last(layer: &Affine) -> Self {
        let mut bias = Aligned::zeroed(1);
        bias[0] = layer.bias[0];
        let mut weights = Aligned::zeroed(layer.inputs.next_multiple_of(32));
        weights[..layer.inputs].copy_from_slice(layer.row(0));
        Self { groups: layer.inputs.div_ceil(4), outputs: 1, gentle: false, bias, weights }
    }
}

/// Looks at the largest and the smallest sums that each pair of weights can make with inputs up to 127.
fn is_gentle(weights: &[i8], outputs: usize) -> bool {
    let pairs = 2 * outputs;
    (0..pairs).all(|pair| {
        let largest_four = |sign: i32| {
            let mut four = [0; 4];
            for weights in weights.as_chunks::<2>().0.iter().skip(pair).step_by(pairs) {
                let sum: i32 = weights.iter().map(|weight| (sign * i32::from(*weight)).max(0)).sum();
                if sum > four[0] {
                    four[0] = sum;
                    four.sort_unstable();
                }
            }
            127 * four.iter().sum::<i32>()
        };
        largest_four(1) <= 32767 && largest_four(-1) <= 32768
    })
}

/// All layers after the first one.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) half_stride: usize,
    pub(crate) hidden1: usize,
    pub(crate) shortcut: bool,
    pub(crate) stacks: Vec<[Layer; 3]>,
}

impl Packed {
    pub(crate) fn new(parameters: &Parameters, isa: Isa) -> (Self, Kernels) {
        let shape = &parameters.shape;
        let layers = shape.layers();
        let sizes =
            Sizes { outputs: [layers[0].1, layers[1].1], stacked: !matches!(shape.model, Model::Classic) };
        let kernels = isa.kernels(sizes);
        let half_stride = parameters.transformer.half_stride;
        let half = layers[0].0 / 2;
        let place = |input| if input < half { input } else { input - half + half_stride };
        let pack = |Stack([first, second, last]): &Stack| {
            [
                Layer::hidden(first, kernels.lanes, 2 * half_stride, place),
                Layer::hidden(second, kernels.lanes, second.inputs, |input| input),
                Layer::last(last),
            ]
        };
        let packed = Self {
            half_stride,
            hidden1: shape.hidden1,
            shortcut: shape.has_shortcut(),
            stacks: parameters.stacks.iter().map(pack).collect(),
        };
        (packed, kernels)
    }

    /// Room for one evaluation at a time.
    pub(crate) fn scratch(&self) -> Scratch {
        let [first, second, last] = &self.stacks[0];
        let bits = (self.half_stride / 16).next_multiple_of(8);
        Scratch {
            inputs: Aligned::zeroed(2 * self.half_stride),
            bits: Aligned::zeroed(bits),
            sums: Aligned::zeroed(first.outputs.max(second.outputs)),
            hidden: Aligned::zeroed((4 * second.groups).max(self.hidden1 + first.outputs)),
            last: Aligned::zeroed(last.weights.len().max(second.outputs.next_multiple_of(32))),
        }
    }
}

/// Where an evaluation keeps what is between the layers. What pads the inputs of a layer stays 0.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub(crate) inputs: Aligned<u8>,
    /// A bit for each four inputs that are not all 0.
    pub(crate) bits: Aligned<u8>,
    pub(crate) sums: Aligned<i32>,
    pub(crate) hidden: Aligned<u8>,
    pub(crate) last: Aligned<u8>,
}

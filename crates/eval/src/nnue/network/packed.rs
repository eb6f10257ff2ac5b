//! A network in the memory layout of the inner loops.

use crate::nnue::network::activity::Activity;
use crate::nnue::network::aligned::Aligned;
use crate::nnue::network::parameters::{Affine, Stack};
use crate::nnue::simd::{Isa, Kernels, Sizes};
use crate::nnue::{Model, Parameters};

/// A layer: `weights[group of four inputs][output][input of the group]`, the last one just `weights[input]`.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) groups: usize,
    /// Padded.
    pub(crate) outputs: usize,
    /// Whether the products of any four pairs fit 16 bits when they are summed.
    pub(crate) gentle: bool,
    pub(crate) bias: Aligned<i32>,
    pub(crate) weights: Aligned<i8>,
}

impl Layer {
    /// `place` maps an input of the file to its place in the inner loops.
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

/// Checks the largest and the smallest sums that each pair of weights can make with inputs up to 127.
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

/// Instructions that it takes to find a group of inputs by its bit.
const SEARCH_COST: f64 = 4.0;

/// All layers after the first one.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) half_stride: usize,
    /// Number of blocks of 32 inputs in each half that are tested for zeros; they come first. The rest is mostly not
    /// zero.
    pub(crate) sparse_blocks: usize,
    pub(crate) hidden1: usize,
    pub(crate) shortcut: bool,
    /// Where the inputs of an SFNN's second hidden layer that are not squared begin. A group of four never has both
    /// kinds, because it would be loaded from two places that were just written, which stalls.
    pub(crate) behind_squares: usize,
    pub(crate) stacks: Vec<[Layer; 3]>,
}

impl Packed {
    /// Reorders the outputs of the first layer for the instruction set.
    pub(crate) fn new(parameters: &mut Parameters, isa: Isa) -> (Self, Kernels) {
        let shape = parameters.shape;
        let layers = shape.layers();
        let sizes = Sizes {
            half: parameters.transformer.half_stride,
            outputs: [layers[0].1, layers[1].1],
            stacked: !matches!(shape.model, Model::Classic),
        };
        let kernels = isa.kernels(sizes);
        let activity = Activity::measure(parameters);
        let order = activity.order();
        let vectors = layers[0].1.div_ceil(kernels.lanes) as f64;
        let sparse_blocks = activity.sparse_blocks(&order, 1.0 + kernels.vector_cost * vectors, SEARCH_COST);
        parameters.transformer.reorder(&order);
        let half_stride = parameters.transformer.half_stride;
        // Tested blocks come first, those of both halves.
        let searched = 32 * sparse_blocks;
        let place = |input| {
            let column = parameters.transformer.column(input);
            let (half, column) = (column / half_stride, column % half_stride);
            let rest = half_stride - searched;
            if column < searched { half * searched + column } else { searched + half * rest + column }
        };
        let behind_squares = layers[0].1.next_multiple_of(4);
        let pack = |Stack([first, second, last]): &Stack| {
            let apart =
                |input| if input < shape.hidden1 { input } else { input - shape.hidden1 + behind_squares };
            [
                Layer::hidden(first, kernels.lanes, 2 * half_stride, place),
                match shape.model {
                    Model::Classic => Layer::hidden(second, kernels.lanes, second.inputs, |input| input),
                    Model::Stacked(_) => Layer::hidden(second, kernels.lanes, 2 * behind_squares, apart),
                },
                Layer::last(last),
            ]
        };
        let packed = Self {
            half_stride,
            sparse_blocks,
            hidden1: shape.hidden1,
            shortcut: shape.has_shortcut(),
            behind_squares,
            stacks: parameters.stacks.iter().map(pack).collect(),
        };
        (packed, kernels)
    }

    /// Scratch memory for one evaluation at a time.
    pub(crate) fn scratch(&self) -> Scratch {
        let [first, second, last] = &self.stacks[0];
        let bits = (2 * self.sparse_blocks).next_multiple_of(8);
        Scratch {
            inputs: Aligned::zeroed(2 * self.half_stride),
            bits: Aligned::zeroed(bits),
            sums: Aligned::zeroed(first.outputs.max(second.outputs)),
            hidden: Aligned::zeroed((4 * second.groups).max(self.behind_squares + first.outputs)),
            last: Aligned::zeroed(last.weights.len().max(second.outputs.next_multiple_of(32))),
        }
    }
}

/// Activations between the layers. The padding of a layer's inputs stays 0.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub(crate) inputs: Aligned<u8>,
    /// A bit for each group of four tested inputs that is not all 0, padded with zeros to words of 64.
    pub(crate) bits: Aligned<u8>,
    pub(crate) sums: Aligned<i32>,
    pub(crate) hidden: Aligned<u8>,
    pub(crate) last: Aligned<u8>,
}

//! The layers after the first: weights and gradients.
//!
//! Positions are distributed to a fixed number of lanes with gradients of their own, which are summed in order at the
//! end of a batch. The result therefore does not depend on the threads.

use crate::fit::data::batch::PORTION;
use crate::fit::net::quantise::{ONE, WEIGHT};
use crate::fit::optimise::adam::{self, Decay, Image, Step};
use crate::fit::optimise::first_layer::{BLOCK, Cell};
use crate::fit::optimise::vector::{LANES, Vector, at, at_mut, fill, take, vectors};
use crate::fit::{Activations, FloatLayer, FloatNet};
use eval::nnue::{Architecture, Model};
use rayon::prelude::*;
use std::ops::Range;

/// Number of lanes.
pub(in crate::fit) const WORK_LANES: usize = 16;
/// Positions of a portion per lane.
pub(in crate::fit) const SHARE: usize = PORTION / WORK_LANES;
/// Positions whose first hidden layer is computed together.
pub(in crate::fit) const GROUP: usize = 4;

/// Offsets of the parameters of a stack, in vectors.
#[derive(Clone, Debug)]
pub(in crate::fit) struct Plan {
    pub(in crate::fit) stacked: bool,
    pub(in crate::fit) hidden1: usize,
    /// Outputs of the first layer of a stack.
    pub(in crate::fit) outputs: usize,
    /// Inputs of the second.
    pub(in crate::fit) inputs2: usize,
    pub(in crate::fit) hidden2: usize,
    /// Number of blocks of the first layer.
    pub(in crate::fit) blocks: usize,
    /// Vectors of a stack's input.
    pub(in crate::fit) inputs: usize,
    /// `[input vector][output]`; the lanes are inputs.
    pub(in crate::fit) first: Range<usize>,
    pub(in crate::fit) bias1: Range<usize>,
    /// `[input][output vector]`
    pub(in crate::fit) second: Range<usize>,
    pub(in crate::fit) bias2: Range<usize>,
    pub(in crate::fit) last: Range<usize>,
    pub(in crate::fit) bias3: usize,
    pub(in crate::fit) length: usize,
}

impl Plan {
    fn new(shape: &Architecture) -> Self {
        let [(inputs, outputs), (inputs2, hidden2), _] = shape.layers();
        let mut end = 0;
        let mut next = |vectors: usize| {
            end += vectors;
            end - vectors..end
        };
        let inputs = vectors(inputs);
        let first = next(inputs * outputs);
        let bias1 = next(vectors(outputs));
        let second = next(inputs2 * vectors(hidden2));
        let bias2 = next(vectors(hidden2));
        let last = next(vectors(hidden2));
        let bias3 = next(1).start;
        Self {
            stacked: matches!(shape.model, Model::Stacked(_)),
            hidden1: shape.hidden1,
            outputs,
            inputs2,
            hidden2,
            blocks: shape.width / BLOCK,
            inputs,
            first,
            bias1,
            second,
            bias2,
            last,
            bias3,
            length: end,
        }
    }
}

/// All layers but the first, with the optimiser's state.
#[derive(Clone, Debug)]
pub(in crate::fit) struct Upper {
    pub(in crate::fit) plan: Plan,
    /// The stacks, concatenated.
    pub(in crate::fit) weights: Vec<Vector>,
    /// The weights in the form used for evaluation.
    pub(in crate::fit) used: Vec<Vector>,
    pub(in crate::fit) activations: Activations,
    pub(in crate::fit) averages: Vec<[Vector; 2]>,
    /// The second layer of each stack, transposed: `[output][input vector]`.
    pub(in crate::fit) turned: Vec<Vector>,
}

/// The gradients and statistics of a lane.
#[derive(Clone, Debug)]
pub(in crate::fit) struct Lane {
    pub(in crate::fit) gradient: Vec<Vector>,
    /// Gradients of the sums: `[block][item]`.
    pub(in crate::fit) sums: Vec<Cell>,
    pub(in crate::fit) scratch: Scratch,
    pub(in crate::fit) seen: Seen,
}

/// Statistics of positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::fit) struct Seen {
    pub(in crate::fit) positions: u64,
    pub(in crate::fit) loss: f64,
    /// Decided positions, and those whose value has the right sign.
    pub(in crate::fit) decided: u64,
    pub(in crate::fit) right: u64,
}

impl Seen {
    pub(in crate::fit) fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.loss += other.loss;
        self.decided += other.decided;
        self.right += other.right;
    }

    /// The mean loss.
    pub(in crate::fit) fn mean_loss(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }

    /// The share of decided positions with the right sign.
    pub(in crate::fit) fn accuracy(&self) -> f64 {
        self.right as f64 / self.decided.max(1) as f64
    }
}

#[derive(Clone, Debug)]
pub(in crate::fit) struct Scratch {
    /// Inputs of the positions of a group, and their gradients.
    pub(in crate::fit) inputs: Vec<Vector>,
    pub(in crate::fit) input_gradients: Vec<Vector>,
    /// Outputs of the first layer, and their gradients: `[position][output]`.
    pub(in crate::fit) outputs: Vec<f32>,
    pub(in crate::fit) output_gradients: Vec<f32>,
    pub(in crate::fit) hidden1: Vec<Vector>,
    pub(in crate::fit) hidden1_gradient: Vec<Vector>,
    pub(in crate::fit) hidden2: Vec<Vector>,
    pub(in crate::fit) hidden2_gradient: Vec<Vector>,
}

impl Lane {
    fn new(upper: &Upper) -> Self {
        let plan = &upper.plan;
        let zeros = |count| vec![Vector::ZERO; count];
        Self {
            gradient: zeros(upper.weights.len()),
            sums: vec![[Vector::ZERO; BLOCK / LANES]; plan.blocks * 2 * SHARE],
            scratch: Scratch {
                inputs: zeros(GROUP * plan.inputs),
                input_gradients: zeros(GROUP * plan.inputs),
                outputs: vec![0.0; GROUP * plan.outputs],
                output_gradients: vec![0.0; GROUP * plan.outputs],
                hidden1: zeros(vectors(plan.inputs2)),
                hidden1_gradient: zeros(vectors(plan.inputs2)),
                hidden2: zeros(vectors(plan.hidden2)),
                hidden2_gradient: zeros(vectors(plan.hidden2)),
            },
            seen: Seen::default(),
        }
    }

    /// Gradients of the sums of a block for the first `items` items.
    pub(in crate::fit) fn gradients_of_sums(&self, block: usize, items: usize) -> &[Cell] {
        &self.sums[block * 2 * SHARE..][..items]
    }
}

/// The positions of a lane in a portion.
pub(in crate::fit) fn share(lane: usize, positions: usize) -> Range<usize> {
    (lane * SHARE).min(positions)..((lane + 1) * SHARE).min(positions)
}

impl Upper {
    /// The layers of a network, with the averages of their gradients.
    pub(in crate::fit) fn new(net: &FloatNet, averages: &[FloatNet; 2]) -> Self {
        let plan = Plan::new(net.architecture());
        let packed =
            |net: &FloatNet| -> Vec<Vector> { net.stacks.iter().flat_map(|s| pack(&plan, s)).collect() };
        let weights = packed(net);
        let [first, second] = averages.each_ref().map(packed);
        let averages = first.into_iter().zip(second).map(|(a, b)| [a, b]).collect();
        let mut upper = Self {
            plan,
            used: weights.clone(),
            weights,
            averages,
            activations: Activations::Real,
            turned: Vec::new(),
        };
        upper.use_weights();
        upper
    }

    /// Stores the layers in a network, and their averages in two more.
    pub(in crate::fit) fn store(&self, net: &mut FloatNet, averages: Option<[&mut FloatNet; 2]>) {
        let put = |net: &mut FloatNet, numbers: &[Vector]| {
            let stacks = numbers.chunks_exact(self.plan.length);
            net.stacks.iter_mut().zip(stacks).for_each(|(stack, numbers)| unpack(&self.plan, numbers, stack));
        };
        put(net, &self.weights);
        for (which, net) in averages.into_iter().flatten().enumerate() {
            put(net, &self.averages.iter().map(|pair| pair[which]).collect::<Vec<_>>());
        }
    }

    pub(in crate::fit) fn lanes(&self) -> Vec<Lane> {
        (0..WORK_LANES).map(|_| Lane::new(self)).collect()
    }

    /// Sets whether weights and activations are rounded as in a quantised network.
    pub(in crate::fit) fn set_activations(&mut self, activations: Activations) {
        self.activations = activations;
        self.use_weights();
    }

    /// Recomputes the form of the weights used for evaluation.
    fn use_weights(&mut self) {
        let Plan { bias1, bias2, bias3, length, .. } = &self.plan;
        for (place, (used, weights)) in self.used.iter_mut().zip(&self.weights).enumerate() {
            let place = place % length;
            let is_bias = bias1.contains(&place) || bias2.contains(&place) || *bias3 == place;
            let image = match self.activations {
                Activations::Real => Image::Real,
                Activations::Cut if is_bias => Image::Rounded(WEIGHT * ONE),
                Activations::Cut => Image::Rounded(WEIGHT),
            };
            *used = image.of(*weights);
        }
        self.turn();
    }

    /// Recomputes the transposed second layers.
    fn turn(&mut self) {
        let Plan { inputs2, hidden2, .. } = self.plan;
        let stride = vectors(inputs2);
        self.turned.resize(self.used.len() / self.plan.length * hidden2 * stride, Vector::ZERO);
        let stacks = self.used.chunks_exact(self.plan.length);
        for (turned, stack) in self.turned.chunks_exact_mut(hidden2 * stride).zip(stacks) {
            let second = &stack[self.plan.second.clone()];
            for (input, row) in second.chunks_exact(vectors(hidden2)).enumerate() {
                for output in 0..hidden2 {
                    *at_mut(&mut turned[output * stride..], input) = at(row, output);
                }
            }
        }
    }

    /// Updates all weights by the gradients of all lanes.
    pub(in crate::fit) fn update(&mut self, lanes: &mut [Lane], step: Step) {
        let gradients: Vec<&[Vector]> = lanes.iter().map(|lane| &lane.gradient[..]).collect();
        let weights = self.weights.par_iter_mut().zip(&mut self.averages).enumerate();
        weights.with_min_len(256).for_each(|(place, (weights, averages))| {
            let mut gradient = Vector::ZERO;
            for lane in &gradients {
                gradient += &lane[place];
            }
            adam::step(weights, averages, &gradient, step, Decay::one());
        });
        lanes.par_iter_mut().for_each(|lane| lane.gradient.fill(Vector::ZERO));
        self.use_weights();
    }

    /// The gradients of all lanes as a network, for tests.
    #[cfg(test)]
    pub(in crate::fit) fn gradient(&self, lanes: &[Lane], net: &mut FloatNet) {
        let mut sum = vec![Vector::ZERO; self.weights.len()];
        for lane in lanes {
            sum.iter_mut().zip(&lane.gradient).for_each(|(sum, gradient)| *sum += gradient);
        }
        let stacks = sum.chunks_exact(self.plan.length);
        net.stacks.iter_mut().zip(stacks).for_each(|(stack, numbers)| unpack(&self.plan, numbers, stack));
    }
}

fn pack(plan: &Plan, [first, second, last]: &[FloatLayer; 3]) -> Vec<Vector> {
    let mut packed = vec![Vector::ZERO; plan.length];
    for (output, row) in first.weights.chunks_exact(first.inputs).enumerate() {
        for (vector, numbers) in row.chunks(LANES).enumerate() {
            let place = plan.first.start + vector * plan.outputs + output;
            packed[place].0[..numbers.len()].copy_from_slice(numbers);
        }
    }
    let stride = vectors(plan.hidden2);
    for (output, row) in second.weights.chunks_exact(second.inputs).enumerate() {
        for (input, number) in row.iter().enumerate() {
            *at_mut(&mut packed[plan.second.start + input * stride..], output) = *number;
        }
    }
    fill(&mut packed[plan.bias1.clone()], &first.bias);
    fill(&mut packed[plan.bias2.clone()], &second.bias);
    fill(&mut packed[plan.last.clone()], &last.weights);
    packed[plan.bias3].0[0] = last.bias[0];
    packed
}

fn unpack(plan: &Plan, packed: &[Vector], [first, second, last]: &mut [FloatLayer; 3]) {
    for (output, row) in first.weights.chunks_exact_mut(first.inputs).enumerate() {
        for (vector, numbers) in row.chunks_mut(LANES).enumerate() {
            let place = plan.first.start + vector * plan.outputs + output;
            numbers.copy_from_slice(&packed[place].0[..numbers.len()]);
        }
    }
    let stride = vectors(plan.hidden2);
    for (output, row) in second.weights.chunks_exact_mut(second.inputs).enumerate() {
        for (input, number) in row.iter_mut().enumerate() {
            *number = at(&packed[plan.second.start + input * stride..], output);
        }
    }
    take(&packed[plan.bias1.clone()], &mut first.bias);
    take(&packed[plan.bias2.clone()], &mut second.bias);
    take(&packed[plan.last.clone()], &mut last.weights);
    last.bias[0] = packed[plan.bias3].0[0];
}

//! The forward and backward pass through the layers after the first.

use crate::fit::Activations;
use crate::fit::data::batch::Portion;
use crate::fit::data::samples::Label;
use crate::fit::data::target::Target;
use crate::fit::net::float_net::{PRODUCT, VALUE_OF_ONE};
use crate::fit::optimise::first_layer::{Block, VECTORS};
use crate::fit::optimise::upper::{GROUP, Lane, SHARE, Scratch, Upper, share};
use crate::fit::optimise::vector::{Vector, at, at_mut, for_this_processor, vectors};

for_this_processor! {
    /// Evaluates the positions of a lane's share and, with a weight, adds to the lane's gradients.
    pub(in crate::fit) fn take_share => take_share_plain(
        upper: &Upper,
        number: usize,
        lane: &mut Lane,
        portion: &Portion,
        blocks: &[Block],
        target: &Target,
        weight: Option<f32>,
    )
}

#[inline(always)]
fn take_share_plain<const FUSED: bool>(
    upper: &Upper,
    number: usize,
    lane: &mut Lane,
    portion: &Portion,
    blocks: &[Block],
    target: &Target,
    weight: Option<f32>,
) {
    // Direct calls: a function pointer would not be compiled for the caller's instruction set.
    match (weight, upper.activations) {
        (None, Activations::Real) => {
            pass_share::<FUSED, false, false>(upper, number, lane, portion, blocks, target, 0.0);
        }
        (None, Activations::Cut) => {
            pass_share::<FUSED, false, true>(upper, number, lane, portion, blocks, target, 0.0);
        }
        (Some(weight), Activations::Real) => {
            pass_share::<FUSED, true, false>(upper, number, lane, portion, blocks, target, weight);
        }
        (Some(weight), Activations::Cut) => {
            pass_share::<FUSED, true, true>(upper, number, lane, portion, blocks, target, weight);
        }
    }
}

/// Processes the positions of a share, grouped by stack.
#[inline(always)]
fn pass_share<const FUSED: bool, const LEARN: bool, const CUT: bool>(
    upper: &Upper,
    number: usize,
    lane: &mut Lane,
    portion: &Portion,
    blocks: &[Block],
    target: &Target,
    weight: f32,
) {
    let range = share(number, portion.labels().len());
    let start = range.start;
    let labels = &portion.labels()[range];
    let mut order: [u16; SHARE] = std::array::from_fn(|index| index as u16);
    let order = &mut order[..labels.len()];
    order.sort_unstable_by_key(|index| (labels[usize::from(*index)].stack, *index));
    for run in order.chunk_by(|a, b| labels[usize::from(*a)].stack == labels[usize::from(*b)].stack) {
        let stack = usize::from(labels[usize::from(run[0])].stack);
        let mut pass = Pass { upper, stack, lane: &mut *lane, labels, start, blocks, target, weight };
        let (groups, rest) = run.as_chunks::<GROUP>();
        for group in groups {
            pass.group::<FUSED, LEARN, CUT, GROUP>(group);
        }
        for one in rest {
            pass.group::<FUSED, LEARN, CUT, 1>(&[*one]);
        }
    }
}

/// The pass of some positions of one stack through the layers.
struct Pass<'a> {
    upper: &'a Upper,
    stack: usize,
    lane: &'a mut Lane,
    labels: &'a [Label],
    /// The first position of the share.
    start: usize,
    blocks: &'a [Block],
    target: &'a Target,
    weight: f32,
}

impl Pass<'_> {
    #[inline(always)]
    fn group<const FUSED: bool, const LEARN: bool, const CUT: bool, const N: usize>(
        &mut self,
        group: &[u16; N],
    ) {
        for (place, index) in group.iter().enumerate() {
            self.inputs::<CUT>(place, usize::from(*index));
        }
        self.first_layer::<FUSED, N>();
        for (place, index) in group.iter().enumerate() {
            let label = self.labels[usize::from(*index)];
            self.rest::<FUSED, LEARN, CUT>(place, &label);
        }
        if LEARN {
            self.first_layer_back::<FUSED, N>();
            for (place, index) in group.iter().enumerate() {
                self.inputs_back(place, usize::from(*index));
            }
        }
    }

    /// Products of halves, or clipped sums.
    #[inline(always)]
    fn inputs<const CUT: bool>(&mut self, place: usize, index: usize) {
        let plan = &self.upper.plan;
        let inputs = &mut self.lane.scratch.inputs[place * plan.inputs..][..plan.inputs];
        let half = plan.inputs / 2;
        for player in 0..2 {
            let item = 2 * (self.start + index) + player;
            let inputs = &mut inputs[player * half..][..half];
            if plan.stacked {
                let (left, right) = self.blocks.split_at(plan.blocks / 2);
                for block in 0..plan.blocks / 2 {
                    let (a, b) = (left[block].sums(item), right[block].sums(item));
                    for vector in 0..VECTORS {
                        inputs[block * VECTORS + vector] =
                            a[vector].zip(b[vector], |a, b| cut::<CUT>(clip(a) * clip(b) * PRODUCT));
                    }
                }
            } else {
                for block in 0..plan.blocks {
                    let sums = self.blocks[block].sums(item);
                    for vector in 0..VECTORS {
                        inputs[block * VECTORS + vector] = sums[vector].map(clip);
                    }
                }
            }
        }
    }

    /// The first layer of the stack, for a group, two outputs at a time.
    #[inline(always)]
    fn first_layer<const FUSED: bool, const N: usize>(&mut self) {
        let plan = &self.upper.plan;
        let weights = &self.upper.used[self.stack * plan.length..][..plan.length];
        let (first, bias) = (&weights[plan.first.clone()], &weights[plan.bias1.clone()]);
        let Scratch { inputs, outputs, .. } = &mut self.lane.scratch;
        let inputs = &inputs[..N * plan.inputs];
        let mut output = 0;
        while output < plan.outputs {
            // An odd last output is computed twice.
            let pair = [output, (output + 1).min(plan.outputs - 1)];
            let mut sums = [[Vector::ZERO; 2]; N];
            for vector in 0..plan.inputs {
                let weights = &first[vector * plan.outputs..][..plan.outputs];
                let (one, other) = (weights[pair[0]], weights[pair[1]]);
                for place in 0..N {
                    let input = &inputs[place * plan.inputs + vector];
                    sums[place][0].add_products::<FUSED>(&one, input);
                    sums[place][1].add_products::<FUSED>(&other, input);
                }
            }
            for place in 0..N {
                for which in 0..2 {
                    outputs[place * plan.outputs + pair[which]] =
                        sums[place][which].sum() + at(bias, pair[which]);
                }
            }
            output += 2;
        }
    }

    /// The forward pass from the outputs of the first layer to the loss, and the backward pass to them.
    #[inline(always)]
    fn rest<const FUSED: bool, const LEARN: bool, const CUT: bool>(&mut self, place: usize, label: &Label) {
        let plan = &self.upper.plan;
        let range = self.stack * plan.length..(self.stack + 1) * plan.length;
        let weights = &self.upper.used[range.clone()];
        let Scratch {
            outputs, output_gradients, hidden1, hidden1_gradient, hidden2, hidden2_gradient, ..
        } = &mut self.lane.scratch;
        let outputs = &outputs[place * plan.outputs..][..plan.outputs];
        let count = plan.hidden1;
        if plan.stacked {
            for (index, output) in outputs[..count].iter().enumerate() {
                *at_mut(hidden1, index) = cut::<CUT>((output * output * PRODUCT).min(1.0));
                *at_mut(hidden1, count + index) = cut::<CUT>(clip(*output));
            }
        } else {
            for (index, output) in outputs.iter().enumerate() {
                *at_mut(hidden1, index) = cut::<CUT>(clip(*output));
            }
        }
        let stride = vectors(plan.hidden2);
        hidden2.copy_from_slice(&weights[plan.bias2.clone()]);
        for (input, row) in weights[plan.second.clone()].chunks_exact(stride).enumerate() {
            let input = at(hidden1, input);
            for vector in 0..stride {
                hidden2[vector].add_scaled::<FUSED>(&row[vector], input);
            }
        }
        let last = &weights[plan.last.clone()];
        let mut sum = Vector::ZERO;
        for (hidden, weights) in hidden2.iter().zip(last) {
            sum.add_products::<FUSED>(&hidden.map(|x| cut::<CUT>(clip(x))), weights);
        }
        // With a shortcut there is one more output.
        let shortcut = outputs.get(count);
        let output = sum.sum() + weights[plan.bias3].0[0] + shortcut.copied().unwrap_or_default();

        let judged = self.target.judge(output * VALUE_OF_ONE, label);
        let seen = &mut self.lane.seen;
        seen.positions += 1;
        seen.loss += f64::from(judged.loss);
        if label.is_decided() {
            seen.decided += 1;
            seen.right += u64::from((output > 0.0) == (label.result > 0.5));
        }
        if !LEARN {
            return;
        }

        let slope = judged.slope * VALUE_OF_ONE * self.weight;
        let gradient = &mut self.lane.gradient[range];
        gradient[plan.bias3].0[0] += slope;
        for (vector, hidden) in hidden2.iter().enumerate() {
            gradient[plan.last.start + vector]
                .add_scaled::<FUSED>(&hidden.map(|x| cut::<CUT>(clip(x))), slope);
            let back = hidden.zip(last[vector], |x, weight| if is_open(x) { weight * slope } else { 0.0 });
            hidden2_gradient[vector] = back;
            gradient[plan.bias2.start + vector] += &back;
        }
        for (input, row) in gradient[plan.second.clone()].chunks_exact_mut(stride).enumerate() {
            let input = at(hidden1, input);
            for vector in 0..stride {
                row[vector].add_scaled::<FUSED>(&hidden2_gradient[vector], input);
            }
        }
        let stride = vectors(plan.inputs2);
        let turned = &self.upper.turned[self.stack * plan.hidden2 * stride..][..plan.hidden2 * stride];
        hidden1_gradient.fill(Vector::ZERO);
        for (output, row) in turned.chunks_exact(stride).enumerate() {
            let back = at(hidden2_gradient, output);
            for vector in 0..stride {
                hidden1_gradient[vector].add_scaled::<FUSED>(&row[vector], back);
            }
        }
        let output_gradients = &mut output_gradients[place * plan.outputs..][..plan.outputs];
        for (index, output) in outputs.iter().enumerate() {
            let back = if index >= count {
                slope
            } else if plan.stacked {
                let square = if output * output * PRODUCT < 1.0 { 2.0 * PRODUCT * output } else { 0.0 };
                let plain = if is_open(*output) { at(hidden1_gradient, count + index) } else { 0.0 };
                at(hidden1_gradient, index) * square + plain
            } else if is_open(*output) {
                at(hidden1_gradient, index)
            } else {
                0.0
            };
            output_gradients[index] = back;
            *at_mut(&mut gradient[plan.bias1.clone()], index) += back;
        }
    }

    /// Gradients of the first layer of the stack and of its inputs, for a group.
    #[inline(always)]
    fn first_layer_back<const FUSED: bool, const N: usize>(&mut self) {
        let plan = &self.upper.plan;
        let range = self.stack * plan.length..(self.stack + 1) * plan.length;
        let weights = &self.upper.used[range.clone()][plan.first.clone()];
        let gradient = &mut self.lane.gradient[range][plan.first.clone()];
        let Scratch { inputs, input_gradients, output_gradients, .. } = &mut self.lane.scratch;
        let slopes = &output_gradients[..N * plan.outputs];
        for vector in 0..plan.inputs {
            let weights = &weights[vector * plan.outputs..][..plan.outputs];
            let gradient = &mut gradient[vector * plan.outputs..][..plan.outputs];
            let mut row = [Vector::ZERO; N];
            for place in 0..N {
                row[place] = inputs[place * plan.inputs + vector];
            }
            let mut sums = [Vector::ZERO; N];
            for output in 0..plan.outputs {
                let mut learned = gradient[output];
                for place in 0..N {
                    let slope = slopes[place * plan.outputs + output];
                    learned.add_scaled::<FUSED>(&row[place], slope);
                    sums[place].add_scaled::<FUSED>(&weights[output], slope);
                }
                gradient[output] = learned;
            }
            for place in 0..N {
                input_gradients[place * plan.inputs + vector] = sums[place];
            }
        }
    }

    /// Gradients of the sums of the first layer.
    #[inline(always)]
    fn inputs_back(&mut self, place: usize, index: usize) {
        let plan = &self.upper.plan;
        let gradients = &self.lane.scratch.input_gradients[place * plan.inputs..][..plan.inputs];
        let half = plan.inputs / 2;
        let sums = &mut self.lane.sums;
        for player in 0..2 {
            let (item, kept) = (2 * (self.start + index) + player, 2 * index + player);
            let gradients = &gradients[player * half..][..half];
            if plan.stacked {
                let half = plan.blocks / 2;
                let (left, right) = self.blocks.split_at(half);
                for block in 0..half {
                    let (a, b) = (left[block].sums(item), right[block].sums(item));
                    for vector in 0..VECTORS {
                        let gradient = gradients[block * VECTORS + vector];
                        sums[block * 2 * SHARE + kept][vector] = half_back(a[vector], b[vector], gradient);
                        sums[(block + half) * 2 * SHARE + kept][vector] =
                            half_back(b[vector], a[vector], gradient);
                    }
                }
            } else {
                for block in 0..plan.blocks {
                    let own = self.blocks[block].sums(item);
                    for vector in 0..VECTORS {
                        let gradient = gradients[block * VECTORS + vector];
                        sums[block * 2 * SHARE + kept][vector] =
                            own[vector].zip(gradient, |x, gradient| if is_open(x) { gradient } else { 0.0 });
                    }
                }
            }
        }
    }
}

/// The derivative with respect to one half is the other half, unless it is clipped itself.
#[inline(always)]
fn half_back(half: Vector, other: Vector, gradient: Vector) -> Vector {
    let factor = half.zip(other, |x, other| if is_open(x) { clip(other) * PRODUCT } else { 0.0 });
    factor.zip(gradient, |factor, gradient| factor * gradient)
}

#[inline(always)]
fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

#[inline(always)]
fn cut<const CUT: bool>(x: f32) -> f32 {
    if CUT { Activations::Cut.of(x) } else { x }
}

/// Whether a clipped activation has a nonzero derivative.
#[inline(always)]
fn is_open(x: f32) -> bool {
    x > 0.0 && x < 1.0
}

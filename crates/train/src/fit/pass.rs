//! The way of positions through the layers on the first one, and back.

use super::Activations;
use super::batch::Portion;
use super::first_layer::{BLOCK, Block};
use super::float_net::{PRODUCT, VALUE_OF_ONE};
use super::samples::Label;
use super::target::Target;
use super::upper::{GROUP, Lane, SHARE, Scratch, Upper, share};
use super::vector::{LANES, Vector, at, at_mut, for_this_processor, vectors};

for_this_processor! {
    /// Values the positions of a lane's share.
    pub(super) fn evaluate_share => evaluate_share_plain(
        upper: &Upper,
        number: usize,
        lane: &mut Lane,
        portion: &Portion,
        blocks: &[Block],
        target: &Target,
    )
}

#[inline(always)]
fn evaluate_share_plain<const FUSED: bool>(
    upper: &Upper,
    number: usize,
    lane: &mut Lane,
    portion: &Portion,
    blocks: &[Block],
    target: &Target,
) {
    match upper.activations {
        Activations::Real => {
            pass_share::<FUSED, false, false>(upper, number, lane, portion, blocks, target, 0.0);
        }
        Activations::Cut => {
            pass_share::<FUSED, false, true>(upper, number, lane, portion, blocks, target, 0.0);
        }
    }
}

for_this_processor! {
    /// The same, and adds to the lane's gradients; `weight` is what a position counts.
    pub(super) fn learn_share => learn_share_plain(
        upper: &Upper,
        number: usize,
        lane: &mut Lane,
        portion: &Portion,
        blocks: &[Block],
        target: &Target,
        weight: f32,
    )
}

#[inline(always)]
fn learn_share_plain<const FUSED: bool>(
    upper: &Upper,
    number: usize,
    lane: &mut Lane,
    portion: &Portion,
    blocks: &[Block],
    target: &Target,
    weight: f32,
) {
    match upper.activations {
        Activations::Real => {
            pass_share::<FUSED, true, false>(upper, number, lane, portion, blocks, target, weight);
        }
        Activations::Cut => {
            pass_share::<FUSED, true, true>(upper, number, lane, portion, blocks, target, weight);
        }
    }
}

/// Takes the positions of a share through the layers, those of a stack together.
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

/// The way of some positions of one stack through the layers.
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
        for (player, inputs) in inputs.chunks_exact_mut(half).enumerate() {
            let item = 2 * (self.start + index) + player;
            let cells = inputs.as_chunks_mut::<{ BLOCK / LANES }>().0;
            if plan.stacked {
                let (left, right) = self.blocks.split_at(plan.blocks / 2);
                for ((left, right), cell) in left.iter().zip(right).zip(cells) {
                    for ((a, b), input) in left.sums(item).iter().zip(right.sums(item)).zip(cell) {
                        *input = a.zip(*b, |a, b| cut::<CUT>(clip(a) * clip(b) * PRODUCT));
                    }
                }
            } else {
                for (block, cell) in self.blocks.iter().zip(cells) {
                    for (sum, input) in block.sums(item).iter().zip(cell) {
                        *input = sum.map(clip);
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
        let rows: [&[Vector]; N] = std::array::from_fn(|place| &inputs[place * plan.inputs..][..plan.inputs]);
        let mut output = 0;
        while output < plan.outputs {
            // An odd last output is computed twice.
            let pair = [output, (output + 1).min(plan.outputs - 1)];
            let mut sums = [[Vector::ZERO; 2]; N];
            for (vector, weights) in first.chunks_exact(plan.outputs).enumerate() {
                let weights = [weights[pair[0]], weights[pair[1]]];
                for (row, sums) in rows.iter().zip(&mut sums) {
                    sums[0].add_products::<FUSED>(&weights[0], &row[vector]);
                    sums[1].add_products::<FUSED>(&weights[1], &row[vector]);
                }
            }
            for (place, sums) in sums.iter().enumerate() {
                for (output, sum) in pair.iter().zip(sums) {
                    outputs[place * plan.outputs + output] = sum.sum() + at(bias, *output);
                }
            }
            output += 2;
        }
    }

    /// From the outputs of the first layer to the loss, and back to them.
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
            for (sum, row) in hidden2.iter_mut().zip(row) {
                sum.add_scaled::<FUSED>(row, input);
            }
        }
        let last = &weights[plan.last.clone()];
        let mut sum = Vector::ZERO;
        for (hidden, weights) in hidden2.iter().zip(last) {
            sum.add_products::<FUSED>(&hidden.map(|x| cut::<CUT>(clip(x))), weights);
        }
        // There is one output more where there is a shortcut.
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
            for (row, back) in row.iter_mut().zip(&*hidden2_gradient) {
                row.add_scaled::<FUSED>(back, input);
            }
        }
        let stride = vectors(plan.inputs2);
        let turned = &self.upper.turned[self.stack * plan.hidden2 * stride..][..plan.hidden2 * stride];
        hidden1_gradient.fill(Vector::ZERO);
        for (output, row) in turned.chunks_exact(stride).enumerate() {
            let back = at(hidden2_gradient, output);
            for (sum, row) in hidden1_gradient.iter_mut().zip(row) {
                sum.add_scaled::<FUSED>(row, back);
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
        let slopes: [&[f32]; N] =
            std::array::from_fn(|place| &output_gradients[place * plan.outputs..][..plan.outputs]);
        let weights = weights.chunks_exact(plan.outputs);
        let gradient = gradient.chunks_exact_mut(plan.outputs);
        for (vector, (weights, gradient)) in weights.zip(gradient).enumerate() {
            let mut row = [Vector::ZERO; N];
            for (place, input) in row.iter_mut().enumerate() {
                *input = inputs[place * plan.inputs + vector];
            }
            let mut sums = [Vector::ZERO; N];
            for (output, (weights, gradient)) in weights.iter().zip(gradient).enumerate() {
                let mut learned = *gradient;
                for ((slopes, input), sum) in slopes.iter().zip(&row).zip(&mut sums) {
                    learned.add_scaled::<FUSED>(input, slopes[output]);
                    sum.add_scaled::<FUSED>(weights, slopes[output]);
                }
                *gradient = learned;
            }
            for (place, sum) in sums.into_iter().enumerate() {
                input_gradients[place * plan.inputs + vector] = sum;
            }
        }
    }

    /// Gradients of the sums of the first layer.
    #[inline(always)]
    fn inputs_back(&mut self, place: usize, index: usize) {
        let plan = &self.upper.plan;
        let gradients = &self.lane.scratch.input_gradients[place * plan.inputs..][..plan.inputs];
        let half = plan.inputs / 2;
        for (player, gradients) in gradients.chunks_exact(half).enumerate() {
            let (item, kept) = (2 * (self.start + index) + player, 2 * index + player);
            let cells = gradients.as_chunks::<{ BLOCK / LANES }>().0;
            let sums = &mut self.lane.sums;
            if plan.stacked {
                let (left, right) = self.blocks.split_at(plan.blocks / 2);
                for (block, ((left, right), cell)) in left.iter().zip(right).zip(cells).enumerate() {
                    for (vector, gradient) in cell.iter().enumerate() {
                        let (a, b) = (left.sums(item)[vector], right.sums(item)[vector]);
                        // The derivative by each half is the other one, where it is not clipped itself.
                        let by = |x: Vector, other: Vector| {
                            let factor =
                                x.zip(other, |x, other| if is_open(x) { clip(other) * PRODUCT } else { 0.0 });
                            factor.zip(*gradient, |factor, gradient| factor * gradient)
                        };
                        sums[block * 2 * SHARE + kept][vector] = by(a, b);
                        sums[(block + plan.blocks / 2) * 2 * SHARE + kept][vector] = by(b, a);
                    }
                }
            } else {
                for (block, (sum, cell)) in self.blocks.iter().zip(cells).enumerate() {
                    for (vector, gradient) in cell.iter().enumerate() {
                        let sum = sum.sums(item)[vector];
                        sums[block * 2 * SHARE + kept][vector] =
                            sum.zip(*gradient, |x, gradient| if is_open(x) { gradient } else { 0.0 });
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

#[inline(always)]
fn cut<const CUT: bool>(x: f32) -> f32 {
    if CUT { Activations::Cut.of(x) } else { x }
}

/// Whether a clipped activation follows its sum.
#[inline(always)]
fn is_open(x: f32) -> bool {
    x > 0.0 && x < 1.0
}

//! A real-valued network, before quantisation.

use eval::nnue::{Architecture, Model, Stacks};
use platform::Random;
use shogi::Position;

use crate::fit::FloatNetError;

/// The value of an output of 1 in the unit of the search: 127 · 64 steps, `FV_SCALE` 16.
pub(in crate::fit) const VALUE_OF_ONE: f32 = 127.0 * 64.0 / 16.0;
/// Steps per unit of an activation.
const STEPS: f32 = 127.0;
/// Products and squares of 127ths are divided by 128 instead of 127.
pub(in crate::fit) const PRODUCT: f32 = 127.0 / 128.0;

/// A real-valued network: activations range from 0 to 1, and weights are what the quantised ones represent.
///
/// Its values equal those of the quantised network except for rounding: the latter truncates activations to 127ths,
/// which [`Activations::Cut`] imitates.
///
/// ```
/// use eval::nnue::{Architecture, Features};
/// use shogi::Position;
/// use train::fit::{Activations, FloatNet};
/// let net = FloatNet::random(&Architecture::stacked(Features::HalfKaHm2, 64, 15, 32), 7)?;
/// let value = net.rounded().evaluate(&Position::startpos(), Activations::Cut);
/// let quantised = net.quantise().evaluate(&Position::startpos()) as f32 / 16.0;
/// assert!((value - quantised).abs() < 1.0, "{value} {quantised}");
/// # Ok::<(), train::fit::FloatNetError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNet {
    pub(in crate::fit) shape: Architecture,
    /// The first layer: `[feature][output]`.
    pub(in crate::fit) transformer: Vec<f32>,
    pub(in crate::fit) bias: Vec<f32>,
    /// The three layers after it, for each stack.
    pub(in crate::fit) stacks: Vec<[FloatLayer; 3]>,
}

/// The precision of activations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Activations {
    /// Real numbers.
    Real,
    /// Truncated to whole 127ths, as in quantised networks.
    Cut,
}

impl Activations {
    /// An activation.
    #[inline(always)]
    pub(in crate::fit) fn of(self, x: f32) -> f32 {
        match self {
            Self::Real => x,
            // Keeps whole steps from being truncated by a rounding error.
            Self::Cut => (x * STEPS + 1e-4).floor() / STEPS,
        }
    }
}

/// A layer: `weights[output][input]`.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatLayer {
    pub(in crate::fit) inputs: usize,
    pub(in crate::fit) weights: Vec<f32>,
    pub(in crate::fit) bias: Vec<f32>,
}

impl FloatLayer {
    fn zeroed((inputs, outputs): (usize, usize)) -> Self {
        Self { inputs, weights: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }

    fn apply(&self, input: &[f32]) -> Vec<f32> {
        let rows = self.weights.chunks_exact(self.inputs);
        let products = |row: &[f32]| row.iter().zip(input).map(|(w, x)| w * x).sum::<f32>();
        rows.zip(&self.bias).map(|(row, bias)| bias + products(row)).collect()
    }
}

impl FloatNet {
    /// A network whose value is always 0.
    pub fn zeroed(shape: &Architecture) -> Result<Self, FloatNetError> {
        if let Model::Stacked(Stacks { progress, shards, .. }) = shape.model
            && (progress > 1 || shards.is_some())
        {
            return Err(FloatNetError::Untrainable(shape.to_string()));
        }
        Ok(Self {
            shape: *shape,
            transformer: vec![0.0; shape.features.dimensions() * shape.width],
            bias: vec![0.0; shape.width],
            stacks: vec![shape.layers().map(FloatLayer::zeroed); shape.stack_count()],
        })
    }

    /// An initial network: sums of the first layer in the middle of their range, small weights after it, the same in
    /// all stacks.
    pub fn random(shape: &Architecture, seed: u64) -> Result<Self, FloatNetError> {
        /// About 40 weights are summed; √(40/3) · 0.08 ≈ 0.3.
        const FIRST: f32 = 0.08;
        let mut net = Self::zeroed(shape)?;
        let mut random = Random::new(seed);
        net.transformer.fill_with(|| FIRST * symmetric(&mut random));
        net.bias.fill(0.5);
        for layer in &mut net.stacks[0] {
            let limit = 1.0 / (layer.inputs as f32).sqrt();
            layer.weights.fill_with(|| limit * symmetric(&mut random));
        }
        let first = net.stacks[0].clone();
        net.stacks.fill(first);
        Ok(net)
    }

    /// The weighted mean of networks; `None` unless all have the same architecture and the weights a positive sum.
    ///
    /// Networks trained from the same start in different ways have different errors, and their mean has smaller ones.
    #[must_use]
    pub fn mean(networks: &[(Self, f32)]) -> Option<Self> {
        let (first, _) = networks.first()?;
        let whole: f32 = networks.iter().map(|(_, share)| share).sum();
        if !(whole > 0.0 && whole.is_finite()) || networks.iter().any(|(net, _)| net.shape != first.shape) {
            return None;
        }
        let mut mean = Self::zeroed(&first.shape).ok()?;
        for (net, share) in networks {
            for (sums, numbers) in mean.numbers_mut().zip(net.numbers()) {
                for (sum, number) in sums.iter_mut().zip(numbers) {
                    *sum += number * share / whole;
                }
            }
        }
        Some(mean)
    }

    /// The architecture.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        &self.shape
    }

    /// The value of a position for the side to move, in the unit of the search.
    #[must_use]
    pub fn evaluate(&self, position: &Position, activations: Activations) -> f32 {
        let cut = |x: f32| activations.of(x);
        let clip = |x: f32| cut(clip(x));
        let us = position.side();
        let sums = [us, !us].map(|view| self.accumulate(position, view));
        let [first, second, last] = &self.stacks[self.shape.stack_of(position)];
        let output = match self.shape.model {
            Model::Classic => {
                let input: Vec<f32> = sums.iter().flatten().map(|sum| self::clip(*sum)).collect();
                let hidden1: Vec<f32> = first.apply(&input).into_iter().map(&clip).collect();
                let hidden2: Vec<f32> = second.apply(&hidden1).into_iter().map(&clip).collect();
                last.apply(&hidden2)[0]
            }
            Model::Stacked(_) => {
                let input: Vec<f32> = sums.iter().flat_map(|sums| products(sums)).map(cut).collect();
                let outputs = first.apply(&input);
                let (hidden, shortcut) = outputs.split_at(self.shape.hidden1);
                let squares = hidden.iter().map(|x| cut((x * x * PRODUCT).min(1.0)));
                let hidden1: Vec<f32> = squares.chain(hidden.iter().map(|x| clip(*x))).collect();
                let hidden2: Vec<f32> = second.apply(&hidden1).into_iter().map(&clip).collect();
                last.apply(&hidden2)[0] + shortcut.first().copied().unwrap_or_default()
            }
        };
        output * VALUE_OF_ONE
    }

    /// The sums of the first layer for one player.
    fn accumulate(&self, position: &Position, view: shogi::Color) -> Vec<f32> {
        let mut sums = self.bias.clone();
        self.shape.features.for_each_active(position, view, |feature| {
            let row = &self.transformer[feature * self.shape.width..][..self.shape.width];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        });
        sums
    }

    /// All numbers, in the order of the file.
    pub(in crate::fit) fn numbers(&self) -> impl Iterator<Item = &[f32]> {
        let layers = self.stacks.iter().flatten().flat_map(|layer| [&layer.weights[..], &layer.bias]);
        [&self.transformer[..], &self.bias].into_iter().chain(layers)
    }

    /// All numbers, for changing.
    pub(in crate::fit) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let layers = self.stacks.iter_mut().flatten();
        let layers = layers.flat_map(|layer| [&mut layer.weights[..], &mut layer.bias]);
        [&mut self.transformer[..], &mut self.bias].into_iter().chain(layers)
    }
}

/// A number from −1 to 1.
pub(in crate::fit) fn symmetric(random: &mut Random) -> f32 {
    (random.next() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
}

fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// Products of the halves of an SFNN's sums.
fn products(sums: &[f32]) -> impl Iterator<Item = f32> + '_ {
    let (a, b) = sums.split_at(sums.len() / 2);
    a.iter().zip(b).map(|(a, b)| clip(*a) * clip(*b) * PRODUCT)
}

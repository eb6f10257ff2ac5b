//! Quantises real-valued networks.

use crate::fit::Activations;
use crate::fit::{FloatLayer, FloatNet};
use eval::nnue::{DenseLayer, Layers, NetworkError, Parameters};
use platform::Random;
use platform::atomic_file::write_with;
use serde::{Deserialize, Serialize};
use shogi::Position;
use std::fmt;
use std::io::Write;
use std::path::Path;

/// An activation of 1, and a weight of 1 of the first layer as stored in files (an SFNN sums twice as much).
pub(in crate::fit) const ONE: f32 = 127.0;
/// A weight of 1 of the layers after the first one.
pub(in crate::fit) const WEIGHT: f32 = 64.0;
/// Divisor of a quantised network's values.
const FV_SCALE: f32 = 16.0;

/// Limit of weights, so that they fit eight bits. The first layer has the same limit, with which no sum of 40 exceeds
/// 16 bits.
pub(in crate::fit) const WEIGHT_LIMIT: f32 = 127.0 / WEIGHT;
/// Limit of the first layer's bias, which leaves room for the weights.
const BIAS_LIMIT: f32 = 16.0;

impl FloatNet {
    /// The nearest quantised network.
    #[must_use]
    pub fn quantise(&self) -> Parameters {
        let shape = self.architecture();
        let layers = Layers {
            bias: self
                .bias
                .iter()
                .map(|bias| (bias.clamp(-BIAS_LIMIT, BIAS_LIMIT) * ONE).round() as i16)
                .collect(),
            weights: self
                .transformer
                .iter()
                .map(|weight| (weight.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT) * ONE).round() as i16)
                .collect(),
            progress: None,
            stacks: self.stacks.iter().map(|stack| stack.each_ref().map(dense)).collect(),
        };
        Parameters::from_layers(shape, &layers).expect("arrays of this shape, weights within limits")
    }

    /// Writes the quantised network to a file, atomically.
    pub fn save_quantised(&self, path: &Path) -> Result<(), NetworkError> {
        let quantised = self.quantise();
        let mut bytes = Vec::new();
        quantised.write(&mut bytes)?;
        write_with(path, |writer| writer.write_all(&bytes))
            .map_err(|error| NetworkError::File { path: path.to_owned(), error: error.error })
    }

    /// The same network with every weight rounded as by [`FloatNet::quantise`], which separates the error of rounding
    /// weights from that of rounding activations.
    #[must_use]
    pub fn rounded(&self) -> Self {
        let mut net = self.clone();
        net.clip();
        let round = |numbers: &mut [f32], one: f32| {
            for number in numbers {
                *number = (*number * one).round() / one;
            }
        };
        round(&mut net.transformer, ONE);
        round(&mut net.bias, ONE);
        for layer in net.stacks.iter_mut().flatten() {
            round(&mut layer.weights, WEIGHT);
            round(&mut layer.bias, WEIGHT * ONE);
        }
        net
    }

    /// Clamps every weight to the range that can be quantised.
    pub fn clip(&mut self) {
        let clip = |numbers: &mut [f32], limit: f32| {
            for number in numbers {
                *number = number.clamp(-limit, limit);
            }
        };
        clip(&mut self.transformer, WEIGHT_LIMIT);
        clip(&mut self.bias, BIAS_LIMIT);
        for layer in self.stacks.iter_mut().flatten() {
            clip(&mut layer.weights, WEIGHT_LIMIT);
        }
    }

    /// The real-valued form of a quantised network; `None` for architectures that cannot be trained.
    #[must_use]
    pub fn from_quantised(parameters: &Parameters) -> Option<Self> {
        let shape = parameters.architecture();
        let mut net = Self::zeroed(shape).ok()?;
        let layers = parameters.layers();
        let fill = |to: &mut [f32], from: &mut dyn Iterator<Item = f32>, one: f32| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = from / one);
        };
        fill(&mut net.transformer, &mut layers.weights.iter().copied().map(f32::from), ONE);
        fill(&mut net.bias, &mut layers.bias.iter().copied().map(f32::from), ONE);
        for (to, from) in net.stacks.iter_mut().flatten().zip(layers.stacks.iter().flatten()) {
            fill(&mut to.weights, &mut from.weights.iter().copied().map(f32::from), WEIGHT);
            fill(&mut to.bias, &mut from.bias.iter().map(|bias| *bias as f32), WEIGHT * ONE);
        }
        Some(net)
    }
}

fn dense(layer: &FloatLayer) -> DenseLayer {
    let bias = |bias: &f32| (bias * WEIGHT * ONE).round() as i32;
    let weight = |weight: &f32| (weight.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT) * WEIGHT).round() as i8;
    DenseLayer {
        bias: layer.bias.iter().map(bias).collect(),
        weights: layer.weights.iter().map(weight).collect(),
    }
}

/// The difference between values of a quantised network and of its real-valued form, in the unit of the search.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RoundingError {
    /// Mean.
    pub mean: f32,
    /// Maximum.
    pub worst: f32,
    /// The share of positions with a difference of at most 2.
    pub within_two: f32,
}

impl fmt::Display for RoundingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, worst, within_two } = self;
        let share = 100.0 * within_two;
        write!(f, "by {mean:.2} on average, {worst:.1} at worst, by at most 2 in {share:.1} %")
    }
}

impl RoundingError {
    /// Compares a network with its quantised form on some positions.
    pub fn measure<'a>(
        net: &FloatNet,
        activations: Activations,
        quantised: &Parameters,
        positions: impl IntoIterator<Item = &'a Position>,
    ) -> Self {
        let (mut sum, mut worst, mut within, mut count) = (0.0, 0.0_f32, 0, 0);
        for position in positions {
            let value = quantised.evaluate(position) as f32 / FV_SCALE;
            let error = (value - net.evaluate(position, activations)).abs();
            sum += error;
            worst = worst.max(error);
            within += u32::from(error <= 2.0);
            count += 1;
        }
        let count = f32::max(count as f32, 1.0);
        Self { mean: sum / count, worst, within_two: within as f32 / count }
    }
}

/// Positions of games with random moves, for trying networks.
#[must_use]
pub fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    const PLIES: usize = 120;
    let mut random = Random::new(seed);
    let mut positions = Vec::with_capacity(count + PLIES);
    while positions.len() < count {
        let mut position = Position::startpos();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len())]);
            positions.push(position.clone());
        }
    }
    positions.truncate(count);
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::nnue::{Architecture, Features};
    use shogi::Color;

    fn shapes() -> [Architecture; 3] {
        [
            Architecture::stacked(Features::MIRRORED, 256, 15, 32),
            Architecture::classic(Features::MIRRORED, 128, 32, 32),
            Architecture::stacked(Features::HalfKaHm2, 128, 16, 32),
        ]
    }

    #[test]
    fn quantised_values_are_those_of_the_real_numbers() {
        let positions = random_positions(3000, 13);
        for shape in shapes() {
            let net = FloatNet::random(&shape, 4).unwrap();
            let (rounded, quantised) = (net.rounded(), net.quantise());
            let error = |net, activations| RoundingError::measure(net, activations, &quantised, &positions);
            let cut = error(&rounded, Activations::Cut);
            assert!(cut.worst < 1.0 && cut.within_two > 0.999_999, "{shape} {cut:?}");
            let real = error(&rounded, Activations::Real);
            assert!(real.mean < 6.0 && real.worst < 25.0, "{shape} {real:?}");
            // Weights of untrained networks are small and lose more precision.
            let all = error(&net, Activations::Real);
            assert!(all.mean < 12.0, "{shape} {all:?}");
        }
    }

    #[test]
    fn what_was_quantised_is_quantised_to_itself() {
        for shape in shapes() {
            let rounded = FloatNet::random(&shape, 9).unwrap().rounded();
            assert!(rounded == rounded.rounded(), "{shape}");
            let from_scratch = Parameters::from_layers(&shape, &rounded.quantise().layers()).unwrap();
            let again = FloatNet::from_quantised(&from_scratch).unwrap();
            assert_eq!(again.transformer, rounded.transformer);
            assert_eq!(again.stacks[0][2], rounded.stacks[0][2]);
            assert_eq!(again.quantise().layers().weights, rounded.quantise().layers().weights);
        }
    }

    #[test]
    fn what_is_too_large_is_clipped() {
        let mut net = FloatNet::random(&Architecture::classic(Features::MIRRORED, 32, 8, 8), 9).unwrap();
        net.transformer[0] = 9.0;
        net.bias[0] = -999.0;
        net.stacks[0][0].weights[3] = -7.0;
        let layers = net.quantise().layers();
        assert_eq!((layers.weights[0], layers.bias[0], layers.stacks[0][0].weights[3]), (252, -2032, -127));
    }

    #[test]
    fn mirrored_positions_are_worth_the_same() {
        let on_middle_file = |position: &Position| {
            Color::ALL.into_iter().any(|color| position.king(color).is_some_and(|king| king.index() / 9 == 4))
        };
        let mut positions = random_positions(5000, 14);
        for shape in shapes() {
            if !shape.features.lean() {
                // A king on the middle file is never mirrored.
                positions.retain(|position| !on_middle_file(position));
                assert!(positions.len() > 2000);
            }
            let net = FloatNet::random(&shape, 4).unwrap();
            let quantised = net.quantise();
            let value = |position: &Position| net.evaluate(position, Activations::Real);
            for position in &positions {
                let mirror = position.mirror();
                assert_eq!(quantised.evaluate(position), quantised.evaluate(&mirror), "{}", position.sfen());
                assert!((value(position) - value(&mirror)).abs() < 0.1, "{}", position.sfen());
            }
        }
    }
}

//! Larger networks initialised from smaller ones.

use crate::fit::net::float_net::symmetric;
use crate::fit::{FloatLayer, FloatNet, FloatNetError};
use eval::nnue::{Architecture, Features, KingZones, Model};
use platform::Random;

/// The noise added to copies: equal copies would stay equal in training.
const NOISE: f32 = 0.01;

/// Why a network cannot grow to an architecture.
#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    /// A difference that growing cannot bridge.
    #[error("a network cannot grow from {small} to {large}: {reason}")]
    Unlike {
        /// The present architecture.
        small: Box<Architecture>,
        /// The wanted architecture.
        large: Box<Architecture>,
        /// Why.
        reason: &'static str,
    },
    /// An architecture that cannot be trained.
    #[error(transparent)]
    Net(#[from] FloatNetError),
}

impl FloatNet {
    /// A network of another architecture with nearly the same values: a wider first layer gets copies of columns, which
    /// share their weights in the next layer, and finer king zones get the rows of the zones that contain them.
    pub fn grow(&self, shape: &Architecture, seed: u64) -> Result<Self, GrowthError> {
        let small = self.architecture();
        let unlike =
            |reason| GrowthError::Unlike { small: Box::new(*small), large: Box::new(*shape), reason };
        let stacked = |shape: &Architecture| shape.model != Model::Classic;
        if stacked(small) != stacked(shape) {
            return Err(unlike("one multiplies halves of the first layer, the other does not"));
        }
        if (small.hidden1, small.hidden2) != (shape.hidden1, shape.hidden2) {
            return Err(unlike("the hidden layers differ"));
        }
        if shape.width < small.width {
            return Err(unlike("the first layer becomes narrower"));
        }
        if small.stack_count() != 1 && small.model != shape.model {
            return Err(unlike("the layer stacks differ"));
        }
        let zones = zone_sources(small.features, shape.features)
            .ok_or_else(|| unlike("the features are no finer zones of the same ones"))?;
        let mut net = Self::zeroed(shape)?;
        let mut random = Random::new(seed);
        let mut noise = || NOISE * symmetric(&mut random);

        let halves = if stacked(shape) { 2 } else { 1 };
        let columns = Columns { old: small.width / halves, new: shape.width / halves };
        let rows = small.features.dimensions() / zones.iter().max().map_or(1, |last| last + 1);
        for (index, to) in net.transformer.chunks_exact_mut(shape.width).enumerate() {
            let source = zones[index / rows] * rows + index % rows;
            let from = &self.transformer[source * small.width..][..small.width];
            columns.copy(from, to, &mut noise);
        }
        columns.copy(&self.bias, &mut net.bias, &mut || 0.0);
        for (index, stack) in net.stacks.iter_mut().enumerate() {
            let from = &self.stacks[index % self.stacks.len()];
            stack.clone_from(from);
            stack[0] = columns.share(&from[0], shape.layers()[0].0);
        }
        net.clip();
        Ok(net)
    }
}

/// Columns of a half of the first layer.
struct Columns {
    old: usize,
    new: usize,
}

impl Columns {
    /// The old column that a new one is a copy of.
    fn source(&self, column: usize) -> usize {
        column % self.old
    }

    /// The number of copies of it.
    fn copies(&self, column: usize) -> usize {
        (self.new - self.source(column)).div_ceil(self.old)
    }

    /// Copies a row of all halves; the first copy is exact.
    fn copy(&self, from: &[f32], to: &mut [f32], noise: &mut dyn FnMut() -> f32) {
        for (from, to) in from.chunks_exact(self.old).zip(to.chunks_exact_mut(self.new)) {
            for (column, to) in to.iter_mut().enumerate() {
                *to = from[self.source(column)] + if column < self.old { 0.0 } else { noise() };
            }
        }
    }

    /// Splits the weights of columns among their copies.
    fn share(&self, layer: &FloatLayer, inputs: usize) -> FloatLayer {
        let mut weights = Vec::with_capacity(inputs * layer.bias.len());
        for part in layer.weights.chunks_exact(self.old) {
            weights
                .extend((0..self.new).map(|column| part[self.source(column)] / self.copies(column) as f32));
        }
        FloatLayer { inputs, weights, bias: layer.bias.clone() }
    }
}

/// For each new zone of the own king, the old one that contains it.
fn zone_sources(small: Features, large: Features) -> Option<Vec<usize>> {
    if small == large {
        return Some(vec![0]);
    }
    let (old, old_count) = zones(small)?;
    let (new, count) = zones(large)?;
    let source = |zone: usize| {
        let squares = || (0..KingZones::SQUARES).filter(|square| new(*square) == zone);
        let first = old(squares().next()?);
        squares().all(|square| old(square) == first).then_some(first)
    };
    let sources: Vec<usize> = (0..count).map(source).collect::<Option<_>>()?;
    (sources.iter().max() == Some(&(old_count - 1))).then_some(sources)
}

/// The zone of each square.
type ZoneOfSquare = Box<dyn Fn(usize) -> usize>;

/// The zone of each square, and the number of zones.
fn zones(features: Features) -> Option<(ZoneOfSquare, usize)> {
    match features {
        Features::HalfKaHm2 => Some((Box::new(|square| square), KingZones::SQUARES)),
        Features::HalfKaHm2Zones(zones) => Some((Box::new(move |square| zones.zone(square)), zones.count())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{Activations, random_positions};
    use eval::nnue::{HandBuckets, KingBuckets, Stacks};

    #[test]
    fn a_grown_network_says_almost_the_same() {
        let one_stack = |shape: Architecture| {
            let stacks =
                Stacks { hands: HandBuckets::None, kings: KingBuckets::None, progress: 1, shards: None };
            Architecture { model: Model::Stacked(stacks), ..shape }
        };
        let nine = Features::HalfKaHm2Zones(KingZones::NINE);
        let upright = |zones: KingZones| Features::HalfKaHm2Zones(zones.upright());
        for (small, large) in [
            (Architecture::stacked(Features::MIRRORED, 64, 15, 32), Architecture::stacked(nine, 192, 15, 32)),
            (
                Architecture::stacked(upright(KingZones::NINE), 64, 7, 16),
                Architecture::stacked(Features::HalfKaHm2, 64, 7, 16),
            ),
            (
                Architecture::classic(upright(KingZones::ONE), 32, 8, 8),
                Architecture::classic(Features::HalfKaHm2, 96, 8, 8),
            ),
            (
                Architecture::classic(Features::HalfKp, 32, 8, 8),
                Architecture::classic(Features::HalfKp, 64, 8, 8),
            ),
            (
                one_stack(Architecture::stacked(Features::MIRRORED, 64, 15, 32)),
                Architecture::stacked(Features::MIRRORED, 128, 15, 32),
            ),
        ] {
            let net = FloatNet::random(&small, 3).unwrap();
            let grown = net.grow(&large, 4).unwrap();
            assert_eq!(*grown.architecture(), large);
            for position in random_positions(50, 5) {
                let value = |net: &FloatNet| net.evaluate(&position, Activations::Real);
                let (a, b) = (value(&net), value(&grown));
                assert!((a - b).abs() < 12.0, "{large}: {a} {b} {}", position.sfen());
            }
        }
    }

    #[test]
    fn what_does_not_grow_is_said() {
        let net = FloatNet::random(&Architecture::stacked(Features::MIRRORED, 64, 15, 32), 3).unwrap();
        let refused = |shape: Architecture| net.grow(&shape, 1).unwrap_err().to_string();
        assert!(refused(Architecture::classic(Features::MIRRORED, 64, 15, 32)).contains("halves"));
        assert!(refused(Architecture::stacked(Features::MIRRORED, 64, 7, 32)).contains("hidden layers"));
        assert!(refused(Architecture::stacked(Features::MIRRORED, 32, 15, 32)).contains("narrower"));
        assert!(refused(Architecture::stacked(Features::HalfKp, 64, 15, 32)).contains("zones"));
    }
}

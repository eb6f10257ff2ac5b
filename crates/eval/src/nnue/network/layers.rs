//! Networks as plain arrays, for programs that create them.

use crate::nnue::network::parameters::{Affine, Progress, Stack};
use crate::nnue::{Architecture, Model, Parameters};

/// All numbers of a network in the order of its file, nothing padded.
///
/// ```
/// use eval::nnue::{Architecture, Features, Layers, Parameters};
/// let shape = Architecture::stacked(Features::MIRRORED, 64, 15, 32);
/// let mut layers = Layers::zeroed(&shape);
/// // The shortcut of each stack says 600, whatever the position.
/// layers.stacks.iter_mut().for_each(|stack| stack[0].bias[15] = 600);
/// let parameters = Parameters::from_layers(&shape, &layers)?;
/// assert_eq!(parameters.evaluate(&shogi::Position::startpos()), 600);
/// assert_eq!(parameters.layers(), layers);
/// # Ok::<(), eval::nnue::LayersError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// Initial sums of the first layer. An SFNN sums twice this number, and the same holds for `weights`.
    pub bias: Vec<i16>,
    /// `[feature][output]` of the first layer.
    pub weights: Vec<i16>,
    /// Bias and `[own king][piece]` of the progress table, where the shape has one.
    pub progress: Option<(i32, Vec<i32>)>,
    /// The three layers of each stack; a classic network has one.
    pub stacks: Vec<[DenseLayer; 3]>,
}

/// A layer behind the first one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DenseLayer {
    /// In the unit of the products.
    pub bias: Vec<i32>,
    /// `[output][input]`
    pub weights: Vec<i8>,
}

/// Why arrays do not form a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LayersError {
    /// Too few or too many numbers.
    #[error("{part}: the shape has {expected} numbers, {found} were given")]
    Count {
        /// Of what.
        part: &'static str,
        /// By the shape.
        expected: usize,
        /// In the array.
        found: usize,
    },
    /// A number that could overflow the sums.
    #[error("{part}: {value} at place {place} is beyond what an SFNN can double, -16384 to 16383")]
    Range {
        /// Of what.
        part: &'static str,
        /// Where in the array.
        place: usize,
        /// The number.
        value: i16,
    },
}

const BIAS: &str = "bias of the first layer";
const WEIGHTS: &str = "weights of the first layer";
const PROGRESS: &str = "progress table";
const STACKS: &str = "layer stacks";
const LAYER_BIAS: &str = "bias of a layer";
const LAYER_WEIGHTS: &str = "weights of a layer";

fn counted(part: &'static str, expected: usize, found: usize) -> Result<(), LayersError> {
    if expected == found { Ok(()) } else { Err(LayersError::Count { part, expected, found }) }
}

impl Layers {
    /// Zeros for a shape.
    #[must_use]
    pub fn zeroed(shape: &Architecture) -> Self {
        let dense =
            |(inputs, outputs)| DenseLayer { bias: vec![0; outputs], weights: vec![0; inputs * outputs] };
        Self {
            bias: vec![0; shape.width],
            weights: vec![0; shape.width * shape.features.dimensions()],
            progress: shape.has_progress().then(|| (0, vec![0; Progress::WEIGHTS])),
            stacks: vec![shape.layers().map(dense); shape.stack_count()],
        }
    }

    /// Checks the length of every array and the range of every number.
    fn check(&self, shape: &Architecture) -> Result<(), LayersError> {
        counted(BIAS, shape.width, self.bias.len())?;
        counted(WEIGHTS, shape.width * shape.features.dimensions(), self.weights.len())?;
        let progress = if shape.has_progress() { Progress::WEIGHTS } else { 0 };
        counted(PROGRESS, progress, self.progress.as_ref().map_or(0, |(_, weights)| weights.len()))?;
        counted(STACKS, shape.stack_count(), self.stacks.len())?;
        for (layer, (inputs, outputs)) in
            self.stacks.iter().flat_map(|stack| stack.iter().zip(shape.layers()))
        {
            counted(LAYER_BIAS, outputs, layer.bias.len())?;
            counted(LAYER_WEIGHTS, inputs * outputs, layer.weights.len())?;
        }
        if let Model::Stacked(_) = shape.model {
            for (part, numbers) in [(BIAS, &self.bias), (WEIGHTS, &self.weights)] {
                if let Some(place) = numbers.iter().position(|number| number.checked_mul(2).is_none()) {
                    return Err(LayersError::Range { part, place, value: numbers[place] });
                }
            }
        }
        Ok(())
    }
}

impl Parameters {
    /// Builds a network from arrays.
    pub fn from_layers(shape: &Architecture, layers: &Layers) -> Result<Self, LayersError> {
        layers.check(shape)?;
        let mut parameters = Self::zeroed(shape);
        let scale = shape.file_scale();
        let transformer = &mut parameters.transformer;
        let columns: Vec<usize> = (0..shape.width).map(|index| transformer.column(index)).collect();
        let put = |row: &mut [i16], numbers: &[i16]| {
            columns.iter().zip(numbers).for_each(|(column, number)| row[*column] = scale * number);
        };
        put(&mut transformer.bias, &layers.bias);
        let rows = transformer.weights.chunks_exact_mut(transformer.stride);
        rows.zip(layers.weights.chunks_exact(shape.width)).for_each(|(row, numbers)| put(row, numbers));
        if let (Some(progress), Some((bias, weights))) = (&mut parameters.progress, &layers.progress) {
            progress.bias = *bias;
            progress.weights.copy_from_slice(weights);
        }
        for (Stack(stack), layers) in parameters.stacks.iter_mut().zip(&layers.stacks) {
            stack.iter_mut().zip(layers).for_each(|(affine, layer)| affine.fill(layer));
        }
        parameters.keep_shards();
        Ok(parameters)
    }

    /// The arrays of the network.
    #[must_use]
    pub fn layers(&self) -> Layers {
        let scale = self.shape.file_scale();
        let transformer = &self.transformer;
        let in_file = |row| transformer.in_file_order(row).map(move |number| number / scale);
        Layers {
            bias: in_file(&transformer.bias).collect(),
            weights: transformer.weights.chunks_exact(transformer.stride).flat_map(in_file).collect(),
            progress: self.progress.as_ref().map(|progress| (progress.bias, progress.weights.clone())),
            stacks: self.stacks.iter().map(|Stack(stack)| stack.each_ref().map(Affine::dense)).collect(),
        }
    }
}

impl Affine {
    /// Copies the numbers of a layer whose lengths have been checked.
    fn fill(&mut self, layer: &DenseLayer) {
        let inputs = self.inputs;
        self.bias.copy_from_slice(&layer.bias);
        let rows = self.weights.chunks_exact_mut(inputs.next_multiple_of(32));
        rows.zip(layer.weights.chunks_exact(inputs))
            .for_each(|(row, weights)| row[..inputs].copy_from_slice(weights));
    }

    fn dense(&self) -> DenseLayer {
        let rows = (0..self.bias.len()).flat_map(|output| self.row(output));
        DenseLayer { bias: self.bias.clone(), weights: rows.copied().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Features, HandBuckets, KingBuckets, KingZones, Network, Stacks};

    fn written(parameters: &Parameters) -> Vec<u8> {
        let mut file = Vec::new();
        parameters.write(&mut file).unwrap();
        file
    }

    #[test]
    fn taken_apart_and_put_together() {
        let stacks = Stacks { hands: HandBuckets::None, kings: KingBuckets::None, progress: 4, shards: None };
        for shape in [
            Architecture::classic(Features::Kp, 40, 5, 7),
            Architecture::stacked(Features::HalfKaHm2Zones(KingZones::NINE), 36, 15, 32),
            Architecture {
                model: Model::Stacked(stacks),
                ..Architecture::stacked(Features::MIRRORED, 16, 8, 8)
            },
        ] {
            let parameters = Parameters::random(&shape, 4);
            let layers = parameters.layers();
            assert!(
                written(&Parameters::from_layers(&shape, &layers).unwrap()) == written(&parameters),
                "{shape}"
            );
            // Networks prepared for evaluation have their columns in another order.
            assert!(Network::new(parameters).parameters().layers() == layers, "{shape}");
        }
    }

    #[test]
    fn arrays_that_do_not_fit_are_refused() {
        let shape = Architecture::stacked(Features::MIRRORED, 16, 7, 8);
        let refused = |spoil: &dyn Fn(&mut Layers)| {
            let mut layers = Layers::zeroed(&shape);
            spoil(&mut layers);
            Parameters::from_layers(&shape, &layers).unwrap_err().to_string()
        };
        assert_eq!(
            refused(&|layers| layers.weights.truncate(100)),
            "weights of the first layer: the shape has 26064 numbers, 100 were given"
        );
        assert_eq!(
            refused(&|layers| layers.stacks[8][1].weights.push(0)),
            "weights of a layer: the shape has 112 numbers, 113 were given"
        );
        assert_eq!(
            refused(&|layers| layers.stacks.truncate(1)),
            "layer stacks: the shape has 9 numbers, 1 were given"
        );
        assert_eq!(
            refused(&|layers| layers.progress = Some((0, vec![0; 9]))),
            "progress table: the shape has 0 numbers, 9 were given"
        );
        assert_eq!(
            refused(&|layers| layers.bias[3] = 16384),
            "bias of the first layer: 16384 at place 3 is beyond what an SFNN can double, -16384 to 16383"
        );
    }
}

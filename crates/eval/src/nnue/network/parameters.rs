//! The numbers of a network.

use crate::BonaPiece;
use crate::nnue::network::aligned::Aligned;
use crate::nnue::{Architecture, Facts, Model, Shards, Stacks};
use platform::Random;
use platform::memory::Zeroed;
use std::io;

/// The first layer: a row of weights for each feature, summed for each player.
///
/// Rows are padded so that every half fills whole vectors (an SFNN multiplies the halves of a row). Columns may be in
/// another order than in the file; `column` maps them.
#[derive(Clone, Debug)]
pub(crate) struct Transformer {
    pub(crate) width: usize,
    /// Numbers of a half in the file: the whole width if rows are not halved.
    pub(crate) half: usize,
    /// Numbers of a half in memory.
    pub(crate) half_stride: usize,
    pub(crate) stride: usize,
    /// The place of each column of the file within a half.
    columns: Vec<u32>,
    pub(crate) bias: Aligned<i16>,
    pub(crate) weights: Zeroed<i16>,
}

/// The length of a half is a multiple of this.
pub(crate) const LANES: usize = 32;

impl Transformer {
    pub(crate) fn zeroed(shape: &Architecture) -> io::Result<Self> {
        let halves = if matches!(shape.model, Model::Classic) { 1 } else { 2 };
        let half = shape.width / halves;
        let half_stride = half.next_multiple_of(LANES);
        let stride = half_stride * halves;
        Ok(Self {
            width: shape.width,
            half,
            half_stride,
            stride,
            columns: (0..half as u32).collect(),
            bias: Aligned::zeroed(stride),
            weights: Zeroed::new(stride * shape.features.dimensions(), true)?,
        })
    }

    /// The place in a row of the file's column `index`.
    #[inline]
    pub(crate) fn column(&self, index: usize) -> usize {
        let column = |index: usize| self.columns[index] as usize;
        if index < self.half { column(index) } else { column(index - self.half) + self.half_stride }
    }

    /// Reorders the columns of each half: `order` lists the present columns in their new order.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        let mut moved = vec![0_u32; order.len()];
        for (new, old) in order.iter().enumerate() {
            moved[*old] = new as u32;
        }
        self.columns.iter_mut().for_each(|column| *column = moved[*column as usize]);
        let mut old = vec![0_i16; order.len()];
        for half in self
            .bias
            .chunks_exact_mut(self.half_stride)
            .chain(self.weights.chunks_exact_mut(self.half_stride))
        {
            old.copy_from_slice(&half[..order.len()]);
            half.iter_mut().zip(order).for_each(|(number, column)| *number = old[*column]);
        }
    }

    /// The same layer with the rows of these features, zeros for `None`.
    pub(crate) fn with_rows(&self, features: &[Option<usize>]) -> Self {
        let mut weights =
            Zeroed::new(self.stride * features.len(), true).expect("there is memory for a network");
        for (row, feature) in weights.chunks_exact_mut(self.stride).zip(features) {
            if let Some(feature) = feature {
                row.copy_from_slice(self.row(*feature));
            }
        }
        Self { weights, columns: self.columns.clone(), bias: self.bias.clone(), ..*self }
    }

    #[inline]
    pub(crate) fn row(&self, feature: usize) -> &[i16] {
        &self.weights[feature * self.stride..][..self.stride]
    }

    /// The numbers of a row in the order of the file.
    pub(crate) fn in_file_order<'a>(&'a self, row: &'a [i16]) -> impl Iterator<Item = i16> + Clone + 'a {
        (0..self.width).map(|index| row[self.column(index)])
    }
}

/// A layer of a network, as files have it: `weights[output][input]`, rows padded to 32.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Affine {
    pub(crate) inputs: usize,
    pub(crate) bias: Vec<i32>,
    pub(crate) weights: Vec<i8>,
}

impl Affine {
    pub(crate) fn zeroed((inputs, outputs): (usize, usize)) -> Self {
        let weights = vec![0; outputs * inputs.next_multiple_of(32)];
        Self { inputs, bias: vec![0; outputs], weights }
    }

    pub(crate) fn row(&self, output: usize) -> &[i8] {
        &self.weights[output * self.inputs.next_multiple_of(32)..][..self.inputs]
    }

    /// Clears the weights of inputs that an output does not see.
    pub(crate) fn keep_shards(&mut self, shards: Shards) {
        let (row, group) = (self.inputs.next_multiple_of(32), self.bias.len() / shards.groups);
        for (output, weights) in self.weights.chunks_exact_mut(row).enumerate() {
            let start = shards.common + output / group * shards.shard;
            weights[shards.common..start].fill(0);
            weights[start + shards.shard..].fill(0);
        }
    }
}

/// The three layers of one network on the first layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stack(pub(crate) [Affine; 3]);

/// A linear estimate of how far the game has gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Progress {
    pub(crate) bias: i32,
    /// `[own king][piece]`
    pub(crate) weights: Vec<i32>,
}

impl Progress {
    pub(crate) const WEIGHTS: usize = 81 * BonaPiece::KING;
}

/// All numbers of a network, as in its file.
#[derive(Clone, Debug)]
pub struct Parameters {
    pub(crate) shape: Architecture,
    pub(crate) transformer: Transformer,
    pub(crate) progress: Option<Progress>,
    pub(crate) stacks: Vec<Stack>,
    pub(crate) facts: Facts,
}

impl Parameters {
    /// A network whose value is always 0.
    ///
    /// # Panics
    /// If there is no memory for it.
    #[must_use]
    pub fn zeroed(shape: &Architecture) -> Self {
        Self::try_zeroed(shape).expect("there is memory for a network")
    }

    /// Like [`Self::zeroed`], for an architecture that has not been checked; fails if there is not enough memory.
    pub(crate) fn try_zeroed(shape: &Architecture) -> io::Result<Self> {
        let progress =
            shape.has_progress().then(|| Progress { bias: 0, weights: vec![0; Progress::WEIGHTS] });
        let stack = Stack(shape.layers().map(Affine::zeroed));
        let stacks = vec![stack; shape.stack_count()];
        let transformer = Transformer::zeroed(shape)?;
        Ok(Self { shape: *shape, transformer, progress, stacks, facts: Facts::default() })
    }

    /// A network of pseudo-random numbers, the same for the same seed everywhere: for tests and benchmarks.
    /// The numbers are such that activations are spread over their whole range.
    ///
    /// The number at place `i` of the file's order is the `i`th of [`Random`], reduced to its range
    /// (`tools/nnue_reference.py` makes the same).
    #[must_use]
    pub fn random(shape: &Architecture, seed: u64) -> Self {
        let mut parameters = Self::zeroed(shape);
        let mut random = Random::new(seed);
        let mut next = |range: u64| (random.next() % (2 * range + 1)) as i64 - range as i64;
        let scale = i64::from(shape.file_scale());
        let transformer = &mut parameters.transformer;
        for index in 0..transformer.width {
            let column = transformer.column(index);
            transformer.bias[column] = (next(100) * scale) as i16;
        }
        for feature in 0..shape.features.dimensions() {
            for index in 0..transformer.width {
                let place = feature * transformer.stride + transformer.column(index);
                transformer.weights[place] = (next(20) * scale) as i16;
            }
        }
        if let Some(progress) = &mut parameters.progress {
            progress.bias = next(1 << 16) as i32;
            progress.weights.fill_with(|| next(1 << 14) as i32);
        }
        for stack in &mut parameters.stacks {
            for layer in &mut stack.0 {
                layer.bias.fill_with(|| next(4000) as i32);
                for row in layer.weights.chunks_exact_mut(layer.inputs.next_multiple_of(32)) {
                    row[..layer.inputs].fill_with(|| next(127) as i8);
                }
            }
        }
        parameters.keep_shards();
        parameters
    }

    pub(crate) fn keep_shards(&mut self) {
        if let Model::Stacked(Stacks { shards: Some(shards), .. }) = self.shape.model {
            self.stacks.iter_mut().for_each(|stack| stack.0[0].keep_shards(shards));
        }
    }

    /// The shape.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        &self.shape
    }

    /// Facts about how the network was made.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// For adding and changing facts.
    pub fn facts_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }
}

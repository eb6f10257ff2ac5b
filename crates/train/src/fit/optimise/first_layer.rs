//! The first layer: sums rows of active features.
//!
//! Its columns are split into blocks. All rows of a block fit in a fast cache. Each block is processed by one thread,
//! and no two threads add to the same number, so the result does not depend on the number of threads.

use crate::fit::FloatNet;
use crate::fit::data::batch::{Portion, TouchedRow};
use crate::fit::optimise::adam::{self, Decay, Image, Step};
use crate::fit::optimise::vector::{LANES, Vector, for_this_processor};

/// Vectors of a block.
pub(in crate::fit) const VECTORS: usize = 2;
/// Columns of a block.
pub(in crate::fit) const BLOCK: usize = VECTORS * LANES;

/// The numbers of a row that belong to a block.
pub(in crate::fit) type Cell = [Vector; VECTORS];
const EMPTY: Cell = [Vector::ZERO; VECTORS];

/// Weights with the optimiser's state.
#[derive(Clone, Debug)]
struct Learned {
    weights: Cell,
    averages: [[Vector; 2]; VECTORS],
}

/// Some columns of the first layer with all their data.
#[derive(Clone, Debug)]
pub(in crate::fit) struct Block {
    weights: Vec<Cell>,
    /// The weights in the form used for evaluation.
    used: Vec<Cell>,
    image: Image,
    /// `[row][vector]` of both averages.
    averages: Vec<[[Vector; 2]; VECTORS]>,
    gradient: Vec<Cell>,
    bias: Learned,
    bias_gradient: Cell,
    /// Sums of a portion, two players for each position; in the backward pass their gradients.
    sums: Vec<Cell>,
}

/// How many sums of a column exceeded 0, and how many reached 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::fit) struct Activity {
    pub(in crate::fit) positive: u32,
    pub(in crate::fit) saturated: u32,
    pub(in crate::fit) seen: u32,
}

impl Block {
    /// The `number`th block of a network, with the averages of its gradients.
    pub(in crate::fit) fn new(net: &FloatNet, averages: &[FloatNet; 2], number: usize) -> Self {
        let width = net.architecture().width;
        let rows = net.architecture().features.dimensions();
        let cell = |numbers: &[f32]| -> Cell {
            std::array::from_fn(|vector| {
                Vector(std::array::from_fn(|lane| numbers[number * BLOCK + vector * LANES + lane]))
            })
        };
        let row = |net: &FloatNet, row: usize| cell(&net.transformer[row * width..][..width]);
        let pair = |[first, second]: [Cell; 2]| std::array::from_fn(|v| [first[v], second[v]]);
        let averages_of_row = |index| averages.each_ref().map(|net| row(net, index));
        let averages_of_bias = averages.each_ref().map(|net| cell(&net.bias));
        let weights: Vec<Cell> = (0..rows).map(|index| row(net, index)).collect();
        Self {
            used: weights.clone(),
            image: Image::Real,
            weights,
            averages: (0..rows).map(|index| pair(averages_of_row(index))).collect(),
            gradient: vec![EMPTY; rows],
            bias: Learned { weights: cell(&net.bias), averages: pair(averages_of_bias) },
            bias_gradient: EMPTY,
            sums: Vec::new(),
        }
    }

    /// Stores the `number`th block in a network, and its averages in two more.
    pub(in crate::fit) fn store(
        &self,
        number: usize,
        net: &mut FloatNet,
        averages: Option<[&mut FloatNet; 2]>,
    ) {
        let width = net.architecture().width;
        let put = |to: &mut [f32], cell: &Cell| {
            let numbers = to[number * BLOCK..][..BLOCK].chunks_exact_mut(LANES);
            numbers.zip(cell).for_each(|(to, from)| to.copy_from_slice(&from.0));
        };
        let put_all = |net: &mut FloatNet, rows: &mut dyn Iterator<Item = Cell>, bias: Cell| {
            net.transformer.chunks_exact_mut(width).zip(rows).for_each(|(to, cell)| put(to, &cell));
            put(&mut net.bias, &bias);
        };
        put_all(net, &mut self.weights.iter().copied(), self.bias.weights);
        for (which, net) in averages.into_iter().flatten().enumerate() {
            let of = |pairs: &[[Vector; 2]; VECTORS]| pairs.map(|pair| pair[which]);
            put_all(net, &mut self.averages.iter().map(of), of(&self.bias.averages));
        }
    }

    /// Sums the active rows of all positions of a portion.
    pub(in crate::fit) fn forward(&mut self, portion: &Portion) {
        self.sums.resize(portion.items(), EMPTY);
        let bias = self.bias.weights.map(|bias| self.image.of(bias));
        sum_rows(&self.used, &bias, portion, &mut self.sums);
    }

    /// The sums of an item.
    #[inline(always)]
    pub(in crate::fit) fn sums(&self, item: usize) -> &Cell {
        &self.sums[item]
    }

    /// Adds the gradients of the rows, given those of the sums by item.
    pub(in crate::fit) fn backward<'a>(
        &mut self,
        portion: &Portion,
        gradients: impl Iterator<Item = &'a [Cell]>,
    ) {
        let mut place = 0;
        for gradient in gradients {
            self.sums[place..][..gradient.len()].copy_from_slice(gradient);
            place += gradient.len();
        }
        for cell in &self.sums {
            add(&mut self.bias_gradient, cell);
        }
        collect_rows(&mut self.gradient, &self.sums, portion);
    }

    /// Sets the form of weights used for evaluation.
    pub(in crate::fit) fn set_image(&mut self, image: Image) {
        if self.image != image {
            self.image = image;
            let cells = self.used.iter_mut().zip(&self.weights);
            cells.for_each(|(used, weights)| *used = weights.map(|weights| image.of(weights)));
        }
    }

    /// Updates the rows that were active in the batch.
    pub(in crate::fit) fn update(&mut self, touched: &[(u32, Decay)], step: Step) {
        let Self { weights, used, averages, gradient, image, .. } = self;
        update_rows(&mut Rows { weights, used, averages, gradient, image: *image }, touched, step);
        let Learned { weights, averages } = &mut self.bias;
        for ((weights, averages), gradient) in weights.iter_mut().zip(averages).zip(&self.bias_gradient) {
            adam::step(weights, averages, gradient, step, Decay::one());
        }
        self.bias_gradient = EMPTY;
    }

    /// Counts the activity of the present sums.
    pub(in crate::fit) fn count_activity(&self, counts: &mut [Activity]) {
        for cell in &self.sums {
            for (sum, count) in cell.iter().flat_map(|vector| vector.0).zip(counts.iter_mut()) {
                count.positive += u32::from(sum > 0.0);
                count.saturated += u32::from(sum >= 1.0);
                count.seen += 1;
            }
        }
    }

    /// The gradient of a weight, for tests.
    #[cfg(test)]
    pub(in crate::fit) fn gradient(&self, row: usize, column: usize) -> f32 {
        self.gradient[row][column / LANES].0[column % LANES]
    }
}

#[inline(always)]
fn add(sum: &mut Cell, other: &Cell) {
    for vector in 0..VECTORS {
        sum[vector] += &other[vector];
    }
}

#[inline(always)]
fn sum_rows_plain<const FUSED: bool>(weights: &[Cell], bias: &Cell, portion: &Portion, sums: &mut [Cell]) {
    for item in portion.order() {
        let mut sum = *bias;
        for row in portion.rows(item) {
            add(&mut sum, &weights[*row as usize]);
        }
        sums[item] = sum;
    }
}

for_this_processor! {
    fn sum_rows => sum_rows_plain(weights: &[Cell], bias: &Cell, portion: &Portion, sums: &mut [Cell])
}

#[inline(always)]
fn collect_rows_plain<const FUSED: bool>(gradient: &mut [Cell], sums: &[Cell], portion: &Portion) {
    for TouchedRow { row, items } in portion.touched() {
        let mut sum = gradient[row as usize];
        for item in items {
            add(&mut sum, &sums[usize::from(*item)]);
        }
        gradient[row as usize] = sum;
    }
}

for_this_processor! {
    fn collect_rows => collect_rows_plain(gradient: &mut [Cell], sums: &[Cell], portion: &Portion)
}

/// The data that an update changes.
struct Rows<'a> {
    weights: &'a mut [Cell],
    used: &'a mut [Cell],
    averages: &'a mut [[[Vector; 2]; VECTORS]],
    gradient: &'a mut [Cell],
    image: Image,
}

#[inline(always)]
fn update_rows_plain<const FUSED: bool>(rows: &mut Rows<'_>, touched: &[(u32, Decay)], step: Step) {
    for (row, decay) in touched {
        let row = *row as usize;
        for vector in 0..VECTORS {
            let weights = &mut rows.weights[row][vector];
            adam::step(weights, &mut rows.averages[row][vector], &rows.gradient[row][vector], step, *decay);
            rows.used[row][vector] = rows.image.of(*weights);
        }
        rows.gradient[row] = EMPTY;
    }
}

for_this_processor! {
    fn update_rows => update_rows_plain(rows: &mut Rows<'_>, touched: &[(u32, Decay)], step: Step)
}

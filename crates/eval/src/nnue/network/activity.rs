//! Activity of the first layer's outputs.
//!
//! Most of them are 0 in most positions, and the next layer can skip groups of four zeros. Rarely active outputs should
//! therefore be neighbours; and testing before multiplying pays only where little is active.

use crate::nnue::network::parameters::Transformer;
use crate::nnue::{Model, Parameters};
use shogi::{Color, Position};
use std::sync::LazyLock;

/// How often each output of a half of the first layer was not 0 in sample positions, in the order of memory.
#[derive(Clone, Debug)]
pub(in crate::nnue) struct Activity {
    samples: Vec<Vec<bool>>,
}

/// Inputs that the next layer tests together, and groups whose bits are kept together.
const GROUP: usize = 4;
const BLOCK: usize = 8;

/// Positions of games with random moves, reproducible on every machine.
pub(in crate::nnue) static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    const GAMES: usize = 16;
    const PLIES: usize = 96;
    const EVERY: usize = 8;
    let mut random = 20_261_115_u64;
    let mut positions = Vec::new();
    for _ in 0..GAMES {
        let mut position = Position::startpos();
        for ply in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.do_move(moves[(random >> 33) as usize % moves.len()]);
            if ply % EVERY == 0 {
                positions.push(position.clone());
            }
        }
    }
    positions
});

impl Activity {
    pub(in crate::nnue) fn measure(parameters: &Parameters) -> Self {
        let Transformer { half, half_stride, bias, .. } = &parameters.transformer;
        let views = POSITIONS.iter().flat_map(|position| Color::ALL.map(|view| (position, view)));
        let sample = |(position, view)| {
            let mut sums = bias.to_vec();
            parameters.shape.features.for_each_active(position, view, |feature| {
                let row = parameters.transformer.row(feature);
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            });
            let is_active = |column: usize| match parameters.shape.model {
                Model::Classic => sums[column] > 0,
                Model::Stacked(_) => {
                    let [a, b] = [column, column + half_stride].map(|c| i32::from(sums[c]).clamp(0, 254));
                    a * b >= 1 << 9
                }
            };
            (0..*half).map(is_active).collect()
        };
        Self { samples: views.map(sample).collect() }
    }

    fn times(&self, column: usize) -> usize {
        self.samples.iter().filter(|sample| sample[column]).count()
    }

    /// The columns in order of increasing activity.
    pub(in crate::nnue) fn order(&self) -> Vec<usize> {
        let times: Vec<usize> = (0..self.samples[0].len()).map(|column| self.times(column)).collect();
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by_key(|column| times[*column]);
        order
    }

    /// How many blocks of groups should be tested before they are multiplied, if multiplying a group costs `product`,
    /// finding it by its bit costs `search`, and columns are in `order`.
    pub(in crate::nnue) fn sparse_blocks(&self, order: &[usize], product: f64, search: f64) -> usize {
        let active = |group: &[usize]| {
            let times =
                self.samples.iter().filter(|sample| group.iter().any(|column| sample[*column])).count();
            times as f64 / self.samples.len() as f64
        };
        // The savings by testing the blocks up to each one.
        let mut saved = 0.0;
        let mut best = (0.0, 0);
        for (index, block) in order.chunks(GROUP * BLOCK).enumerate() {
            let found: f64 = block.chunks(GROUP).map(active).sum();
            saved += block.len().div_ceil(GROUP) as f64 * product - found * (product + search);
            if saved > best.0 {
                best = (saved, index + 1);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seldom_active_is_searched() {
        // Columns are active in all samples, in half of them, or in none.
        let columns = 3 * GROUP * BLOCK;
        let sample =
            |even: bool| (0..columns).map(|column| column % 3 == 0 || column % 3 == 1 && even).collect();
        let activity = Activity { samples: vec![sample(false), sample(true)] };
        let order = activity.order();
        assert!(order[..GROUP * BLOCK].iter().all(|column| column % 3 == 2));
        assert!(order[2 * GROUP * BLOCK..].iter().all(|column| column % 3 == 0));
        assert_eq!(activity.sparse_blocks(&order, 10.0, 4.0), 2);
        assert_eq!(activity.sparse_blocks(&order, 10.0, 14.0), 1);
        assert_eq!(activity.sparse_blocks(&order, 0.0, 1.0), 0);
    }
}

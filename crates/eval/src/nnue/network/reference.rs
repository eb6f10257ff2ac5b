//! Evaluation from scratch by the numbers in the order of the file: slow, the reference for all kernels.

use crate::BonaPiece;
use crate::nnue::features::king_square;
use crate::nnue::network::parameters::{Affine, Progress, Stack};
use crate::nnue::{Model, Parameters, Stacks};
use shogi::{Color, Position};
use std::sync::LazyLock;

/// Weights of the hidden layers are 64ths.
const WEIGHT_BITS: u32 = 6;
/// An activation of 1.0.
const ONE: i32 = 127;

impl Parameters {
    /// The unscaled value of `position` for the side to move.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        let us = position.side();
        let sums = [self.accumulate(position, us), self.accumulate(position, !us)];
        match self.shape.model {
            Model::Classic => {
                let input: Vec<u8> = sums.iter().flatten().map(|sum| clip(i32::from(*sum))).collect();
                let Stack([first, second, last]) = &self.stacks[0];
                let hidden1: Vec<u8> = affine(first, &input).into_iter().map(activate).collect();
                let hidden2: Vec<u8> = affine(second, &hidden1).into_iter().map(activate).collect();
                affine(last, &hidden2)[0]
            }
            Model::Stacked(_) => {
                let input: Vec<u8> = sums.iter().flat_map(|sums| products(sums)).collect();
                let Stack([first, second, last]) = &self.stacks[self.stack_index(position)];
                let outputs = affine(first, &input);
                let (hidden, shortcut) = outputs.split_at(self.shape.hidden1);
                let squares = hidden.iter().map(|x| activate_square(*x));
                let hidden1: Vec<u8> = squares.chain(hidden.iter().map(|x| activate(*x))).collect();
                let hidden2: Vec<u8> = affine(second, &hidden1).into_iter().map(activate).collect();
                let shortcut = shortcut.first().copied().unwrap_or_default();
                affine(last, &hidden2)[0].wrapping_add(shortcut)
            }
        }
    }

    /// The sums of the first layer for one player, in the order of the file.
    fn accumulate(&self, position: &Position, view: Color) -> Vec<i16> {
        let transformer = &self.transformer;
        let mut sums = transformer.bias.to_vec();
        self.shape.features.for_each_active(position, view, |feature| {
            for (sum, weight) in sums.iter_mut().zip(transformer.row(feature)) {
                *sum = sum.wrapping_add(*weight);
            }
        });
        transformer.in_file_order(&sums).collect()
    }

    /// The layer stack for a position.
    #[must_use]
    pub fn stack_index(&self, position: &Position) -> usize {
        match self.shape.model {
            Model::Classic => 0,
            Model::Stacked(Stacks { progress, .. }) => {
                let step = self.progress.as_ref().map_or(0, |table| table.step(position) * progress / 256);
                self.shape.stack_of(position) * progress + step
            }
        }
    }
}

impl Progress {
    /// The progress of the game, 0 to 255.
    pub(crate) fn step(&self, position: &Position) -> usize {
        let mut sum = i64::from(self.bias);
        for view in Color::ALL {
            let table = &self.weights[king_square(position, view) * BonaPiece::KING..];
            BonaPiece::for_each(position, view, |piece| sum += i64::from(table[piece.index()]));
            sum += i64::from(table[0]) * BonaPiece::absent(position) as i64;
        }
        THRESHOLDS.partition_point(|threshold| *threshold <= sum)
    }
}

/// Where the logistic function reaches each 256th, in 65536ths.
static THRESHOLDS: LazyLock<[i64; 255]> = LazyLock::new(|| {
    std::array::from_fn(|index| {
        let p = (index + 1) as f64 / 256.0;
        ((p / (1.0 - p)).ln() * 65536.0).round() as i64
    })
});

fn clip(x: i32) -> u8 {
    x.clamp(0, ONE) as u8
}

fn activate(x: i32) -> u8 {
    clip(x >> WEIGHT_BITS)
}

fn activate_square(x: i32) -> u8 {
    let square = (i64::from(x) * i64::from(x)) >> (2 * WEIGHT_BITS + 7);
    square.min(i64::from(ONE)) as u8
}

/// Products of the halves of an SFNN's sums.
fn products(sums: &[i16]) -> impl Iterator<Item = u8> + '_ {
    let (a, b) = sums.split_at(sums.len() / 2);
    let limit = |x: i16| i32::from(x).clamp(0, 2 * ONE);
    a.iter().zip(b).map(move |(a, b)| (((limit(*a) << 7) * limit(*b)) >> 16) as u8)
}

fn affine(layer: &Affine, input: &[u8]) -> Vec<i32> {
    let output = |(output, bias): (usize, &i32)| {
        let products = layer.row(output).iter().zip(input).map(|(w, x)| i32::from(*w) * i32::from(*x));
        products.fold(*bias, i32::wrapping_add)
    };
    layer.bias.iter().enumerate().map(output).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_at_their_ends() {
        assert_eq!([-1, 0, 63, 64, 127 << 6, 1 << 20].map(activate), [0, 0, 0, 1, 127, 127]);
        assert_eq!([-8128, 0, 724, 725, i32::MIN].map(activate_square), [126, 0, 0, 1, 127]);
        let sums = [254, 300, -5, 16, 254, 254, 254, 32];
        assert_eq!(products(&sums).collect::<Vec<_>>(), [126, 126, 0, 1]);
    }
}

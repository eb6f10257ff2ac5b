//! Settings of a training run.

use crate::fit::{Activations, Loss, Target};
use eval::nnue::Architecture;
use serde::{Deserialize, Serialize};

/// Everything that determines the result of a training, besides the positions and the initial network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The architecture, as in headers of networks.
    pub shape: String,
    /// Number of passes over the positions.
    pub epochs: u32,
    /// Minimum number of positions in a batch.
    pub batch: usize,
    /// Seed of the initial weights and the order of positions.
    pub seed: u64,
    /// The largest learning rate.
    pub learning_rate: f64,
    /// The learning rate at the end.
    pub final_learning_rate: f64,
    /// Batches in which the learning rate rises.
    pub warm_up: u64,
    /// Weight decay of the hidden layers.
    pub weight_decay: f64,
    /// Weight of the game's result in the target, at the beginning and at the end.
    pub lambda: [f32; 2],
    /// The value that means winning chances of 73 %.
    pub scale: f32,
    /// The loss.
    pub loss: Loss,
    /// The last part of the training, in which weights and activations are rounded as in the quantised network.
    pub rounded_part: f64,
}

impl Settings {
    /// Common choices for an architecture.
    #[must_use]
    pub fn new(shape: &Architecture, scale: f32) -> Self {
        Self {
            shape: shape.to_string(),
            epochs: 10,
            batch: 16_384,
            seed: 1,
            learning_rate: 1e-3,
            final_learning_rate: 3e-5,
            warm_up: 100,
            weight_decay: 0.01,
            lambda: [0.4, 0.4],
            scale,
            loss: Loss::Power,
            rounded_part: 0.3,
        }
    }

    /// Batches of an epoch; all have the same size, up to one position.
    #[must_use]
    pub fn batches(&self, positions: usize) -> u64 {
        (positions / self.batch.max(1)).max(1) as u64
    }

    /// Learning rate of batch `number` of `total`, from 0: it rises to its maximum and falls as half a cosine.
    #[must_use]
    pub fn rate(&self, number: u64, total: u64) -> f64 {
        let warm_up = self.warm_up.min(total / 10);
        if number < warm_up {
            return self.learning_rate * (number + 1) as f64 / warm_up as f64;
        }
        let way = (number - warm_up) as f64 / (total - warm_up).max(1) as f64;
        let height = f64::midpoint(1.0, (std::f64::consts::PI * way).cos());
        self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * height
    }

    /// Whether batch `number` of `total`, from 0, uses rounded numbers.
    #[must_use]
    pub fn activations(&self, number: u64, total: u64) -> Activations {
        let rounded = number as f64 >= (1.0 - self.rounded_part) * total as f64;
        if rounded { Activations::Cut } else { Activations::Real }
    }

    /// The target at this fraction of the training, from 0 to 1.
    #[must_use]
    pub fn target(&self, way: f64) -> Target {
        let [start, end] = self.lambda;
        Target { scale: self.scale, lambda: start + (end - start) * way as f32, loss: self.loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::nnue::Features;

    #[test]
    fn rates_rise_and_fall() {
        let settings = Settings::new(&Architecture::classic(Features::MIRRORED, 32, 8, 8), 600.0);
        let rate = |number| settings.rate(number, 2000);
        assert!((rate(0) - 1e-5).abs() < 1e-9 && (rate(49) - 5e-4).abs() < 1e-9);
        assert!((rate(100) - 1e-3).abs() < 1e-9 && rate(1999) < 3.1e-5);
        assert!((100..1999).all(|number| rate(number) > rate(number + 1)));
        assert!(settings.rate(0, 1) > 0.0, "a run of one batch learns something");
    }

    #[test]
    fn no_position_is_left_out() {
        let settings = Settings::new(&Architecture::classic(Features::MIRRORED, 32, 8, 8), 600.0);
        assert_eq!([0, 1, 16_384, 40_000].map(|positions| settings.batches(positions)), [1, 1, 1, 2]);
    }
}

//! The target value of a position, and the loss.

use crate::fit::data::samples::Label;
use serde::{Deserialize, Serialize};

/// The loss by the distance of a prediction from its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Squared distance.
    Squared,
    /// Distance to the power of 2.5, with less weight on small distances.
    Power,
}

/// The target: winning chances, a mixture of the game's result and the search score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The value that means winning chances of 73 %.
    pub scale: f32,
    /// The weight of the result.
    pub lambda: f32,
    /// The loss.
    pub loss: Loss,
}

/// The loss of a prediction, with its derivative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::fit) struct Judged {
    pub(in crate::fit) loss: f32,
    /// The derivative of the loss by the value.
    pub(in crate::fit) slope: f32,
}

impl Target {
    /// The winning chances for a value.
    #[inline]
    #[must_use]
    pub fn chances(&self, value: f32) -> f32 {
        1.0 / (1.0 + (-value / self.scale).exp())
    }

    /// The target of a label.
    #[inline]
    fn wanted(&self, label: &Label) -> f32 {
        self.lambda * label.result + (1.0 - self.lambda) * self.chances(label.score.into())
    }

    #[inline]
    pub(in crate::fit) fn judge(&self, value: f32, label: &Label) -> Judged {
        let chances = self.chances(value);
        let off = chances - self.wanted(label);
        let (loss, by_chances) = match self.loss {
            Loss::Squared => (off * off, 2.0 * off),
            Loss::Power => {
                let root = off.abs().sqrt();
                (off * off * root, 2.5 * off * root)
            }
        };
        Judged { loss, slope: by_chances * chances * (1.0 - chances) / self.scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives() {
        for loss in [Loss::Squared, Loss::Power] {
            let target = Target { scale: 400.0, lambda: 0.4, loss };
            for result in [0.0, 0.5, 1.0] {
                let label = Label::new(30, result);
                for value in [-900.0, -20.0, 0.0, 350.0] {
                    let loss = |value| target.judge(value, &label).loss;
                    let slope = (loss(value + 4.0) - loss(value - 4.0)) / 8.0;
                    let judged = target.judge(value, &label).slope;
                    assert!((slope - judged).abs() < 1e-5 + 0.01 * slope.abs(), "{value} {slope} {judged}");
                }
            }
        }
    }

    #[test]
    fn a_scale_means_73_percent() {
        let target = Target { scale: 400.0, lambda: 0.0, loss: Loss::Power };
        assert!((target.chances(400.0) - 0.731).abs() < 1e-3);
        assert!(target.judge(123.0, &Label::new(123, 0.0)).loss < 1e-12);
    }
}

//! The optimiser, `AdamW`.

use crate::fit::optimise::vector::{LANES, Vector};

/// Decay rates of the averages of gradients and of their squares.
const BETAS: [f64; 2] = [0.9, 0.999];
/// Keeps quotients finite.
const EPSILON: f32 = 1e-8;

/// Factors common to all weights in a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::fit) struct Step {
    /// Learning rate with the bias correction of the first average.
    rate: f32,
    /// Bias correction of the second average.
    correction: f32,
    /// Factor of the weight decay.
    kept: f32,
    /// Limit of weights.
    limit: f32,
}

impl Step {
    /// Step `number`, counted from 1.
    pub(in crate::fit) fn new(number: u64, learning_rate: f64, weight_decay: f64, limit: f32) -> Self {
        let lacks = BETAS.map(|beta| 1.0 - beta.powf(number as f64));
        Self {
            rate: (learning_rate / lacks[0]) as f32,
            correction: (1.0 / lacks[1].sqrt()) as f32,
            kept: (1.0 - learning_rate * weight_decay) as f32,
            limit,
        }
    }
}

/// Decay of the averages over some steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::fit) struct Decay([f32; 2]);

impl Decay {
    /// After one step.
    pub(in crate::fit) fn one() -> Self {
        Self::after(1)
    }

    /// Over a number of steps, in which the gradient was 0 in all but the last.
    pub(in crate::fit) fn after(steps: u64) -> Self {
        Self(BETAS.map(|beta| beta.powf(steps as f64) as f32))
    }
}

/// The form of weights in evaluation: real-valued, or rounded as in a quantised network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::fit) enum Image {
    /// Real numbers.
    Real,
    /// Rounded to multiples of 1 divided by this number.
    Rounded(f32),
}

impl Image {
    #[inline(always)]
    pub(in crate::fit) fn of(self, weights: Vector) -> Vector {
        match self {
            Self::Real => weights,
            Self::Rounded(parts) => weights.map(|weight| (weight * parts).round() / parts),
        }
    }
}

/// Updates weights by their gradients.
#[inline(always)]
pub(in crate::fit) fn step(
    weights: &mut Vector,
    averages: &mut [Vector; 2],
    gradient: &Vector,
    step: Step,
    decay: Decay,
) {
    let [first, second] = averages;
    let new = BETAS.map(|beta| (1.0 - beta) as f32);
    for lane in 0..LANES {
        let slope = gradient.0[lane];
        first.0[lane] = first.0[lane] * decay.0[0] + slope * new[0];
        second.0[lane] = second.0[lane] * decay.0[1] + slope * slope * new[1];
        let scale = second.0[lane].sqrt() * step.correction + EPSILON;
        let weight = weights.0[lane] * step.kept - step.rate * first.0[lane] / scale;
        weights.0[lane] = weight.max(-step.limit).min(step.limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_the_size_of_the_learning_rate() {
        let (mut weights, mut averages) = (Vector([0.5; LANES]), [Vector::ZERO; 2]);
        for number in 1..=3 {
            let gradient = Vector([1e-3; LANES]);
            step(&mut weights, &mut averages, &gradient, Step::new(number, 0.01, 0.0, 1.0), Decay::one());
        }
        assert!((weights.0[3] - 0.47).abs() < 1e-4, "{weights:?}");
        step(&mut weights, &mut averages, &Vector::ZERO, Step::new(4, 1.0, 0.0, 0.1), Decay::one());
        assert!((weights.0[0] + 0.1).abs() < 1e-9, "clipped: {weights:?}");
    }

    #[test]
    fn steps_left_out_are_made_up_for() {
        assert_eq!(Decay::after(1), Decay::one());
        assert!((Decay::after(3).0[0] - 0.729).abs() < 1e-6);
    }
}

use super::parameters::Parameter;
use platform::Random;
use serde::{Deserialize, Serialize};

/// The decay of the steps; the defaults are the usual values.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gains {
    /// Exponent of the decay of the changes.
    pub alpha: f64,
    /// Exponent of the decay of the perturbations.
    pub gamma: f64,
    /// The fraction of all iterations by which the decay of the changes is delayed.
    pub stability: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

/// A finished pair: the score of the side with one perturbation against the side with the opposite one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 0.
    pub iteration: u64,
    /// Half points of the first side in both games, 0 to 4.
    pub half_points: u8,
    /// The values after it, in the order of the parameters.
    pub values: Vec<f64>,
}

/// The two sides of a pair.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbation {
    /// Values of the first side.
    pub plus: Vec<f64>,
    /// Values of the second side.
    pub minus: Vec<f64>,
}

/// Simultaneous perturbation: all parameters are changed at once, each randomly up or down, and the result of a pair of
/// games updates all of them.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    values: Vec<f64>,
    iterations: u64,
    gains: Gains,
    seed: u64,
}

impl Spsa {
    /// A tuning over `iterations`, from the parameters' values.
    #[must_use]
    pub fn new(parameters: Vec<Parameter>, iterations: u64, gains: Gains, seed: u64) -> Self {
        let values = parameters.iter().map(|parameter| parameter.value).collect();
        Self { parameters, values, iterations, gains, seed }
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The values now.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Up or down for each parameter: random, but the same for the same iteration.
    fn signs(&self, iteration: u64) -> impl Iterator<Item = f64> + use<> {
        let mut random = Random::new(self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(iteration));
        // Neighbouring seeds start with similar numbers.
        random.next();
        std::iter::repeat_with(move || if random.next() >> 63 == 0 { 1.0 } else { -1.0 })
    }

    /// The perturbation of each side at this iteration.
    fn reach(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let done = (iteration + 1) as f64 / self.iterations.max(1) as f64;
        parameter.step * done.powf(-self.gains.gamma)
    }

    /// The values of the two sides in an iteration.
    #[must_use]
    pub fn perturbation(&self, iteration: u64) -> Perturbation {
        let side = |direction: f64| {
            let parameters = self.parameters.iter().zip(&self.values).zip(self.signs(iteration));
            let moved = |((parameter, value), sign): ((&Parameter, &f64), f64)| {
                let reach = self.reach(parameter, iteration);
                (value + direction * sign * reach).clamp(parameter.min, parameter.max)
            };
            parameters.map(moved).collect()
        };
        Perturbation { plus: side(1.0), minus: side(-1.0) }
    }

    /// Updates the values by the half points of the first side in an iteration.
    pub fn learn(&mut self, iteration: u64, half_points: u8) {
        let total = self.iterations.max(1) as f64;
        let delay = self.gains.stability * total;
        let shrink = ((delay + total) / (delay + (iteration + 1) as f64)).powf(self.gains.alpha);
        // Wins minus losses.
        let result = f64::from(half_points) - 2.0;
        let signs: Vec<f64> = self.signs(iteration).take(self.parameters.len()).collect();
        for (index, sign) in signs.into_iter().enumerate() {
            let parameter = &self.parameters[index];
            let rate = parameter.delta * parameter.step * parameter.step * shrink;
            let change = rate / self.reach(parameter, iteration) * result * sign;
            self.values[index] = (self.values[index] + change).clamp(parameter.min, parameter.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, value: f64) -> Parameter {
        let text = format!("{name},int,{value},0,200,10,0.5");
        super::super::ParametersFile::read(&text).unwrap().parameters().next().unwrap().clone()
    }

    #[test]
    fn the_last_steps_are_those_of_the_file() {
        let spsa = Spsa::new(vec![parameter("A", 100.0)], 1000, Gains::default(), 1);
        let last = spsa.perturbation(999);
        assert!(((last.plus[0] - last.minus[0]).abs() - 20.0).abs() < 1e-9);
        let first = spsa.perturbation(0);
        assert!((first.plus[0] - first.minus[0]).abs() > 20.0);
        let mut spsa = spsa;
        spsa.learn(999, 4);
        // delta · step for each half point above the even score.
        assert!(((spsa.values()[0] - 100.0).abs() - 10.0).abs() < 1e-9);
    }

    /// Two parameters, with games decided by a noisy comparison of their distance from the best values.
    #[test]
    fn it_climbs() {
        let best = [130.0, 60.0];
        let parameters = vec![parameter("A", 60.0), parameter("B", 120.0)];
        let mut spsa = Spsa::new(parameters, 2000, Gains::default(), 3);
        let mut random = Random::new(5);
        let loss = |values: &[f64]| -> f64 { values.iter().zip(best).map(|(v, b)| (v - b).powi(2)).sum() };
        let before = loss(spsa.values());
        for iteration in 0..2000 {
            let Perturbation { plus, minus } = spsa.perturbation(iteration);
            let better = (loss(&minus) - loss(&plus)) / 400.0;
            let chance = 1.0 / (1.0 + (-better).exp());
            let half_points =
                (0..4).filter(|_| (random.next() >> 11) as f64 / 2_f64.powi(53) < chance).count();
            spsa.learn(iteration, u8::try_from(half_points).unwrap());
        }
        assert!(loss(spsa.values()) < before / 20.0, "{:?}", spsa.values());
    }
}

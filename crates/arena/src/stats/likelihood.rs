use super::elo::{NORMALIZED_ELO_PER_T, expected_score};
use super::pentanomial::{Distribution, Pentanomial, SCORES, mean, variance};
use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

/// The unit of a test's hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo.
    Logistic,
    /// Normalised Elo.
    Normalized,
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        })
    }
}

impl FromStr for EloModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "logistic" => Ok(Self::Logistic),
            "normalized" => Ok(Self::Normalized),
            _ => Err(format!("expected `logistic` or `normalized`, found `{text}`")),
        }
    }
}

/// The generalised log-likelihood ratio of `elo1` to `elo0`: how much better the best distribution of strength `elo1`
/// explains the pairs than the best one of strength `elo0`.
///
/// ```
/// use arena::stats::{EloModel, Pentanomial, llr};
/// let ratio = llr(&Pentanomial([3, 6, 8, 2, 1]), EloModel::Logistic, 0.0, 5.0);
/// assert!((ratio - -0.184_982_703_713_182_8).abs() < 1e-9);
/// ```
#[must_use]
pub fn llr(pairs: &Pentanomial, model: EloModel, elo0: f64, elo1: f64) -> f64 {
    let measured = pairs.distribution();
    let best = |elo| match model {
        EloModel::Logistic => with_mean(&measured, expected_score(elo)),
        EloModel::Normalized => with_t_value(&measured, elo / NORMALIZED_ELO_PER_T * SQRT_2),
    };
    let (under0, under1) = (best(elo0), best(elo1));
    let per_pair: f64 =
        (0..SCORES.len()).map(|i| measured.probabilities[i] * (under1[i] / under0[i]).ln()).sum();
    measured.total * per_pair
}

/// Of all distributions with this mean, the one that explains the measured one best.
fn with_mean(measured: &Distribution, wanted: f64) -> [f64; 5] {
    balanced(&measured.probabilities, SCORES.map(|score| score - wanted))
}

/// Of all distributions whose mean is `t` standard deviations above one half, the one that explains the measured one
/// best.
///
/// The condition is not linear. It is linearised at the last solution, and the solutions converge.
fn with_t_value(measured: &Distribution, t: f64) -> [f64; 5] {
    const MOST_STEPS: usize = 200;
    const CLOSE: f64 = 1e-13;
    let mut best = [0.2; 5];
    for _ in 0..MOST_STEPS {
        let (mean, deviation) = (mean(&best), variance(&best).sqrt());
        let weights = SCORES.map(|score| {
            let from_mean = (mean - score) / deviation;
            score - 0.5 - t * deviation * (1.0 + from_mean * from_mean) / 2.0
        });
        let next = balanced(&measured.probabilities, weights);
        let change = next.iter().zip(best).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        best = next;
        if change < CLOSE {
            break;
        }
    }
    best
}

/// Of all distributions under which `weights` have mean 0, the one closest to `measured` in likelihood:
/// `measured / (1 + x · weights)` for a suitable `x`.
fn balanced(measured: &[f64; 5], weights: [f64; 5]) -> [f64; 5] {
    let lowest = weights.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // No distribution balances weights that all have the same sign; the measured one is returned.
    if lowest >= 0.0 || highest <= 0.0 {
        return *measured;
    }
    let excess = |x: f64| -> f64 { measured.iter().zip(weights).map(|(p, w)| p * w / (1.0 + x * w)).sum() };
    // All probabilities are positive strictly between these bounds, and `excess` falls from +∞ to -∞.
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    // Terminates, because a 64-bit interval can be halved only so often.
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    let mut solution = [0.0; 5];
    for i in 0..5 {
        solution[i] = measured[i] / (1.0 + x * weights[i]);
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solutions_meet_their_conditions(counts in prop::array::uniform5(0_u64..500), elo in -30.0..30.0_f64) {
            prop_assume!(counts.iter().sum::<u64>() > 0);
            let measured = Pentanomial(counts).distribution();
            let wanted = expected_score(elo);
            let p = with_mean(&measured, wanted);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!((mean(&p) - wanted).abs() < 1e-9);
            let p = with_t_value(&measured, elo / 100.0);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        }

        #[test]
        fn the_ratio_turns_with_the_hypotheses(counts in prop::array::uniform5(0_u64..500)) {
            prop_assume!(counts.iter().sum::<u64>() > 0);
            let pairs = Pentanomial(counts);
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let forward = llr(&pairs, model, 0.0, 4.0);
                let backward = llr(&pairs, model, 4.0, 0.0);
                let opposite = llr(&pairs.reversed(), model, 0.0, -4.0);
                prop_assert!((forward + backward).abs() < 1e-6 * (1.0 + forward.abs()));
                prop_assert!((forward - opposite).abs() < 1e-6 * (1.0 + forward.abs()));
            }
        }
    }
}

use super::pentanomial::Pentanomial;
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// A value and half the width of its interval of 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the interval.
    pub error: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} ± {:.1}", self.value, self.error)
    }
}

/// Standard deviations on either side that hold 95 % of a normal distribution.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Elo per unit of the t-value of single games, the scale of normalised Elo.
pub(super) const NORMALIZED_ELO_PER_T: f64 = 800.0 / LN_10;

/// The score that a difference in Elo leads to.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in Elo behind a score.
fn elo(score: f64) -> f64 {
    // Beyond this no number of games can tell scores apart.
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The probability that a normal variable lies below `x`.
fn normal_below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

impl Pentanomial {
    /// The difference in Elo.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let pairs = self.distribution();
        let mean = pairs.mean();
        let error = TWO_SIDED_95 * (pairs.variance() / pairs.total).sqrt();
        Estimate { value: elo(mean), error: (elo(mean + error) - elo(mean - error)) / 2.0 }
    }

    /// The difference in units of the spread of the results, which does not depend on how drawish games are.
    #[must_use]
    pub fn normalized_elo(&self) -> Estimate {
        let pairs = self.distribution();
        let t = (pairs.mean() - 0.5) / pairs.variance().sqrt();
        let scale = NORMALIZED_ELO_PER_T / SQRT_2;
        Estimate { value: t * scale, error: TWO_SIDED_95 * scale / pairs.total.sqrt() }
    }

    /// Likelihood of superiority: the probability that the true score is above one half.
    #[must_use]
    pub fn los(&self) -> f64 {
        let pairs = self.distribution();
        normal_below((pairs.mean() - 0.5) / (pairs.variance() / pairs.total).sqrt())
    }
}

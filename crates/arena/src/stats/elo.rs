use super::pentanomial::{Distribution, Pentanomial};
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// A value with its interval of 95 % confidence.
///
/// If all pairs were won, or all were lost, only one bound is known: the value and the other bound are infinite, and
/// the known bound is one-sided, again with 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval, shown after `±`.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// `+11.4 ± 9.7`, or `at least +279.9` if only that is known. A precision sets the number of digits.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        let Self { value, low, high } = self;
        match (low.is_finite(), high.is_finite()) {
            (true, false) => write!(f, "at least {low:+.digits$}"),
            (false, true) => write!(f, "at most {high:+.digits$}"),
            (false, false) => f.write_str("unknown"),
            (true, true) => write!(f, "{value:+.digits$} ± {:.digits$}", self.error()),
        }
    }
}

/// Standard deviations on either side that hold 95 % of a normal distribution.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
/// Standard deviations below which 95 % of a normal distribution lie.
const ONE_SIDED_95: f64 = 1.644_853_626_951_472_6;

/// Elo per unit of the t-value of single games, the scale of normalised Elo.
pub(super) const NORMALIZED_ELO_PER_T: f64 = 800.0 / LN_10;

/// The expected score for a difference in Elo.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in Elo for a score; infinite for 0 and 1.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The probability that a normal variable lies below `x`.
fn normal_below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// One-sided results, for which one bound is unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sweep {
    /// Every game was won.
    Won,
    /// Every game was lost.
    Lost,
}

impl Pentanomial {
    fn sweep(&self) -> Option<Sweep> {
        match self.0 {
            [0, 0, 0, 0, won] if won > 0 => Some(Sweep::Won),
            [lost, 0, 0, 0, 0] if lost > 0 => Some(Sweep::Lost),
            _ => None,
        }
    }

    /// The number of won-or-lost trials with the same uncertainty of the score as these pairs.
    ///
    /// A few pairs say little about their own variance: one more pair, spread evenly over the five cases, accounts for
    /// that.
    fn effective_trials(&self) -> f64 {
        let spread = self.spread();
        let mean = spread.mean();
        self.pairs() as f64 * mean * (1.0 - mean) / spread.variance()
    }

    /// The measured distribution with one more pair, spread evenly over the five cases.
    fn spread(&self) -> Distribution {
        let total = self.pairs() as f64 + 1.0;
        Distribution { total, probabilities: self.0.map(|count| (count as f64 + 0.2) / total) }
    }

    /// The score of a game.
    fn score(&self) -> f64 {
        let half_points: u64 = self.0.iter().zip(0..).map(|(count, points)| count * points).sum();
        half_points as f64 / (4 * self.pairs()) as f64
    }

    /// Wilson's interval for the score: all scores that are at most `z` standard deviations from the measured one, each
    /// with its own deviation. In Elo the value is in its middle.
    fn score_interval(&self, z: f64) -> [f64; 2] {
        let (score, trials) = (self.score(), self.effective_trials());
        let weight = z * z / trials;
        let centre = (score + weight / 2.0) / (1.0 + weight);
        let width = (z / (1.0 + weight)) * (score * (1.0 - score) / trials + weight / (4.0 * trials)).sqrt();
        [centre - width, centre + width]
    }

    /// The difference in Elo.
    ///
    /// The interval is Wilson's on pairs. It is valid for few and one-sided pairs, where a normal approximation would
    /// be far too narrow, and converges to that for many.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let [low, high] = match self.sweep() {
            None => self.score_interval(TWO_SIDED_95).map(elo),
            Some(Sweep::Won) => [elo(self.score_interval(ONE_SIDED_95)[0]), f64::INFINITY],
            Some(Sweep::Lost) => [f64::NEG_INFINITY, elo(self.score_interval(ONE_SIDED_95)[1])],
        };
        Estimate { value: elo(self.score()), low, high }
    }

    /// The difference in units of the standard deviation of the results, which does not depend on the draw rate.
    #[must_use]
    pub fn normalized_elo(&self) -> Estimate {
        let pairs = self.spread();
        let t = (pairs.mean() - 0.5) / pairs.variance().sqrt();
        // The deviation is estimated, too: the larger the value, the more its error matters.
        let deviation = ((1.0 + t * t / 2.0) / self.pairs() as f64).sqrt();
        let scale = NORMALIZED_ELO_PER_T / SQRT_2;
        let at = |z: f64| (t + z * deviation) * scale;
        match self.sweep() {
            None => Estimate { value: at(0.0), low: at(-TWO_SIDED_95), high: at(TWO_SIDED_95) },
            Some(Sweep::Won) => {
                Estimate { value: f64::INFINITY, low: at(-ONE_SIDED_95), high: f64::INFINITY }
            }
            Some(Sweep::Lost) => {
                Estimate { value: f64::NEG_INFINITY, low: f64::NEG_INFINITY, high: at(ONE_SIDED_95) }
            }
        }
    }

    /// Likelihood of superiority: the probability that the true score is above one half.
    #[must_use]
    pub fn los(&self) -> f64 {
        normal_below((self.score() - 0.5) * 2.0 * self.effective_trials().sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::Random;

    fn elo_of(counts: [u64; 5]) -> String {
        Pentanomial(counts).elo().to_string()
    }

    #[test]
    fn few_and_one_sided_results_claim_no_more_than_is_known() {
        assert_eq!(elo_of([0, 0, 1, 0, 0]), "+0.0 ± 301.3");
        assert_eq!(elo_of([0, 0, 0, 0, 10]), "at least +279.9");
        assert_eq!(elo_of([10, 0, 0, 0, 0]), "at most -279.9");
        assert_eq!(elo_of([0, 1, 0, 0, 9]), "+436.4 ± 305.5");
        assert_eq!(elo_of([100, 300, 500, 350, 120]), "+11.4 ± 9.7");
        assert_eq!(Pentanomial([0, 0, 0, 0, 10]).normalized_elo().to_string(), "at least +361.3");
        assert_eq!(Pentanomial([0, 0, 1, 0, 0]).normalized_elo().to_string(), "+0.0 ± 481.5");
        assert!((Pentanomial([0, 0, 1, 0, 0]).los() - 0.5).abs() < 1e-12);
        let los = Pentanomial([0, 0, 0, 0, 1]).los();
        assert!((0.8..0.95).contains(&los), "one pair proves little: {los}");
    }

    /// Intervals of 95 % hold the truth in about 95 of 100 matches, however short and one-sided these are.
    #[test]
    fn intervals_hold_the_truth() {
        let independent = |win: f64, draw: f64| {
            let loss = 1.0 - win - draw;
            [loss * loss, 2.0 * loss * draw, draw * draw + 2.0 * loss * win, 2.0 * win * draw, win * win]
        };
        let truths = [
            independent(0.5, 0.0),
            independent(0.1, 0.8),
            independent(0.8, 0.05),
            independent(0.95, 0.02),
            [0.05, 0.0, 0.9, 0.0, 0.05],
            [0.5, 0.0, 0.0, 0.0, 0.5],
        ];
        let mut random = Random::new(7);
        for truth in truths {
            let score = super::super::pentanomial::mean(&truth);
            for pairs in [5, 10, 20, 100] {
                let held = (0..1000).filter(|_| {
                    let mut counts = Pentanomial::default();
                    for _ in 0..pairs {
                        counts.add(drawn(&truth, &mut random));
                    }
                    let Estimate { low, high, .. } = counts.elo();
                    (low..=high).contains(&elo(score))
                });
                let held = held.count();
                assert!(held >= 880, "{held} of 1000 for {truth:?} and {pairs} pairs");
            }
        }
    }

    fn drawn(probabilities: &[f64; 5], random: &mut Random) -> u8 {
        let mut left = random.next() as f64 / u64::MAX as f64;
        for (case, probability) in (0..).zip(probabilities) {
            left -= probability;
            if left <= 0.0 {
                return case;
            }
        }
        2
    }
}

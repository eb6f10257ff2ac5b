use super::{EloModel, Pentanomial, llr};
use crate::words::{self, WordError};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A sequential probability ratio test: is the first engine stronger by `elo1` rather than by `elo0`?
///
/// ```
/// use arena::stats::{Decision, Pentanomial, Sprt};
/// let test = Sprt::default();
/// assert_eq!(test.decision(&Pentanomial([10, 20, 30, 20, 10])), Decision::GoOn);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The hypothesis accepted if the change is not an improvement.
    pub elo0: f64,
    /// The hypothesis accepted if it is.
    pub elo1: f64,
    /// Probability of accepting `elo1` if `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` if `elo1` is true.
    pub beta: f64,
    /// The unit of both.
    pub model: EloModel,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized }
    }
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// More games are needed.
    GoOn,
    /// `elo0` is accepted.
    AcceptH0,
    /// `elo1` is accepted.
    AcceptH1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GoOn => "undecided",
            Self::AcceptH0 => "H0 accepted",
            Self::AcceptH1 => "H1 accepted",
        })
    }
}

/// The words that describe a test, for help texts.
pub const SPRT_WORDS: &str = "elo0=, elo1=, alpha=, beta=, model=logistic|normalized";

impl Sprt {
    /// Parses a test from words such as `elo0=0 elo1=5 model=logistic`; missing words keep their defaults.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, WordError> {
        let mut test = Self::default();
        for word in words {
            let (key, value) = words::split(word)?;
            let target = match key {
                "elo0" => &mut test.elo0,
                "elo1" => &mut test.elo1,
                "alpha" => &mut test.alpha,
                "beta" => &mut test.beta,
                "model" => {
                    let expected = "`logistic` or `normalized`";
                    test.model = value.parse().map_err(|_| words::bad(key, value, expected))?;
                    continue;
                }
                _ => return Err(WordError::Unknown { key: key.to_owned(), known: SPRT_WORDS }),
            };
            *target = words::number::<f64>(key, value)?;
            let fits = match key {
                "alpha" | "beta" => *target > 0.0 && *target < 0.5,
                _ => target.is_finite(),
            };
            if !fits {
                return Err(words::bad(key, value, "a number (alpha and beta between 0 and 0.5)"));
            }
        }
        if test.elo0 >= test.elo1 {
            return Err(words::bad("elo1", &test.elo1.to_string(), "more than elo0"));
        }
        Ok(test)
    }

    /// The log-likelihood ratio of these pairs; 0 if there are none.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 { 0.0 } else { llr(pairs, self.model, self.elo0, self.elo1) }
    }

    /// The bounds: at or below the first, `elo0` is accepted; at or above the second, `elo1`.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision for these pairs.
    #[must_use]
    pub fn decision(&self, pairs: &Pentanomial) -> Decision {
        self.decide(self.llr(pairs))
    }

    /// The decision for this ratio.
    #[must_use]
    pub fn decide(&self, llr: f64) -> Decision {
        let (low, high) = self.bounds();
        match llr {
            ratio if ratio <= low => Decision::AcceptH0,
            ratio if ratio >= high => Decision::AcceptH1,
            _ => Decision::GoOn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_walds() {
        let (low, high) = Sprt::default().bounds();
        assert!((low + 2.944_438_979).abs() < 1e-9 && (high - 2.944_438_979).abs() < 1e-9);
    }

    #[test]
    fn decisions() {
        let test = Sprt::from_words(["elo0=0", "elo1=10", "model=logistic"]).unwrap();
        assert_eq!(test.decision(&Pentanomial::default()), Decision::GoOn);
        assert_eq!(test.decision(&Pentanomial([10, 100, 200, 300, 100])), Decision::AcceptH1);
        assert_eq!(test.decision(&Pentanomial([100, 300, 200, 100, 10])), Decision::AcceptH0);
    }

    #[test]
    fn words_are_checked() {
        for (words, message) in [
            ("elo0=5 elo1=5", "`elo1=5`: expected more than elo0"),
            ("alpha=0.7", "`alpha=0.7`: expected a number (alpha and beta between 0 and 0.5)"),
            ("elo0=nan", "`elo0=nan`: expected a number (alpha and beta between 0 and 0.5)"),
            ("model=bayes", "`model=bayes`: expected `logistic` or `normalized`"),
        ] {
            assert_eq!(Sprt::from_words(words.split(' ')).unwrap_err().to_string(), message);
        }
    }
}

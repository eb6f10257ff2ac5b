use std::fmt;
use std::str::FromStr;

/// Number of pairs with 0, 1, 2, 3 and 4 half points.
///
/// ```
/// use arena::stats::Pentanomial;
/// let pairs: Pentanomial = "1,2,3,4,5".parse()?;
/// assert_eq!(pairs.pairs(), 15);
/// # Ok::<(), arena::stats::ParsePentanomialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// A text in another form than `LL,LD,DD,DW,WW`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected five counts LL,LD,DD,DW,WW such as 3,20,60,25,4, not all of them zero; found `{0}`")]
pub struct ParsePentanomialError(String);

/// The weight of a case that never occurred in a likelihood ratio, so that it stays finite.
const NEVER: f64 = 1e-3;

impl Pentanomial {
    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair by its half points.
    pub fn add(&mut self, half_points: u8) {
        if let Some(count) = self.0.get_mut(usize::from(half_points)) {
            *count += 1;
        }
    }

    /// The pairs from the opponent's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The measured distribution of the score of a pair, from 0 to 1 per game, for likelihood ratios.
    pub(super) fn distribution(&self) -> Distribution {
        let counts = self.0.map(|count| if count == 0 { NEVER } else { count as f64 });
        let total = counts.iter().sum();
        Distribution { total, probabilities: counts.map(|count| count / total) }
    }
}

impl FromStr for Pentanomial {
    type Err = ParsePentanomialError;

    fn from_str(text: &str) -> Result<Self, ParsePentanomialError> {
        let error = || ParsePentanomialError(text.chars().take(60).collect());
        let counts: Option<Vec<u64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
        let counts: [u64; 5] = counts.and_then(|counts| counts.try_into().ok()).ok_or_else(error)?;
        let total = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        if total.is_none_or(|total| total == 0) { Err(error()) } else { Ok(Self(counts)) }
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.map(|count| count.to_string()).join(","))
    }
}

/// The scores of the five cases.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Probabilities of the five cases, and the number of pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution {
    pub(super) total: f64,
    pub(super) probabilities: [f64; 5],
}

impl Distribution {
    pub(super) fn mean(&self) -> f64 {
        mean(&self.probabilities)
    }

    pub(super) fn variance(&self) -> f64 {
        variance(&self.probabilities)
    }
}

pub(super) fn mean(probabilities: &[f64; 5]) -> f64 {
    probabilities.iter().zip(SCORES).map(|(p, score)| p * score).sum()
}

pub(super) fn variance(probabilities: &[f64; 5]) -> f64 {
    let mean = mean(probabilities);
    probabilities.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum()
}

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

/// Whole milliseconds, the unit of hosts. Sums and differences saturate, so that no clock value can overflow into a
/// long search.
///
/// ```
/// use usi::time::Millis;
/// assert_eq!(Millis(300) - Millis(500), Millis(0));
/// assert_eq!(Millis::from_seconds(2).to_string(), "2000 ms");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// This number of seconds.
    #[must_use]
    pub const fn from_seconds(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// Multiplies by `numerator / denominator`, rounding down.
    #[must_use]
    pub(crate) fn scaled(self, numerator: u64, denominator: u64) -> Self {
        let scaled = u128::from(self.0) * u128::from(numerator) / u128::from(denominator.max(1));
        Self(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// Rounds up to a full second.
    #[must_use]
    pub(super) const fn ceil_to_second(self) -> Self {
        Self(self.0.div_ceil(1000).saturating_mul(1000))
    }
}

impl Add for Millis {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl From<Millis> for Duration {
    fn from(time: Millis) -> Self {
        Self::from_millis(time.0)
    }
}

impl From<Duration> for Millis {
    fn from(time: Duration) -> Self {
        Self(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

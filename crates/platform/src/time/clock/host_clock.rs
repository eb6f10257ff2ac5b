//! Times of a clock that the host sets, with the methods of [`std::time::Instant`] that this program uses.

use std::ops::{Add, Sub};
use std::sync::OnceLock;
use std::time::Duration;

static NOW: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets the clock: a function that returns the time since any fixed moment and never decreases. Only the first call has
/// an effect.
pub fn set_host_clock(now: fn() -> Duration) {
    NOW.get_or_init(|| now);
}

/// A point in time. It does not advance while no clock is set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// The current time.
    #[must_use]
    pub fn now() -> Self {
        Self(NOW.get().map_or(Duration::ZERO, |now| now()))
    }

    /// The time since then.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// The time between two moments; zero if `earlier` is the later one.
    #[must_use]
    pub const fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// A later moment, if there is one.
    #[must_use]
    pub fn checked_add(&self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    static MILLISECONDS: AtomicU64 = AtomicU64::new(5);

    #[test]
    fn it_follows_the_host() {
        assert_eq!(Instant::now(), Instant(Duration::ZERO));
        set_host_clock(|| Duration::from_millis(MILLISECONDS.load(Relaxed)));
        let begin = Instant::now();
        MILLISECONDS.store(25, Relaxed);
        assert_eq!(begin.elapsed(), Duration::from_millis(20));
        assert_eq!(Instant::now() - begin, Duration::from_millis(20));
        assert_eq!(begin - Instant::now(), Duration::ZERO);
        assert_eq!(begin + Duration::from_millis(20), Instant::now());
        assert_eq!(begin.checked_add(Duration::MAX), None);
        assert!(begin < Instant::now());
        set_host_clock(|| Duration::ZERO);
        assert_eq!(Instant::now(), Instant(Duration::from_millis(25)), "the first clock stays");
    }
}

use platform::Random;
use std::time::Duration;

/// The longest pause.
const LONGEST: Duration = Duration::from_mins(5);

/// Growing pauses between attempts: each twice as long as the one before, ± a fifth, so that clients that were
/// disconnected together do not all reconnect at once.
pub(super) struct Backoff {
    first: Duration,
    failures: u32,
    random: Random,
}

impl Backoff {
    pub(super) fn new(first: Duration) -> Self {
        Self { first, failures: 0, random: Random::new(Random::fresh_seed()) }
    }

    /// The pause after one more failure.
    pub(super) fn next(&mut self) -> Duration {
        let doubled = self.first.saturating_mul(1_u32.checked_shl(self.failures).unwrap_or(u32::MAX));
        self.failures = (self.failures + 1).min(16);
        let percent = 80 + self.random.below(41) as u32;
        doubled.min(LONGEST) * percent / 100
    }

    /// An attempt succeeded: the next pause is short again.
    pub(super) const fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let mut backoff = Backoff::new(Duration::from_secs(10));
        for expected in [10.0, 20.0, 40.0, 80.0, 160.0, 300.0, 300.0] {
            let pause = backoff.next().as_secs_f64();
            assert!((expected * 0.8..=expected * 1.2).contains(&pause), "{pause} for {expected}");
        }
        for _ in 0..100 {
            backoff.next();
        }
        backoff.reset();
        assert!(backoff.next() <= Duration::from_secs(12));
    }
}

use super::Millis;
use search::Next;

/// How long a move should take, counted from `go`: not less than `minimum`, about `optimum`, never more than
/// `maximum`.
///
/// A search that finds its move sooner goes on until [`Budget::search_end`]: on a clock that counts full seconds
/// the rest of a begun second is free.
///
/// ```
/// use usi::time::{Budget, Millis, SideClock, TimeOptions};
/// // Main time gone, ten seconds of byoyomi: all of it is used, less NetworkDelay2.
/// let clock = SideClock { byoyomi: Millis(10_000), ..SideClock::default() };
/// let budget = Budget::for_clock(clock, &TimeOptions::default(), 81);
/// assert_eq!((budget.minimum, budget.maximum), (Millis(8_880), Millis(8_880)));
/// assert!(budget.after_iteration(Millis(8_000), 1.0) != search::Next::Stop && !budget.must_stop(Millis(8_000)));
/// assert!(budget.must_stop(Millis(8_880)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Before this, a move that seems obvious is looked at again.
    pub minimum: Millis,
    /// After this, no new iteration begins, unless the search is unsure.
    pub optimum: Millis,
    /// At this, the search is cut off.
    pub maximum: Millis,
    pub(super) rounding: Rounding,
    /// Whether `minimum` counts from `ponderhit`: byoyomi not used is lost, so pondering does not pay for it.
    pub(super) minimum_from_hit: bool,
}

/// Where a search may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    /// Anywhere.
    None,
    /// `delay` before a full second, at the earliest `delay` before `least`.
    FullSecond { delay: Millis, least: Millis },
}

impl Rounding {
    /// The first moment not before `time` at which a search may end.
    ///
    /// The next multiple of a second that leaves room for the delay: the same as the rule of the field, "round
    /// up, take the delay off, and add a second if that went below", and good for delays over a second too.
    pub(super) fn up(self, time: Millis) -> Millis {
        match self {
            Self::None => time,
            Self::FullSecond { delay, least } => (time + delay).ceil_to_second().max(least) - delay,
        }
    }
}

impl Budget {
    /// Exactly `time`: `movetime`, the last move before `MaxMovesToDraw`, a clock in byoyomi.
    #[must_use]
    pub fn exactly(time: Millis) -> Self {
        let time = time.max(Millis(1));
        Self {
            minimum: time,
            optimum: time,
            maximum: time,
            rounding: Rounding::None,
            minimum_from_hit: false,
        }
    }

    /// Puts the three in order, all of them at least a millisecond.
    pub(super) fn ordered(self) -> Self {
        let minimum = self.minimum.max(Millis(1));
        let maximum = self.maximum.max(minimum);
        Self { minimum, maximum, optimum: self.optimum.clamp(minimum, maximum), ..self }
    }

    /// What a search that has just finished an iteration should do if it needs `need` times what is usual.
    #[must_use]
    pub fn after_iteration(&self, elapsed: Millis, need: f64) -> Next {
        if self.minimum == self.maximum {
            // Nothing is saved by stopping before.
            return if self.must_stop(elapsed) { Next::Stop } else { Next::Deeper };
        }
        // No number is no reason to go on.
        let need = if need.is_nan() { 0.0 } else { need };
        let wanted = (self.optimum.0 as f64 * need).min(self.maximum.0 as f64);
        match elapsed.0 as f64 {
            elapsed if elapsed >= wanted => Next::Stop,
            // Another ply takes about as long as all before it.
            elapsed if elapsed > wanted / 2.0 => Next::Again,
            _ => Next::Deeper,
        }
    }

    /// Whether a search must be cut off now.
    #[must_use]
    pub fn must_stop(&self, elapsed: Millis) -> bool {
        elapsed >= self.maximum
    }

    /// Until when a search that began at `go` and could end at `elapsed` may go on without cost.
    #[must_use]
    pub fn search_end(&self, elapsed: Millis) -> Millis {
        self.search_end_after(elapsed, Millis::ZERO)
    }

    /// The same after `pondered`, the time from `go ponder` to `ponderhit`; counted from `go ponder`.
    ///
    /// Our clock has run since `ponderhit` only, so that is where seconds are counted from, and the limit too.
    #[must_use]
    pub fn search_end_after(&self, elapsed: Millis, pondered: Millis) -> Millis {
        let minimum = if self.minimum_from_hit { self.minimum } else { self.minimum - pondered };
        let end = self.rounding.up((elapsed - pondered).max(minimum));
        pondered + end.min(self.maximum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule as players know it, for delays below a second.
    fn known_rule(time: u64, delay: u64, least: u64) -> u64 {
        let end = time.next_multiple_of(1000).max(least) - delay;
        if end < time { end + 1000 } else { end }
    }

    #[test]
    fn full_seconds_are_rounded_as_everywhere() {
        for least in [1000, 2000, 5000] {
            for delay in [0, 1, 120, 400, 999] {
                let rounding = Rounding::FullSecond { delay: Millis(delay), least: Millis(least) };
                for time in (0..6000).step_by(7).chain([880, 881, 1000, 1880, 1881]) {
                    let expected = Millis(known_rule(time, delay, least));
                    assert_eq!(rounding.up(Millis(time)), expected, "{time} {delay} {least}");
                }
            }
        }
    }

    #[test]
    fn a_delay_of_seconds_never_ends_a_search_in_the_past() {
        let rounding = Rounding::FullSecond { delay: Millis(3500), least: Millis(1000) };
        assert_eq!(rounding.up(Millis(200)), Millis(500));
        assert_eq!(rounding.up(Millis(501)), Millis(1500));
    }
}

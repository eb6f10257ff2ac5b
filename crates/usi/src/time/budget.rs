use super::Millis;
use search::Next;

/// The time for a move, counted from `go`: at least `minimum`, about `optimum`, at most `maximum`.
///
/// A search that is done earlier continues until [`Budget::search_end`]: on a clock that counts full seconds, the rest
/// of a second is free.
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
    /// Before this time, even an obvious move is searched further.
    pub minimum: Millis,
    /// After this time, no new iteration starts unless the search is unsure.
    pub optimum: Millis,
    /// At this time, the search is cut off.
    pub maximum: Millis,
    pub(super) rounding: Rounding,
    /// Whether `minimum` counts from `ponderhit`: unused byoyomi is lost, so pondering does not count towards it.
    pub(super) minimum_from_hit: bool,
}

/// The times at which a search may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    /// At any time.
    None,
    /// `delay` before a full second, at the earliest `delay` before `least`.
    FullSecond { delay: Millis, least: Millis },
}

impl Rounding {
    /// The first time from `time` on at which a search may end.
    ///
    /// It is the next full second minus the delay. For short delays this equals `YaneuraOu`'s rule (round up, subtract
    /// the delay, add a second if the result is below `time`), and it also works for delays of more than a second.
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

    /// Sorts the three times and makes each at least one millisecond.
    pub(super) fn ordered(self) -> Self {
        let minimum = self.minimum.max(Millis(1));
        let maximum = self.maximum.max(minimum);
        Self { minimum, maximum, optimum: self.optimum.clamp(minimum, maximum), ..self }
    }

    /// The decision after an iteration, for a search that needs `need` times the usual time.
    #[must_use]
    pub fn after_iteration(&self, elapsed: Millis, need: f64) -> Next {
        if self.minimum == self.maximum {
            // Stopping earlier would not save time.
            return if self.must_stop(elapsed) { Next::Stop } else { Next::Deeper };
        }
        // NaN must not prolong the search.
        let need = if need.is_nan() { 0.0 } else { need };
        let wanted = (self.optimum.0 as f64 * need).min(self.maximum.0 as f64);
        match elapsed.0 as f64 {
            elapsed if elapsed >= wanted => Next::Stop,
            // Another ply takes about as long as all before it.
            elapsed if elapsed > wanted / 2.0 => Next::Again,
            _ => Next::Deeper,
        }
    }

    /// Whether the search must be cut off.
    #[must_use]
    pub fn must_stop(&self, elapsed: Millis) -> bool {
        elapsed >= self.maximum
    }

    /// How long a search that could end at `elapsed` may continue at no cost. Both times count from `go`; `pondered` is
    /// the time from `go ponder` to `ponderhit`, or zero.
    ///
    /// Our clock has been running only since `ponderhit`, so seconds and the limit count from there.
    #[must_use]
    pub fn search_end(&self, elapsed: Millis, pondered: Millis) -> Millis {
        let minimum = if self.minimum_from_hit { self.minimum } else { self.minimum - pondered };
        let end = self.rounding.up((elapsed - pondered).max(minimum));
        pondered + end.min(self.maximum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `YaneuraOu`'s rule, for delays of less than a second.
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

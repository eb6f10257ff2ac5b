//! Time controls and clocks.

use crate::words::{self, WordError};
use game::Color;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::time::Duration;

/// The limits of an engine's thinking, in any combination; times are in milliseconds as in USI.
///
/// ```
/// use arena::TimeControl;
/// let time = TimeControl { main: 60_000, increment: 1000, ..TimeControl::default() };
/// assert!(time.has_clock());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TimeControl {
    /// For the whole game.
    #[serde(skip_serializing_if = "is_zero")]
    pub main: u64,
    /// Added for each move (Fischer).
    #[serde(skip_serializing_if = "is_zero")]
    pub increment: u64,
    /// For each move once the main time is used up.
    #[serde(skip_serializing_if = "is_zero")]
    pub byoyomi: u64,
    /// For each move, `go movetime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// `go nodes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// `go depth`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl TimeControl {
    /// Parses `key=value` if the key is about time, else returns `false`.
    pub(crate) fn apply(&mut self, key: &str, value: &str) -> Result<bool, WordError> {
        match key {
            "time" => self.main = words::number(key, value)?,
            "inc" => self.increment = words::number(key, value)?,
            "byoyomi" => self.byoyomi = words::number(key, value)?,
            "movetime" => self.movetime = Some(words::number(key, value)?),
            "nodes" => self.nodes = Some(words::number(key, value)?),
            "depth" => self.depth = Some(words::number(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether there is a clock, as opposed to limits of nodes, plies or the time of single moves.
    #[must_use]
    pub const fn has_clock(&self) -> bool {
        self.main > 0 || self.increment > 0 || self.byoyomi > 0
    }

    /// Whether there is any limit.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.has_clock() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// One player's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: Duration::from_millis(control.main) }
    }

    /// The time limit of the next move, if any.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        let movetime = self.control.movetime.map(Duration::from_millis);
        let clock = self.control.has_clock().then(|| {
            self.left + Duration::from_millis(self.control.increment.saturating_add(self.control.byoyomi))
        });
        match (movetime, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Whether there is a clock, besides limits of single moves.
    #[must_use]
    pub const fn has_clock(&self) -> bool {
        self.control.has_clock()
    }

    /// Its time control.
    #[must_use]
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Subtracts the time of a move.
    pub fn spend(&mut self, elapsed: Duration) {
        let increment = Duration::from_millis(self.control.increment);
        self.left = (self.left + increment).saturating_sub(elapsed);
    }

    /// The remaining main time in whole milliseconds, as sent to engines.
    #[must_use]
    pub fn left_ms(&self) -> u64 {
        u64::try_from(self.left.as_millis()).unwrap_or(u64::MAX)
    }
}

/// The arguments of `go` (and `go ponder`) for the player of `side`.
#[must_use]
pub fn go_words(clocks: &[Clock; 2], side: Color) -> String {
    let control = clocks[side.index()].control;
    let mut words = String::new();
    // Writing to a string cannot fail.
    if control.has_clock() {
        let [black, white] = clocks.map(|clock| clock.left_ms());
        let _ = write!(words, " btime {black} wtime {white}");
        let [black, white] = clocks.map(|clock| clock.control.increment);
        if black > 0 || white > 0 {
            let _ = write!(words, " binc {black} winc {white}");
        }
        if control.byoyomi > 0 || control.increment == 0 {
            let _ = write!(words, " byoyomi {}", control.byoyomi);
        }
    }
    for (word, limit) in
        [("movetime", control.movetime), ("nodes", control.nodes), ("depth", control.depth.map(u64::from))]
    {
        if let Some(limit) = limit {
            let _ = write!(words, " {word} {limit}");
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn byoyomi_begins_after_the_main_time() {
        let mut clock = Clock::new(TimeControl { main: 1000, byoyomi: 100, ..TimeControl::default() });
        assert_eq!(clock.budget(), Some(ms(1100)));
        clock.spend(ms(400));
        assert_eq!((clock.left_ms(), clock.budget()), (600, Some(ms(700))));
        clock.spend(ms(690));
        assert_eq!((clock.left_ms(), clock.budget()), (0, Some(ms(100))));
        clock.spend(ms(99));
        assert_eq!(clock.budget(), Some(ms(100)));
    }

    #[test]
    fn fischer_saves_what_is_not_used() {
        let mut clock = Clock::new(TimeControl { main: 1000, increment: 100, ..TimeControl::default() });
        clock.spend(ms(30));
        assert_eq!((clock.left_ms(), clock.budget()), (1070, Some(ms(1170))));
    }

    #[test]
    fn go_says_what_limits() {
        let fischer = TimeControl { main: 5000, increment: 10, ..TimeControl::default() };
        let byoyomi = TimeControl { byoyomi: 300, ..TimeControl::default() };
        let nodes = TimeControl { nodes: Some(7), depth: Some(3), ..TimeControl::default() };
        let clocks = |a, b| [Clock::new(a), Clock::new(b)];
        let both = clocks(fischer, byoyomi);
        assert_eq!(go_words(&both, Color::Black), " btime 5000 wtime 0 binc 10 winc 0");
        assert_eq!(go_words(&both, Color::White), " btime 5000 wtime 0 binc 10 winc 0 byoyomi 300");
        assert_eq!(go_words(&clocks(nodes, byoyomi), Color::Black), " nodes 7 depth 3");
        assert_eq!(go_words(&clocks(nodes, byoyomi), Color::White), " btime 0 wtime 0 byoyomi 300");
        assert_eq!(Clock::new(nodes).budget(), None);
        let movetime = TimeControl { movetime: Some(50), ..byoyomi };
        assert_eq!(Clock::new(movetime).budget(), Some(ms(50)));
    }
}

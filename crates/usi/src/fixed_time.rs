//! A timer independent of the protocol's clocks.

use search::{Next, Progress, Timer};
use std::time::Duration;

/// A timer that stops after a fixed time, for benchmarks and self-play.
#[derive(Clone, Copy, Debug)]
pub struct FixedTime {
    /// When thinking started.
    pub start: platform::clock::Instant,
    /// The time limit.
    pub time: Duration,
}

impl Timer for FixedTime {
    fn must_stop(&self) -> bool {
        self.start.elapsed() >= self.time
    }

    fn after_iteration(&self, _: &Progress) -> Next {
        if self.must_stop() { Next::Stop } else { Next::Deeper }
    }
}

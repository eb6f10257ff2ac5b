//! The engine's safety margins for network delay: the options `NetworkDelay` and `NetworkDelay2` of `YaneuraOu` and
//! others.

use arena::EngineSpec;
use std::time::Duration;

/// Initial values for a server on this machine and elsewhere.
const LOCAL: [u64; 2] = [20, 120];
const REMOTE: [u64; 2] = [120, 1120];
/// Number of lags that are kept.
const KEPT: usize = 200;
/// Percentage of the lags that are shorter than the margin.
const SLOW: usize = 98;
/// The largest margin in milliseconds.
const MOST: u64 = 5_000;

/// The names of the options.
const OPTIONS: [&str; 2] = ["NetworkDelay", "NetworkDelay2"];

/// Measured lags, and the margins derived from them.
pub(super) struct Margins {
    base: [u64; 2],
    lags: Vec<Duration>,
}

impl Margins {
    pub(super) fn new(host: &str) -> Self {
        let local = host == "localhost" || host.starts_with("127.") || host == "::1";
        Self { base: if local { LOCAL } else { REMOTE }, lags: Vec::new() }
    }

    /// Adds the time between a move and the server's answer.
    pub(super) fn measured(&mut self, lag: Duration) {
        if self.lags.len() == KEPT {
            self.lags.remove(0);
        }
        self.lags.push(lag);
    }

    /// Both margins in milliseconds: at least three times the median lag, and a value that only the slowest few lags
    /// exceed.
    pub(super) fn delays(&self) -> [u64; 2] {
        let mut sorted = self.lags.clone();
        sorted.sort_unstable();
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        let slow = sorted.get(sorted.len().saturating_sub(1) * SLOW / 100).copied().unwrap_or_default();
        let needed = (median * 3).max(slow).as_millis() as u64;
        let more = needed.min(MOST).saturating_sub(self.base[0]);
        self.base.map(|base| base + more)
    }

    /// How long before the end of its time the engine gets `stop`.
    pub(super) fn stop_before(&self, budget: Duration) -> Duration {
        Duration::from_millis(self.delays()[1] / 2).min(budget / 4)
    }

    /// The options to set, except those that the user has set.
    pub(super) fn options(&self, spec: &EngineSpec) -> Vec<(String, String)> {
        let chosen = |name: &str| spec.options.iter().any(|(known, _)| known == name);
        let delays = OPTIONS.into_iter().zip(self.delays());
        delays
            .filter(|(name, _)| !chosen(name))
            .map(|(name, delay)| (name.to_owned(), delay.to_string()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_follow_the_lags() {
        let mut margins = Margins::new("wdoor.c.u-tokyo.ac.jp");
        assert_eq!(margins.delays(), [120, 1120]);
        for lag in [10, 20, 500, 90, 100] {
            margins.measured(Duration::from_millis(lag));
        }
        assert_eq!(margins.delays(), [270, 1270]);
        for _ in 0..20 {
            margins.measured(Duration::from_millis(400));
            margins.measured(Duration::from_millis(5));
        }
        assert_eq!(margins.delays(), [400, 1400], "nearly half take that long");
        for _ in 0..180 {
            margins.measured(Duration::from_millis(10));
        }
        assert_eq!(margins.delays(), [400, 1400], "one in twenty does");
        for _ in 0..20 {
            margins.measured(Duration::from_millis(10));
        }
        assert_eq!(margins.delays(), [120, 1120]);
        for _ in 0..1000 {
            margins.measured(Duration::from_secs(9));
        }
        assert_eq!(margins.delays(), [5000, 6000]);
        let local = Margins::new("127.0.0.1");
        assert_eq!(local.stop_before(Duration::from_secs(1)), Duration::from_millis(60));
        assert_eq!(local.stop_before(Duration::from_millis(100)), Duration::from_millis(25));
        let spec = EngineSpec::from_words(["cmd=a", "option.NetworkDelay=7"]).unwrap();
        assert_eq!(local.options(&spec), [("NetworkDelay2".to_owned(), "120".to_owned())]);
    }
}

//! The values of the common options, as engines need them.

use super::{Options, PlayOptions, SpinId};
use game::Promotions;
use std::time::Duration;

/// The values of the common options. The session reads them once for each `isready` or command and passes them to the
/// engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaySettings {
    /// `Threads`, at least 1.
    pub threads: usize,
    /// `USI_Hash`, in MiB.
    pub hash_megabytes: usize,
    /// `MultiPV`, at least 1.
    pub multi_pv: usize,
    /// `PvInterval`.
    pub pv_interval: Duration,
    /// `GenerateAllLegalMoves`.
    pub promotions: Promotions,
}

impl PlayOptions {
    /// Reads the values.
    #[must_use]
    pub fn settings(&self, options: &Options) -> PlaySettings {
        // The declared ranges guarantee that the numbers fit.
        let number = |id: SpinId| usize::try_from(options.get(id)).unwrap_or_default();
        let all = self.rules.generate_all_legal_moves.is_some_and(|id| options.get(id));
        PlaySettings {
            threads: number(self.search.threads),
            hash_megabytes: number(self.search.hash),
            multi_pv: number(self.search.multi_pv),
            pv_interval: Duration::from_millis(number(self.output.pv_interval) as u64),
            promotions: if all { Promotions::All } else { Promotions::Sensible },
        }
    }
}

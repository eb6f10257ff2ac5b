//! The command line of the crate `arena`.

mod compliance;
mod matches;
mod play_args;
mod result_log;
mod sprt;
mod tune;

pub use compliance::{ComplianceArgs, run_compliance};
pub use matches::{MatchArgs, run_match};
pub use result_log::{AnalyzeLogArgs, run_analyze_log};
pub use sprt::{SprtArgs, run_sprt};
pub use tune::{TuneArgs, run_tune};

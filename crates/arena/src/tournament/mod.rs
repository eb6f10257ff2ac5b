//! Matches and tournaments: who plays whom, by many hands at once, written down so that a kill loses nothing.

mod config;
mod difference;
mod display;
mod folder;
mod pool;
mod record;
mod rules;
mod run;
mod schedule;
mod tally;

pub use config::{Format, MatchConfig, RecordFormat};
pub use display::Display;
pub use folder::{FolderError, GAMES, ITERATIONS, RunFolder};
pub use pool::{Finished, Job, Pool};
pub use record::GameRecord;
pub(crate) use rules::Rules;
pub(crate) use run::try_out;
pub use run::{MatchError, MatchSummary, run_match};
pub use schedule::{Fixture, schedule};
pub use tally::{Pairing, Standing, Tally, Test};

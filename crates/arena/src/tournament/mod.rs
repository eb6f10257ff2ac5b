//! Matches and tournaments: schedule, parallel games, and a journal from which a killed run resumes.

mod config;
mod difference;
mod display;
mod error;
mod folder;
mod pool;
mod record;
mod rules;
mod run;
mod schedule;
mod tally;

pub use crate::record_format::RecordFormat;
pub use config::{Format, MatchConfig};
pub use display::Display;
pub use error::MatchError;
pub use folder::{FolderError, GAMES, ITERATIONS, RunFolder};
pub use pool::{Finished, Job, Pool};
pub use record::GameRecord;
pub(crate) use rules::Rules;
pub(crate) use run::try_out;
pub use run::{MatchSummary, run_match};
pub use schedule::{Fixture, schedule};
pub use tally::{Pairing, Standing, Tally, Test};

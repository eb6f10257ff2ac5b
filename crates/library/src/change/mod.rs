//! Libraries are made and changed: games come, change with their files, and go.

mod add;
mod batch;
mod prepared;
pub(crate) mod sources;
pub(crate) mod tidy;
mod writer;

pub use add::{AddJob, AddSummary, STEP, add};
pub use tidy::reindex;

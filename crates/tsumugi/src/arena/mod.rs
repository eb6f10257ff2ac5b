//! The commands of the arena: how its library is called from the command line.

mod matches;
mod sprt;

pub use matches::{MatchArgs, run_match};
pub use sprt::{SprtArgs, run_sprt};

//! Engines: other programs, started when they are needed, kept while they are, never trusted.

mod analysis;
mod game_analysis;
mod info;
mod pool;
mod starter;
mod thinking;

pub use analysis::Analyses;
pub use info::InfoLine;
pub use pool::{Pool, Seat};
pub use thinking::{Ended, Think};

/// The name under which pages ask for our own engine.
pub const OWN: &str = "tsumugi";

/// An engine that breaks more often than this at one piece of work is given up.
pub const MOST_RESTARTS: u32 = 3;

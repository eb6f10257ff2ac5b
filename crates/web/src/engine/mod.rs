//! Engines: other programs, started when they are needed, kept while they are, never trusted.

mod analysis;
mod game_analysis;
mod info;
mod pool;
mod pooled_engine;
mod starter;
mod thinking;

pub use analysis::Analyses;
pub use info::InfoLine;
pub use pool::{Pool, Seat};
pub use pooled_engine::PooledEngine;
pub use thinking::Think;

/// The name under which pages ask for our own engine.
pub const OWN: &str = "tsumugi";

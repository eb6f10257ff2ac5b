//! The clock, precise waiting, and points where a host without threads takes over.

pub mod clock;
mod pause_point;
mod timers;

pub use pause_point::pause_point;
pub use timers::use_precise_timers;

//! How long to think.
//!
//! | item | what it is |
//! |---|---|
//! | [`Clock`], [`SideClock`] | what the host says is left |
//! | [`TimeOptions`] | what the player set: delays, minimum, pace |
//! | [`Budget`] | what one move may take: a pure function of the two and the ply |
//! | [`need`] | how much of it a search needs, by how it goes |
//! | [`TimeManager`] | the budget on a running clock, through `ponderhit` to the end |
//!
//! The formulae are those that players of `YaneuraOu` are used to, with two changes so that no flag falls: the
//! last of a clock is never overdrawn, however short it is, and a clock that nothing refills is not drained by
//! the minimum thinking time.

mod allot;
mod budget;
mod ceiling;
mod clock;
mod manager;
mod millis;
mod need;
mod options;

pub use allot::random_time;
pub use budget::Budget;
pub use clock::{Clock, SideClock};
pub use manager::TimeManager;
pub use millis::Millis;
pub use need::need;
pub use options::TimeOptions;

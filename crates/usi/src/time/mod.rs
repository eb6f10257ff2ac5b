//! Time management.
//!
//! | item | what it is |
//! |---|---|
//! | [`Clock`], [`SideClock`] | the clocks sent by the host |
//! | [`TimeOptions`] | the options: delays, minimum, pace |
//! | [`Budget`] | the time for one move: a pure function of clocks, options and ply |
//! | [`need`] | how much of it a search needs, judged by its progress |
//! | [`TimeManager`] | the budget on a running clock, including `ponderhit` |
//!
//! The formulas are those of `YaneuraOu`, with two changes so that no flag falls: the end of a clock is never
//! overdrawn, however short it is, and a clock without increment is not drained by the minimum thinking time.

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

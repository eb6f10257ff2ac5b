//! Questions to a library.

mod dups;
mod explore;
mod filter;
mod list;
mod pattern;
mod stats;

pub use dups::{Copies, DuplicateGroup};
pub use explore::{Counts, Explored, Hit, Played, TreeMove};
pub use filter::GameFilter;
pub use pattern::{HandWish, Pattern, PatternError, SquareWish};
pub use stats::{Count, Stats};

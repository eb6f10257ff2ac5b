//! The mate engine.
//!
//! | to | see |
//! |---|---|
//! | solve a mate | [`Solver`], [`Goal`], [`Limits`] |
//! | read the answer | [`Verdict`], [`Mate`], [`MateLength`] |
//! | write a proof that the crate `proof` checks | [`Solver::certificate`] |
//! | solve a helpmate | [`solve_helpmate`], [`HelpVerdict`] |
//! | solve a mate in another game | [`solve_forced`], [`ForcedMate`] |
//! | read, solve, check and generate a composer's problems | [`problems`] |
//!
//! Bottom up: `length` and `outcome` are what can be known of a position, `dominance` for which hands it holds; `table`
//! stores it, by position and (where a repetition decided) by path; `search` is df-pn with its move ordering and threads;
//! `solve_session` runs searches for one problem and reads lines and proofs off the table. `futile_interposition` defines
//! 無駄合. `certificate`, `helpmate` and `forced` stand alone.

mod certificate;
mod dominance;
mod forced;
mod futile_interposition;
mod helpmate;
mod length;
mod outcome;
pub mod problems;
mod search;
mod solve_session;
mod solver;
mod table;
mod verdict;

pub use certificate::Certificate;
pub use forced::{ForcedLimits, ForcedMate, ForcedProgress, Undecided, solve_forced};
pub use helpmate::{HelpLimits, HelpProgress, HelpVerdict, Helpmate, solve_helpmate};
pub use solver::{NoMemory, Solver};
pub use verdict::{Goal, Interpositions, Limits, Mate, MateLength, Progress, Reason, Reporter, Verdict};

//! Solves forced mates (詰将棋) and helpmates, with proofs.
//!
//! | to | see |
//! |---|---|
//! | solve a mate | [`Solver`], [`Goal`], [`Limits`] |
//! | read the answer | [`Verdict`], [`Mate`], [`MateLength`] |
//! | write a proof that the crate `proof` checks | [`Solver::certificate`] |
//! | solve a helpmate | [`solve_helpmate`], [`HelpVerdict`] |
//! | read, solve, check and generate a composer's problems | [`problems`] |
//!
//! Bottom up: `length` and `outcome` are statements about a position, `dominance` the hands for which they hold;
//! `table` stores them by position and, where repetition decided, by path; `search` is df-pn with its move ordering and
//! threads; `solve_session` runs searches for one problem and reads lines and proofs from the table.
//! `futile_interposition` defines 無駄合. `certificate` and `helpmate` are independent of these.

mod certificate;
pub mod composition;
mod dominance;
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
pub use helpmate::{HelpLimits, HelpProgress, HelpVerdict, Helpmate, solve_helpmate};
pub use solver::{NoMemory, Solver};
pub use verdict::{Goal, Interpositions, Limits, Mate, MateLength, Progress, Reason, Reporter, Verdict};

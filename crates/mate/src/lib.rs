//! The mate engine.
//!
//! | to | see |
//! |---|---|
//! | solve a mate | [`Solver`], [`Goal`], [`Limits`] |
//! | read the answer | [`Verdict`], [`Mate`], [`MateLength`] |
//! | have a proof checked | [`Solver::certificate`], and the crate `proof` |
//! | solve a helpmate | [`solve_helpmate`], [`HelpVerdict`] |
//! | solve a mate in another game | [`solve_forced`], [`ForcedMate`] |
//!
//! How it works, bottom up: `length` and `outcome` say what can be known of a position, `dominance` for which hands it
//! holds; `table` keeps it (`entry` says how), `loops` keeps what holds on one path only; `estimate` and `postpone` order
//! the moves; `expansion` is a position with its moves; `search` walks (`walk`, `path`) through them, with others of its
//! `crew`; `useless` says which interpositions need not be counted; `quest` asks the questions and reads lines and proofs
//! off. `certificate`, `helpmate` and `forced` stand alone.

mod certificate;
mod crew;
mod dominance;
mod entry;
mod estimate;
mod expansion;
mod forced;
mod helpmate;
mod length;
mod loops;
mod outcome;
mod path;
mod postpone;
mod proof;
mod quest;
mod search;
mod solver;
mod table;
mod useless;
mod walk;

pub use certificate::Certificate;
pub use forced::{ForcedLimits, ForcedMate, ForcedProgress, Undecided, solve_forced};
pub use helpmate::{HelpLimits, HelpProgress, HelpVerdict, Helpmate, solve_helpmate};
pub use solver::{
    Goal, Interpositions, Limits, Mate, MateLength, Progress, Reason, Reporter, Solver, Verdict,
};

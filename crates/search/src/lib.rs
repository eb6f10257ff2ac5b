//! Alpha-beta search, written once for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`Searcher`] | searches positions, with a table and any number of threads |
//! | [`Task`], [`Settings`] | what to search, and how |
//! | [`solve_forced`] | solves a mate in any game |
//! | [`MateProbe`] | a mate solver for nodes of the principal variation |
//! | [`Timer`] | decides when to stop; limits of nodes and depth are in the task |
//! | [`Report`], [`Line`] | results after each iteration |
//! | [`Value`] | a score: centipawns in the game's unit, or the distance to mate |

mod best_move;
mod correction_history;
mod deepening;
mod forced;
mod frame;
mod history;
mod key;
mod learning;
mod mate_probe;
mod node;
mod parameters;
mod picker;
mod pruning;
mod quiescence;
mod report;
mod searcher;
mod table;
mod task;
mod upcoming;
mod value;
mod vote;
mod worker;

pub use best_move::BestMove;
pub use forced::{ForcedLimits, ForcedMate, ForcedProgress, Undecided, solve_forced};
pub use mate_probe::{MakeMateProbe, MateProbe};
pub use parameters::{PARAMETERS, Parameter};
pub use report::{Bound, Line, Report};
pub use searcher::Searcher;
pub use table::Table;
pub use task::{Next, Progress, Settings, Task, Timer, Unlimited};
pub use value::{MAX_PLY, Value};

//! Finding good moves: an alpha-beta search written once for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`Searcher`] | thinks about a position, with a table and any number of threads |
//! | [`Task`], [`Settings`] | what to think about, and how |
//! | [`MateProbe`] | a mate solver for nodes of the principal variation |
//! | [`Timer`] | decides when to stop; limits of nodes and depth are in the task |
//! | [`Report`], [`Line`] | what has been found so far |
//! | [`Value`] | a score: centipawns in the game's unit, or the distance to mate |

mod best_move;
mod deepening;
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
pub use mate_probe::{MakeMateProbe, MateProbe};
pub use parameters::{PARAMETERS, Parameter};
pub use report::{Bound, Line, Report};
pub use searcher::Searcher;
pub use table::Table;
pub use task::{Next, Progress, Settings, Task, Timer, Unlimited};
pub use value::{MAX_PLY, Value};

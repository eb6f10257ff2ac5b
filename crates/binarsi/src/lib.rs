//! Binarsi (ビナーシ), the game of logic operations on a board of 7×6 squares: rules, console, solver.
//!
//! | module | content |
//! |---|---|
//! | `way`, `moves`, `targets` | lines of squares, operators and moves, clear targets |
//! | `state` | stones, locks and targets in three machine words; what moves do |
//! | `same`, `symmetry` | moves that leave the same stones; positions that are reflections of each other |
//! | `board`, `sfen`, `picture` | numbers of moves and clears; text; drawings |
//! | `estimate`, `solver` | estimates and proofs of who wins |
//! | `certificate` | proofs that can be checked without the solver |
//! | `edit`, `console`, `greedy` | the original program: its board editor, console and player |
//! | `position` | [`Position`] and [`Binarsi`]: the game for the common tools |

mod board;
mod certificate;
mod console;
mod edit;
mod estimate;
mod greedy;
mod moves;
mod picture;
mod position;
mod same;
mod sfen;
mod solver;
mod state;
mod symmetry;
mod targets;
mod way;

pub use board::{Board, Clears};
pub use certificate::{Certificate, CertificateError, Verified};
pub use console::{Console, Player, Thought};
pub use edit::{Code, CodeError, EditError, EditOperator, Refusal};
pub use estimate::Estimate;
pub use greedy::Greedy;
pub use moves::{Gate, Move, Operator};
pub use position::{Binarsi, MAX_PLIES, Position};
pub use same::Listed;
pub use sfen::SfenError;
pub use solver::{CheckpointError, Progress, SolveError, SolveSettings, Solver, Standing, Unsolved, solve};
pub use state::{Ending, MAX_MOVES, Moves, State};
pub use symmetry::Mirror;
pub use targets::{Target, TargetSet};
pub use way::{Way, Ways};

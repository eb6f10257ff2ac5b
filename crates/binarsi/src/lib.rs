//! Binarsi, the game of logic operations on a board of 7×6 squares.
//!
//! | module | what is there |
//! |---|---|
//! | `way`, `moves`, `targets` | the words of the game: lines of squares, operators and moves, clear targets |
//! | `state` | stones, locks and targets in three machine words; what moves do |
//! | `same`, `symmetry` | which moves leave the same stones; which positions are reflections of each other |
//! | `board`, `sfen`, `picture` | numbers of moves and clears; text; drawings |
//! | `estimate`, `solver` | who seems to win; who wins, proven |
//! | `certificate` | proofs that can be checked without the solver |
//! | `edit`, `console`, `greedy` | the program of the original: its board editor, its console, its player |
//! | `position` | [`Position`] and [`Binarsi`]: the game as every tool of this project sees it |

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
pub use console::{Console, Language, Player, Thought};
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

//! Min-max over a whole book (`peta_shock`): what every move is worth when both sides play the best that the book
//! knows.
//!
//! The positions become a graph ([`reading`]): a move that leads to a position of the book, listed or not, is an edge,
//! any other listed move a leaf with its value. Positions and their rotations are one. What hangs together without
//! cycles is settled from the leaves up; repetitions and perpetual checks are settled by repeated sweeps
//! ([`solve`]), in the order in which the reference program makes them, so that its values come out.

mod graph;
mod next;
mod output;
mod reading;
mod solve;
mod worth;

pub(crate) use next::either_key;
pub use next::{Leaf, Noise, SolvedBook};
pub use output::{MinMaxOptions, MinMaxSummary, minmax};
pub use worth::Worth;

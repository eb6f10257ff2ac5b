//! Min-max over a whole book (`peta_shock`): the value of every move if both sides play the best moves of the book.
//!
//! The positions become a graph ([`reading`]): a move to a position of the book, listed or not, is an edge; any other
//! listed move is a leaf with its value. Positions and their rotations are merged. Parts without cycles are settled
//! from the leaves up. Repetitions and perpetual checks are settled by repeated sweeps ([`solve`]), in YaneuraOu's
//! order, which gives the same values.

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

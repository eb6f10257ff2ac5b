//! What a search has found.

use crate::Value;
use std::time::Duration;

/// How a value relates to the truth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Bound {
    /// It is the value.
    Exact = 0,
    /// The value is this or better.
    Lower = 1,
    /// The value is this or worse.
    Upper = 2,
}

impl Bound {
    /// Such a value proves on which side of `beta` the truth lies.
    #[inline]
    pub(crate) fn proves(self, value: Value, beta: Value) -> bool {
        if value >= beta { self != Self::Upper } else { self != Self::Lower }
    }

    /// Such a value says more than an evaluation.
    #[inline]
    pub(crate) fn refines(self, value: Value, evaluation: Value) -> bool {
        if value > evaluation { self != Self::Upper } else { self != Self::Lower }
    }
}

/// One line of play with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// For the side to move at the root.
    pub value: Value,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The moves, never empty.
    pub moves: Vec<M>,
    /// Depth of the deepest line looked at.
    pub selective_depth: usize,
}

/// Where a search stands after an iteration, or when it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// Completed depth.
    pub depth: usize,
    /// The best lines, best first: as many as `MultiPV` says.
    pub lines: Vec<Line<M>>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub table_fullness: u32,
}

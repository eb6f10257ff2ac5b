//! Results of a search.

use crate::Value;
use std::time::Duration;

/// How a value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Equal.
    Exact = 0,
    /// The true value is this or higher.
    Lower = 1,
    /// The true value is this or lower.
    Upper = 2,
}

impl Bound {
    /// Whether such a value proves on which side of `beta` the true value lies.
    #[inline]
    pub(crate) fn proves(self, value: Value, beta: Value) -> bool {
        if value >= beta { self != Self::Upper } else { self != Self::Lower }
    }

    /// Whether such a value is a better estimate than `evaluation`.
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
    /// The largest depth reached in this line, quiescence search included.
    pub selective_depth: usize,
}

/// The state of a search after an iteration, or at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// Completed depth.
    pub depth: usize,
    /// The principal variations, best first: as many as `MultiPV` says.
    pub lines: Vec<Line<M>>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub table_fullness: u32,
}

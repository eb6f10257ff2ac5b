//! The outcome of a search.

use crate::Report;

/// What to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove<M> {
    /// This move, and the reply that is expected.
    Play {
        /// The move.
        best: M,
        /// The expected reply.
        ponder: Option<M>,
        /// The last report, with the line that begins with `best`.
        report: Report<M>,
    },
    /// There is no legal move.
    Resign,
    /// The game can be declared won.
    Declare,
}

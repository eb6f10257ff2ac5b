//! The outcome of a search.

use crate::Report;
use game::{EndReason, Outcome, Position};

/// The move to answer with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove<M> {
    /// A move and the expected reply.
    Play {
        /// The move.
        best: M,
        /// The expected reply.
        ponder: Option<M>,
        /// The last report, with the line that begins with `best`.
        report: Report<M>,
    },
    /// The game is lost, or there is no legal move.
    Resign,
    /// The game is won, or can be declared won.
    Declare,
}

impl<M> BestMove<M> {
    /// The answer in a position that is over by its board alone: a goal, points, or no legal move. Repetitions and the
    /// move limit also end games, but hosts adjudicate those by their own record and may still send `go`.
    #[must_use]
    pub fn at_end<P: Position<Move = M>>(position: &P) -> Option<Self> {
        match position.outcome() {
            Some(Outcome::Win {
                winner,
                reason: EndReason::NoLegalMove | EndReason::Goal | EndReason::Points,
            }) => Some(if winner == position.side() { Self::Declare } else { Self::Resign }),
            _ => position.legal_moves().is_empty().then_some(Self::Resign),
        }
    }
}

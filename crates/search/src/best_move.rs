//! The outcome of a search.

use crate::Report;
use game::{EndReason, Outcome, Position};

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
    /// The game is lost, or there is no legal move.
    Resign,
    /// The game is won, or can be declared won.
    Declare,
}

impl<M> BestMove<M> {
    /// What to answer where the board alone has ended the game: a goal, points, or no legal move. A repetition and the limit
    /// of moves end games too, but hosts adjudicate them by their own record, and may send `go` all the same.
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

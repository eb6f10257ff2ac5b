//! A mate solver that the search can call.

use game::Position;

/// A solver of forced mates with little work per call. Each thread of a search has its own.
///
/// The search calls it at nodes of the principal variation, far enough from the leaves, and trusts the answer.
pub trait MateProbe<P: Position>: Send {
    /// A move by which the side to move wins by force, and after how many plies at most.
    fn forced_win(&mut self, position: &P) -> Option<(P::Move, usize)>;
}

/// Makes a probe for each thread.
pub type MakeMateProbe<P> = Box<dyn Fn() -> Box<dyn MateProbe<P>> + Send>;

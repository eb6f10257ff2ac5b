//! The interface to a mate solver that the search calls.

use game::Position;

/// A fast solver of forced mates. Each thread of a search has its own.
///
/// The search calls it at nodes of the principal variation that are far enough from the leaves, and trusts the result.
pub trait MateProbe<P: Position>: Send {
    /// The first move of a forced win for the side to move, and its length in plies at most.
    fn forced_win(&mut self, position: &P) -> Option<(P::Move, usize)>;
}

/// Makes a probe for each thread.
pub type MakeMateProbe<P> = Box<dyn Fn() -> Box<dyn MateProbe<P>> + Send>;

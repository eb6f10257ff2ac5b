//! Help from outside: forced wins that a search of all moves would see late.

use game::Position;

/// Sees forced wins, with little work for each question. Each thread of a search has its own.
///
/// The search asks at the nodes of its best line, far enough from the leaves. What it is told it believes.
pub trait MateProbe<P: Position>: Send {
    /// A move by which the side to move wins by force, and after how many plies at most.
    fn forced_win(&mut self, position: &P) -> Option<(P::Move, usize)>;
}

/// Makes one for each thread.
pub type MakeMateProbe<P> = Box<dyn Fn() -> Box<dyn MateProbe<P>> + Send>;

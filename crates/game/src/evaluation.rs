use crate::Searchable;

/// A value for a position, kept up to date along a line of play.
///
/// The search calls [`push`](Evaluation::push) with the changes of each move it makes and
/// [`pop`](Evaluation::pop) when it takes one back; an implementation may compute eagerly or only in [`value`](Evaluation::value).
pub trait Evaluation<P: Searchable>: Send {
    /// The evaluation's units in 100 centipawns.
    const HUNDRED_CENTIPAWNS: i32 = 100;

    /// Recomputes everything from `position`.
    fn refresh(&mut self, position: &P);

    /// Records a move that was made, given its changes.
    fn push(&mut self, changes: &[P::Change]);

    /// Takes back the last move.
    fn pop(&mut self);

    /// The value for the side to move, in the search's unit. `position` must be the one that the pushes and pops have
    /// led to.
    fn value(&mut self, position: &P) -> i32;
}

use crate::Searchable;

/// A value for a position, kept up to date along a line of play.
///
/// The search calls [`push`](Evaluation::push) with the changes of each move it makes and
/// [`pop`](Evaluation::pop) when it takes one back; an implementation may compute eagerly or only in [`value`](Evaluation::value).
pub trait Evaluation<P: Searchable>: Send {
    /// What is shown as 100 centipawns.
    const HUNDRED_CENTIPAWNS: i32 = 100;

    /// Starts afresh from `position`.
    fn refresh(&mut self, position: &P);

    /// A move has been made, with these changes.
    fn push(&mut self, changes: &[P::Change]);

    /// The last move has been taken back.
    fn pop(&mut self);

    /// Value in the unit of the search for the side to move in `position`, which is the position that the
    /// pushes and pops have led to.
    fn value(&mut self, position: &P) -> i32;
}

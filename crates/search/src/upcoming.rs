//! Repetitions that the side to move can bring about with its next move.

use crate::Value;
use crate::worker::Worker;
use game::{Evaluation, Repetition, Searchable};

impl<P: Searchable, E: Evaluation<P>> Worker<'_, P, E> {
    /// A lower bound for the side to move if it can return to an earlier position of the search: a draw, or a win if
    /// the opponent gave check all the way. No bound if the side to move gave check all the way, because returning
    /// would lose.
    #[inline(always)]
    pub(crate) fn value_of_return(&self, ply: usize) -> Option<Value> {
        let kind = self.position.upcoming_repetition(ply)?;
        self.value_of_known_return(kind, ply)
    }

    #[cold]
    fn value_of_known_return(&self, kind: Repetition, ply: usize) -> Option<Value> {
        // The excluded move may be the one that returns.
        if self.stack[ply].excluded.is_some() {
            return None;
        }
        match kind {
            Repetition::Draw => Some(self.draw_value()),
            Repetition::Win => Some(Value::mate_in(ply + 1)),
            Repetition::Lose | Repetition::Superior | Repetition::Inferior => None,
        }
    }
}

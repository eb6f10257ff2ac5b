//! Repetitions that the side to move can bring about with its next move.

use crate::Value;
use crate::worker::Worker;
use game::{Evaluation, Repetition, Searchable};

impl<P: Searchable, E: Evaluation<P>> Worker<'_, P, E> {
    /// What the side to move is sure of because it can return to an earlier position of the search. Whoever checks all the
    /// time would lose by that and is sure of nothing; whoever is checked all the time wins.
    #[inline(always)]
    pub(crate) fn value_of_return(&self, ply: usize) -> Option<Value> {
        let kind = self.position.upcoming_repetition(ply)?;
        self.value_of_known_return(kind, ply)
    }

    #[cold]
    fn value_of_known_return(&self, kind: Repetition, ply: usize) -> Option<Value> {
        // The move that returns may just be the one that is left out.
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

//! Both tables of a search.

use super::loops::Loops;
use super::{Question, Table};
use crate::outcome::{NO_LOOP, Outcome};

/// The tables of a search.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    pub(crate) table: &'a Table,
    pub(crate) loops: &'a Loops,
}

impl Memory<'_> {
    pub(crate) fn store(
        &self,
        question: &Question,
        path: u64,
        outcome: &Outcome,
        parent: u32,
        hint: u32,
    ) -> u32 {
        if outcome.is_disproven() && outcome.loop_start != NO_LOOP {
            self.loops.insert(path, outcome.loop_start, outcome.length);
        }
        self.table.store(question, outcome, parent, hint)
    }
}

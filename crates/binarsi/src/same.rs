//! Moves that lead to the same stones.

use crate::moves::Move;
use crate::state::{Moves, State};
use std::collections::HashMap;

/// A legal move, and the earlier move that it equals, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The move.
    pub code: Move,
    /// The move generated earlier that leaves the same stones; locks do not count.
    pub same: Option<Move>,
}

impl State {
    /// The legal moves sorted by code, with duplicates marked as in the original.
    ///
    /// The marks are for people: moves that leave the same stones may lock different ways and differ later.
    #[must_use]
    pub fn listed_moves(&self) -> Vec<Listed> {
        let mut listed = self.generated_moves();
        listed.sort_unstable_by_key(|listed| listed.code.to_string());
        listed
    }

    /// The first move of each group of equal moves, in the order of generation.
    #[must_use]
    pub fn distinct_moves(&self) -> Vec<Move> {
        self.generated_moves().into_iter().filter(|l| l.same.is_none()).map(|l| l.code).collect()
    }

    fn generated_moves(&self) -> Vec<Listed> {
        let mut moves = Moves::new();
        self.moves(&mut moves);
        moves.sort_unstable_by_key(|m| m.generation_rank());
        let mut first = HashMap::new();
        let list = moves.iter().map(|&code| {
            let after = self.after(code);
            let representative = *first.entry((after.black, after.occupied)).or_insert(code);
            Listed { code, same: Some(representative).filter(|m| *m != code) }
        });
        list.collect()
    }
}

//! A list of moves on the stack that grows to the heap when it is full.

use crate::board::moves::Move;
use game::MoveList;
use std::ops::{Deref, DerefMut};

/// More moves than nearly all positions have.
const ROOM: usize = 640;

/// A list of moves on the stack; continues on the heap in positions with too many.
#[derive(Clone, Default)]
pub struct Moves {
    list: MoveList<Move, ROOM>,
    spilled: Vec<Move>,
}

impl Moves {
    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        if self.list.len() < ROOM {
            self.list.push(m);
        } else {
            self.spill(m);
        }
    }

    #[cold]
    fn spill(&mut self, m: Move) {
        if self.spilled.is_empty() {
            self.spilled.extend_from_slice(&self.list);
        }
        self.spilled.push(m);
    }

    /// Keeps the moves for which `keep` returns `true`, in order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        if self.spilled.is_empty() {
            return self.list.retain(keep);
        }
        let kept: Vec<Move> = std::mem::take(&mut self.spilled).into_iter().filter(|m| keep(*m)).collect();
        self.list.clear();
        for m in kept {
            self.push(m);
        }
    }
}

impl Deref for Moves {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        if self.spilled.is_empty() { &self.list } else { &self.spilled }
    }
}

impl DerefMut for Moves {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        if self.spilled.is_empty() { &mut self.list } else { &mut self.spilled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::moves::Turn;
    use crate::board::square::Square;

    #[test]
    fn many_moves() {
        let square = |index: usize| Square::from_index(index % Square::COUNT);
        let mut moves = Moves::default();
        let all: Vec<Move> =
            (0..3000).map(|i| Move::board(square(i / Square::COUNT), square(i), Turn::Stay)).collect();
        for m in &all {
            moves.push(*m);
        }
        assert_eq!(*moves, all[..]);
        moves.retain(|m| m.to().index() == 7);
        assert_eq!(moves.len(), 25);
        moves.push(all[0]);
        assert_eq!(moves.len(), 26);
    }
}

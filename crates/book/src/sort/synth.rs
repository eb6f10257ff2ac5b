//! Books of any size for tests and measurements, the same for the same seed.

use crate::{BookMove, Entry};
use platform::Random;
use shogi::{Move, Position};
use std::collections::{HashSet, VecDeque};

/// What to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SynthOptions {
    /// How many positions.
    pub positions: usize,
    /// The same seed gives the same book.
    pub seed: u64,
    /// How many moves a position has at most.
    pub moves: usize,
}

/// Grows a book from the start position: positions in the order of their discovery, every one with some of its moves,
/// most of which lead on within the book. Values and depths are drawn by lot. A position and its rotation come once.
pub fn synthesize(options: SynthOptions, mut each: impl FnMut(&Entry)) {
    let mut lots = Random::new(options.seed);
    let mut seen: HashSet<u128> = HashSet::with_capacity(options.positions);
    let mut open: VecDeque<Vec<Move>> = VecDeque::from([Vec::new()]);
    let mut found = 1;
    seen.insert(crate::minmax::either_key(&Position::startpos()));
    while let Some(line) = open.pop_front() {
        let mut position = Position::startpos();
        for m in &line {
            position.do_move(*m);
        }
        let mut legal: Vec<Move> = position.legal_moves().iter().copied().collect();
        let count = (1 + lots.below(options.moves.max(1))).min(legal.len());
        let base = lots.below(400) as i32 - 200;
        let depth = 8 + lots.below(24) as i32;
        let mut moves = Vec::new();
        for index in 0..count {
            let pick = index + lots.below(legal.len() - index);
            legal.swap(index, pick);
            let value = base - 7 * index as i32 - lots.below(9) as i32;
            moves.push(BookMove { value, depth, ..BookMove::new(legal[index]) });
            if found < options.positions {
                position.do_move(legal[index]);
                if position.has_legal_move() && seen.insert(crate::minmax::either_key(&position)) {
                    let mut longer = Vec::with_capacity(line.len() + 1);
                    longer.extend_from_slice(&line);
                    longer.push(legal[index]);
                    open.push_back(longer);
                    found += 1;
                }
                position.undo_move();
            }
        }
        if !moves.is_empty() {
            each(&Entry::of(&position, moves));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_book() {
        let book = |seed| {
            let mut entries = Vec::new();
            synthesize(SynthOptions { positions: 500, seed, moves: 4 }, |entry| entries.push(entry.clone()));
            entries
        };
        assert_eq!(book(1).len(), 500);
        assert_eq!(book(1), book(1));
        assert_ne!(book(1), book(2));
        let legal = |entry: &Entry| {
            let position = entry.position().unwrap();
            entry.moves.iter().all(|m| position.is_legal(m.play.unwrap()))
        };
        assert!(book(3).iter().all(legal));
    }
}

//! Generates books of any size for tests and benchmarks, reproducible by seed.

use crate::error::{At, BookError};
use crate::{BookMove, DbWriter, Entry, LineEnd, create_book};
use platform::Random;
use shogi::{Move, Position};
use std::collections::{HashSet, VecDeque};
use std::path::Path;

/// What to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SynthOptions {
    /// How many positions.
    pub positions: usize,
    /// The same seed gives the same book.
    pub seed: u64,
    /// Maximum number of moves of a position.
    pub moves: usize,
}

/// Writes such a book as a `.db` in the order of generation; returns the number of positions.
pub fn write_synth(
    out: &Path,
    options: SynthOptions,
    line_end: LineEnd,
    tell: &mut dyn FnMut(f64),
) -> Result<u64, BookError> {
    let mut writer = DbWriter::new(create_book(out)?, line_end).at(out)?;
    let mut outcome = Ok(());
    synthesize(options, |entry| {
        if outcome.is_ok() {
            outcome = writer.write(entry);
        }
        if writer.written().is_multiple_of(1 << 14) {
            tell(writer.written() as f64 / options.positions as f64);
        }
    });
    outcome.at(out)?;
    let written = writer.written();
    writer.into_inner().commit()?;
    Ok(written)
}

/// Generates a book from the start position: each position has some of its moves, most of which lead to other positions
/// of the book. Values and depths are random. A position and its rotation occur only once.
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

//! Positions after random moves.

use super::unscored;
use crate::corpus;
use crate::{DataError, DataFile, Written};
use platform::Random;
use shogi::{PackedSfenValue, Position};
use std::path::PathBuf;

/// Changes positions by a few random moves.
///
/// ```
/// use train::perturb::Perturb;
/// use shogi::{GameResult, PackedSfen, Position, PackedSfenValue};
/// let position = PackedSfen::try_from(&Position::startpos())?;
/// let record = PackedSfenValue { position, score: 50, move_bits: 0, ply: 1, result: GameResult::Win, padding: 0 };
/// let beside = Perturb::new(1, 7).apply(&record).expect("there are moves");
/// assert_eq!((beside.ply, beside.score, beside.result), (2, 0, GameResult::Draw));
/// assert_ne!(beside.position, record.position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Perturb {
    most_moves: usize,
    random: Random,
}

impl Perturb {
    /// By one to `most_moves` random moves; the same seed gives the same positions.
    #[must_use]
    pub const fn new(most_moves: usize, seed: u64) -> Self {
        Self { most_moves, random: Random::new(seed) }
    }

    /// A position near the record's; `None` if the moves end the game.
    pub fn apply(&mut self, record: &PackedSfenValue) -> Option<PackedSfenValue> {
        let mut position = Position::try_from(record.setup().ok()?).ok()?;
        let moves = 1 + self.random.below(self.most_moves.max(1));
        for _ in 0..moves {
            let legal = position.legal_moves();
            let chosen = *legal.get(self.random.below(legal.len()))?;
            position.do_move(chosen);
        }
        // The ply determines the side to move.
        unscored(&position, record.ply.saturating_add(moves as u16))
    }

    /// Writes a position near each of those in `files`.
    pub fn write(mut self, files: &[PathBuf], out: DataFile<'_>) -> Result<Written, DataError> {
        out.write_records(files.iter().map(|file| {
            let records = corpus::read(file)?.records;
            Ok(records.iter().filter_map(|record| self.apply(record)).collect())
        }))
    }
}

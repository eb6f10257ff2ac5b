//! Correction of scores by the results of games.
//!
//! Results are unbiased, but there is one per game: a network with a hundred thousand weights memorises games before it
//! generalises from their results. A few thousand weights cannot. These are therefore fitted first, to the residuals of
//! the scores, and the network is then trained on the corrected scores, without the noise of results.

use crate::corpus::Corpus;
use crate::fit::optimise::adam::{self, Decay, Step};
use crate::fit::optimise::vector::{LANES, Vector};
use crate::game::points;
use crate::tensors::Filter;
use crate::{TrainingGame, fit_scale};
use eval::BonaPiece;
use platform::Random;
use rayon::prelude::*;
use shogi::{Color, PackedSfenValue, Position};
use std::fmt;

/// Files and ranks of a board.
const SIDE: usize = 9;
/// Kinds of pieces on the board, own and enemy: planes of [`BonaPiece`].
const PLANES: usize = (BonaPiece::KING - BonaPiece::HAND_END) / (SIDE * SIDE);
/// Range of the rank of a piece relative to a king.
const RANK_STEPS: usize = 2 * SIDE - 1;
/// Offsets of the features: a piece relative to the own king, a piece by rank, a piece in hand, the own king.
const RANKS: usize = PLANES * SIDE * RANK_STEPS;
const HANDS: usize = RANKS + PLANES * SIDE;
const KINGS: usize = HANDS + BonaPiece::HAND_END;
/// The side to move.
const TURN: usize = KINGS + SIDE * SIDE;
/// The score.
const SCORE: usize = TURN + 1;
const WEIGHTS: usize = SCORE + 1;

/// Positions per step.
const BATCH: usize = 16_384;
/// Positions whose gradients are summed together, for any number of threads.
const PORTION: usize = 2048;
/// Initial learning rate; it falls to nearly 0.
const RATE: f64 = 3e-3;

/// Corrects scores by the pieces' squares relative to the kings, fitted to results of games.
///
/// ```
/// use shogi::{GameResult, PackedSfen, Position, PackedSfenValue};
/// use train::corpus::Corpus;
/// use train::fit::Correction;
/// // Who has the lance wins, though the search sees nothing in it.
/// let ours = Position::from_sfen("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b L 9")?;
/// let theirs = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN1 b l 9")?;
/// let mut corpus = Corpus::default();
/// for _ in 0..2000 {
///     for (position, result) in [(&ours, GameResult::Win), (&theirs, GameResult::Loss)] {
///         let position = PackedSfen::try_from(position)?;
///         corpus.games.push(corpus.records.len());
///         corpus.records.push(PackedSfenValue { position, score: 10, move_bits: 0, ply: 9, result, padding: 0 });
///     }
/// }
/// let (correction, gain) = Correction::fit(&corpus, 50).expect("there are results");
/// assert!(gain.after < gain.before);
/// assert!(correction.correct(&ours, 10) > correction.correct(&theirs, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Correction {
    weights: Vec<f32>,
    /// The score that means winning chances of 73 % before correction.
    scale: f32,
}

/// The improvement: cross entropy of winning chances in held-out games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// Number of positions learned from.
    pub positions: usize,
    /// With the original scores.
    pub before: f64,
    /// With corrected scores.
    pub after: f64,
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, before, after } = self;
        write!(
            f,
            "fitted to {positions} positions; cross entropy of results {before:.4} before, {after:.4} after"
        )
    }
}

impl Correction {
    /// Larger scores are decided and not corrected.
    pub const SCORE_LIMIT: i16 = 2500;

    /// Fits a correction in one pass, with one of every `held_out` games (0 for none) held out for the [`Gain`]. `None`
    /// if the results say nothing about the scores. The result does not depend on the number of threads.
    #[must_use]
    pub fn fit(corpus: &Corpus, held_out: usize) -> Option<(Self, Gain)> {
        let scale = fit_scale(&corpus.records)? as f32;
        let (training, apart) = corpus.split(held_out);
        let learned = |records: Vec<&PackedSfenValue>| -> Vec<PackedSfenValue> {
            records.into_par_iter().filter(|record| is_lesson(record)).copied().collect()
        };
        let (mut training, apart) = (learned(training), learned(apart));
        Random::new(1).shuffle(&mut training);
        let mut weights = vec![Vector::ZERO; WEIGHTS.div_ceil(LANES)];
        weights[SCORE / LANES].0[SCORE % LANES] = 1.0;
        let before = Self { weights: flat(&weights), scale };
        let mut averages = vec![[Vector::ZERO; 2]; weights.len()];
        let total = training.len().div_ceil(BATCH);
        for (number, batch) in training.chunks(BATCH).enumerate() {
            let now = Self { weights: flat(&weights), scale };
            let portions: Vec<Vec<f32>> = batch.par_chunks(PORTION).map(|part| now.gradient(part)).collect();
            let mut gradient = vec![Vector::ZERO; weights.len()];
            for portion in portions {
                for (index, slope) in portion.into_iter().enumerate() {
                    gradient[index / LANES].0[index % LANES] += slope / batch.len() as f32;
                }
            }
            let rate = RATE * (1.0 - number as f64 / total as f64);
            let step = Step::new(number as u64 + 1, rate, 0.0, f32::MAX);
            for ((weights, averages), gradient) in weights.iter_mut().zip(&mut averages).zip(&gradient) {
                adam::step(weights, averages, gradient, step, Decay::one());
            }
        }
        let fitted = Self { weights: flat(&weights), scale };
        let validated = if apart.is_empty() { &training } else { &apart };
        let gain = Gain {
            positions: training.len(),
            before: before.cross_entropy(validated),
            after: fitted.cross_entropy(validated),
        };
        Some((fitted, gain))
    }

    /// The corrected score, for the side to move.
    #[must_use]
    pub fn correct(&self, position: &Position, score: i16) -> i16 {
        if score.unsigned_abs() > Self::SCORE_LIMIT.unsigned_abs() {
            return score;
        }
        // The score keeps its unit: corrections are divided by the fitted weight of the score.
        let worth = self.weights[SCORE].max(0.1) / self.scale;
        let limit = f32::from(Self::SCORE_LIMIT);
        (f32::from(score) + self.standing(position) / worth).round().clamp(-limit, limit) as i16
    }

    /// Corrects the scores of records, except those without a valid position.
    pub fn correct_records(&self, records: &mut [PackedSfenValue]) {
        records.par_iter_mut().for_each(|record| {
            if let Some(position) = position_of(record) {
                record.score = self.correct(&position, record.score);
            }
        });
    }

    /// Corrects the scores of a game.
    pub fn correct_game(&self, game: &mut TrainingGame) {
        let mut position = game.start.clone();
        for scored in &mut game.moves {
            scored.score = self.correct(&position, scored.score);
            position.do_move(scored.played);
        }
    }

    /// The log odds from everything but the score.
    fn standing(&self, position: &Position) -> f32 {
        let mut sum = self.weights[TURN];
        for (view, sign) in [(position.side(), 1.0), (!position.side(), -1.0)] {
            for_each_feature(position, view, |feature| sum += sign * self.weights[feature]);
        }
        sum
    }

    fn chances(&self, position: &Position, score: i16) -> f32 {
        let odds = self.standing(position) + self.weights[SCORE] * f32::from(score) / self.scale;
        1.0 / (1.0 + (-odds).exp())
    }

    fn gradient(&self, records: &[PackedSfenValue]) -> Vec<f32> {
        let mut gradient = vec![0.0; WEIGHTS];
        for (record, position) in records.iter().filter_map(|record| Some((record, position_of(record)?))) {
            let off = self.chances(&position, record.score) - points(record.result);
            gradient[SCORE] += off * f32::from(record.score) / self.scale;
            gradient[TURN] += off;
            for (view, sign) in [(position.side(), 1.0), (!position.side(), -1.0)] {
                for_each_feature(&position, view, |feature| gradient[feature] += sign * off);
            }
        }
        gradient
    }

    fn cross_entropy(&self, records: &[PackedSfenValue]) -> f64 {
        let losses: Vec<f64> = records
            .par_iter()
            .filter_map(|record| {
                let chances =
                    f64::from(self.chances(&position_of(record)?, record.score)).clamp(1e-9, 1.0 - 1e-9);
                let result = f64::from(points(record.result));
                Some(-(result * chances.ln() + (1.0 - result) * (1.0 - chances).ln()))
            })
            .collect();
        losses.iter().sum::<f64>() / losses.len().max(1) as f64
    }
}

fn flat(weights: &[Vector]) -> Vec<f32> {
    weights.iter().flat_map(|vector| vector.0).take(WEIGHTS).collect()
}

fn position_of(record: &PackedSfenValue) -> Option<Position> {
    Position::with_room(&record.setup().ok()?, 0).ok()
}

/// Whether a record is used: its position must be quiet.
fn is_lesson(record: &PackedSfenValue) -> bool {
    let filter = Filter { score_limit: Correction::SCORE_LIMIT.unsigned_abs(), ..Filter::default() };
    position_of(record).is_some_and(|position| filter.passes(record, &position))
}

/// The features of a player: pieces relative to the own king and by rank, pieces in hand, the own king.
fn for_each_feature(position: &Position, view: Color, mut visit: impl FnMut(usize)) {
    let king = position.king(view).map_or(SIDE * SIDE / 2, |square| match view {
        Color::Black => square.index(),
        Color::White => square.flip().index(),
    });
    let (king_file, king_rank) = (king / SIDE, king % SIDE);
    BonaPiece::for_each(position, view, |piece| match piece.square() {
        None => visit(HANDS + piece.index()),
        Some(square) => {
            let plane = (piece.index() - BonaPiece::HAND_END) / (SIDE * SIDE);
            let (file, rank) = (square / SIDE, square % SIDE);
            let step = rank + SIDE - 1 - king_rank;
            visit((plane * SIDE + file.abs_diff(king_file)) * RANK_STEPS + step);
            visit(RANKS + plane * SIDE + rank);
        }
    });
    visit(KINGS + king_file.min(SIDE - 1 - king_file) * SIDE + king_rank);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::random_positions;

    #[test]
    fn mirrored_positions_have_the_same_features() {
        for position in random_positions(300, 5) {
            let mirrored = position.mirror();
            for view in [Color::Black, Color::White] {
                let features = |position: &Position| {
                    let mut features = Vec::new();
                    for_each_feature(position, view, |feature| features.push(feature));
                    features.sort_unstable();
                    features
                };
                assert_eq!(features(&position), features(&mirrored));
                assert!(features(&position).iter().all(|feature| *feature < TURN));
            }
        }
    }

    #[test]
    fn decided_scores_are_left_alone() {
        let correction = Correction { weights: vec![0.3; WEIGHTS], scale: 600.0 };
        for score in [-32_000, -2501, 2501, 32_000] {
            assert_eq!(correction.correct(&Position::startpos(), score), score);
        }
        let start = correction.correct(&Position::startpos(), 0);
        assert_eq!(start, 600, "a symmetric position is worth having the move");
    }
}

//! The training loop of `learn`: runs until the end of the data, or until the loss stops falling.

use super::tables::{Freeze, LearningTables, Pieces};
use crate::game::points;
use platform::Random;
use rayon::prelude::*;
use shogi::{PackedSfenValue, Position};

/// The settings, with names and defaults of `YaneuraOu`'s `learn`.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnSettings {
    /// Positions per batch (`batchsize`).
    pub batch_size: usize,
    /// Number of passes over the training data (`loop`).
    pub loops: u32,
    /// Weight of the score in the target; the result has the rest (`lambda`).
    pub lambda: f32,
    /// The same for scores of more than `lambda_limit` (`lambda2`).
    pub lambda2: f32,
    /// See `lambda2`.
    pub lambda_limit: i32,
    /// Step sizes of `AdaGrad`: at the beginning, and after two numbers of positions (`eta`, `eta2`, `eta3`, with
    /// `eta1_epoch`, `eta2_epoch`).
    pub eta: [f32; 3],
    /// Millions of positions after which the second and third step size apply; in between it is interpolated.
    pub eta_epochs: [u32; 2],
    /// Larger scores are not used (`eval_limit`).
    pub eval_limit: i32,
    /// Early plies are used less often: ply p with probability p divided by this (`reduction_gameply`).
    pub reduction_game_ply: u16,
    /// Factor of the step size when a save is no better than the best one (`newbob_decay`).
    pub newbob_decay: f32,
    /// Maximum number of such reductions (`newbob_num_trials`).
    pub newbob_trials: u32,
    /// Positions between saves (`eval_save_interval`).
    pub save_interval: u64,
    /// Positions between reports (`loss_output_interval`).
    pub report_interval: u64,
    /// Percentage of positions that are mirrored. Without effect, because mirrored entries share one number.
    pub mirror_percentage: u32,
    /// Whether draws are used (`use_draw_in_training`).
    pub use_draws: bool,
    /// Whether to shuffle the positions (off with `no_shuffle`).
    pub shuffle: bool,
    /// Seed of the order of positions (`seed`).
    pub seed: u64,
    /// The tables that are not trained.
    pub freeze: Freeze,
}

impl Default for LearnSettings {
    fn default() -> Self {
        Self {
            batch_size: 1_000_000,
            loops: 1,
            lambda: 0.33,
            lambda2: 0.33,
            lambda_limit: 32_000,
            eta: [32.0, 32.0, 32.0],
            eta_epochs: [0, 0],
            eval_limit: 32_000,
            reduction_game_ply: 1,
            newbob_decay: 1.0,
            newbob_trials: 2,
            save_interval: 250_000_000,
            report_interval: 10_000_000,
            mirror_percentage: 0,
            use_draws: false,
            shuffle: true,
            seed: 1,
            freeze: Freeze::default(),
        }
    }
}

impl LearnSettings {
    /// The value that means winning chances of 73 %.
    pub const VALUE_SCALE: f32 = 600.0;

    /// Whether a record is used, by `eval_limit` and `use_draw_in_training`.
    #[must_use]
    pub fn takes(&self, record: &PackedSfenValue) -> bool {
        i32::from(record.score).abs() <= self.eval_limit
            && (self.use_draws || record.result != shogi::GameResult::Draw)
    }
}

const MILLION: u64 = 1_000_000;

/// The quality of tables on held-out positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeldOut {
    /// Cross entropy above its minimum.
    pub loss: f64,
    /// The share of decided positions whose winner the sign of the value gives.
    pub accuracy: f64,
}

/// News of a learner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LearnNews {
    /// A batch is complete.
    Batch,
    /// The loss was measured.
    Loss {
        /// Positions so far.
        positions: u64,
        /// Cross entropy above its minimum on the training data since the last report.
        learned: f64,
        /// On held-out positions, if there are any.
        held_out: Option<HeldOut>,
        /// The present step size.
        eta: f32,
    },
    /// The tables may be saved.
    Save {
        /// Positions so far.
        positions: u64,
        /// Number of complete loops, if one has just ended.
        loop_done: Option<u32>,
        /// Whether the loss on held-out positions is the smallest so far; true if there are none.
        better: bool,
    },
    /// The loss no longer falls.
    Converged,
}

/// A position with its labels.
#[derive(Clone, Debug)]
struct Lesson {
    pieces: Pieces,
    /// The target of the winning chances.
    wanted: f32,
    /// 0, ½ or 1.
    result: f32,
}

/// The loss of some positions.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    loss: f64,
    positions: u64,
    right: u64,
    decided: u64,
}

/// Trains tables.
#[derive(Debug)]
pub struct KpptLearner {
    /// The tables.
    pub tables: LearningTables,
    settings: LearnSettings,
    eta_factor: f32,
    best: f64,
    trials: u32,
    positions: u64,
    pool: rayon::ThreadPool,
}

impl KpptLearner {
    /// Starts with tables. The result does not depend on the number of threads.
    pub fn new(
        tables: LearningTables,
        settings: LearnSettings,
        threads: usize,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let trials = settings.newbob_trials;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { tables, settings, eta_factor: 1.0, best: f64::INFINITY, trials, positions: 0, pool })
    }

    /// Positions learned from so far.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Trains on `lessons` and measures the loss on `validation`. `tell` receives the news, may save, and ends the
    /// training by returning `false`.
    pub fn learn(
        &mut self,
        mut lessons: Vec<&PackedSfenValue>,
        validation: &[&PackedSfenValue],
        tell: &mut dyn FnMut(&Self, LearnNews) -> bool,
    ) {
        let mut random = Random::new(self.settings.seed);
        let (mut saved, mut reported, mut cost) = (0, 0, Cost::default());
        for number in 1..=self.settings.loops {
            if self.settings.shuffle {
                random.shuffle(&mut lessons);
            }
            let mut chosen = Vec::with_capacity(self.settings.batch_size);
            for (index, record) in lessons.iter().enumerate() {
                let ply = usize::from(self.settings.reduction_game_ply.max(1));
                if random.below(ply) < usize::from(record.ply.max(1)) {
                    chosen.push(*record);
                }
                let is_last = index + 1 == lessons.len();
                if chosen.len() < self.settings.batch_size.max(1) && !is_last {
                    continue;
                }
                let learned = self.learn_batch(&chosen);
                chosen.clear();
                cost.add(&learned);
                self.positions += learned.positions;
                if !tell(self, LearnNews::Batch) {
                    return;
                }
                if self.positions - reported >= self.settings.report_interval || is_last {
                    reported = self.positions;
                    let news = LearnNews::Loss {
                        positions: self.positions,
                        learned: std::mem::take(&mut cost).mean(),
                        held_out: self.validate(validation),
                        eta: self.eta(),
                    };
                    if !tell(self, news) {
                        return;
                    }
                }
                if self.positions - saved >= self.settings.save_interval || is_last {
                    saved = self.positions;
                    let better =
                        self.validate(validation).is_none_or(|validation| self.newbob(validation.loss));
                    let (positions, loop_done) = (self.positions, is_last.then_some(number));
                    if !tell(self, LearnNews::Save { positions, loop_done, better }) {
                        return;
                    }
                    if self.trials == 0 {
                        tell(self, LearnNews::Converged);
                        return;
                    }
                }
            }
        }
    }

    /// Compares the loss with the best so far, and reduces the step size if it is no better.
    fn newbob(&mut self, loss: f64) -> bool {
        let better = loss < self.best;
        if better {
            self.best = loss;
            self.trials = self.settings.newbob_trials;
        } else if self.settings.newbob_decay < 1.0 {
            self.eta_factor *= self.settings.newbob_decay;
            self.trials = self.trials.saturating_sub(1);
        }
        better
    }

    /// The present step size.
    fn eta(&self) -> f32 {
        let LearnSettings { eta: [first, second, third], eta_epochs: [one, two], .. } = self.settings;
        let way = self.positions as f32 / MILLION as f32;
        let between =
            |from: f32, to: f32, start: f32, end: f32| from + (to - from) * (way - start) / (end - start);
        let (one, two) = (one as f32, two as f32);
        let eta = if way < one {
            between(first, second, 0.0, one)
        } else if way < two {
            between(second, third, one, two)
        } else if two > 0.0 {
            third
        } else if one > 0.0 {
            second
        } else {
            first
        };
        eta * self.eta_factor
    }

    /// The positions to train on.
    fn lessons(&self, records: &[&PackedSfenValue]) -> Vec<Lesson> {
        let lesson = |record: &&PackedSfenValue| {
            if !self.settings.takes(record) {
                return None;
            }
            let score = i32::from(record.score);
            let position = Position::with_room(&record.setup().ok()?, 0).ok()?;
            let lambda = if score.abs() >= self.settings.lambda_limit {
                self.settings.lambda2
            } else {
                self.settings.lambda
            };
            let result = points(record.result);
            let wanted = lambda * chances(score as f32) + (1.0 - lambda) * result;
            Some(Lesson { pieces: Pieces::new(&position)?, wanted, result })
        };
        self.pool.install(|| records.par_iter().filter_map(lesson).collect())
    }

    fn learn_batch(&mut self, records: &[&PackedSfenValue]) -> Cost {
        let lessons = self.lessons(records);
        let values = self.values(&lessons);
        let cost = Cost::of(&lessons, &values);
        // The derivative of the cross entropy by the value, up to a factor that AdaGrad cancels.
        let slopes = lessons.iter().zip(&values);
        let batch: Vec<(&Pieces, f32)> =
            slopes.map(|(lesson, value)| (&lesson.pieces, chances(*value) - lesson.wanted)).collect();
        let eta = self.eta();
        let (tables, freeze) = (&mut self.tables, self.settings.freeze);
        self.pool.install(|| tables.learn(&batch, eta, freeze));
        cost
    }

    fn values(&self, lessons: &[Lesson]) -> Vec<f32> {
        let value = |lesson: &Lesson| self.tables.value_of(&lesson.pieces);
        self.pool.install(|| lessons.par_iter().map(value).collect())
    }

    /// The quality of the tables on some positions; `None` if none of them is used.
    fn validate(&self, records: &[&PackedSfenValue]) -> Option<HeldOut> {
        const MOST: usize = 100_000;
        let lessons = self.lessons(&records[..records.len().min(MOST)]);
        let cost = Cost::of(&lessons, &self.values(&lessons));
        (cost.positions > 0)
            .then(|| HeldOut { loss: cost.mean(), accuracy: cost.right as f64 / cost.decided.max(1) as f64 })
    }
}

/// The winning chances for a value.
fn chances(value: f32) -> f32 {
    1.0 / (1.0 + (-value / LearnSettings::VALUE_SCALE).exp())
}

/// Cross entropy of a prediction, above that of the exact one.
fn cross_entropy(wanted: f32, found: f32) -> f64 {
    let (wanted, found) = (f64::from(wanted), f64::from(found).clamp(1e-9, 1.0 - 1e-9));
    let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
    term(wanted, found) + term(1.0 - wanted, 1.0 - found)
}

impl Cost {
    fn of(lessons: &[Lesson], values: &[f32]) -> Self {
        let mut cost = Self::default();
        for (lesson, value) in lessons.iter().zip(values) {
            let decided = (lesson.result - 0.5).abs() > 0.25;
            cost.add(&Self {
                loss: cross_entropy(lesson.wanted, chances(*value)),
                positions: 1,
                right: u64::from(decided && (*value > 0.0) == (lesson.result > 0.5)),
                decided: u64::from(decided),
            });
        }
        cost
    }

    fn add(&mut self, other: &Self) {
        self.loss += other.loss;
        self.positions += other.positions;
        self.right += other.right;
        self.decided += other.decided;
    }

    fn mean(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the same computation gives the same numbers")]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::fit::random_positions;
    use eval::kppt::{Kppt, KpptFormat};
    use shogi::{Color, GameResult, PackedSfen};

    /// Positions whose scores are the material balance, plus a bonus for a king away from home.
    fn corpus(count: usize) -> Corpus {
        let record = |position: &Position| {
            let home = |color: Color| {
                let king = position.king(color).map_or(0, shogi::Square::index);
                king == if color == Color::Black { 44 } else { 36 }
            };
            let bonus = 800 * (i32::from(home(Color::White)) - i32::from(home(Color::Black)));
            let score = position.material() + bonus;
            let score = if position.side() == Color::Black { score } else { -score };
            PackedSfenValue {
                position: PackedSfen::try_from(position).unwrap(),
                score: score.clamp(-30_000, 30_000) as i16,
                move_bits: 0,
                ply: position.ply() as u16,
                result: if score > 0 { GameResult::Win } else { GameResult::Loss },
                padding: 0,
            }
        };
        let records: Vec<_> = random_positions(count, 5).iter().map(record).collect();
        Corpus { games: (0..count).step_by(30).collect(), records }
    }

    fn learn(format: KpptFormat, threads: usize) -> (LearningTables, Vec<LearnNews>) {
        let settings = LearnSettings {
            batch_size: 500,
            loops: 6,
            lambda: 1.0,
            eta: [4.0; 3],
            report_interval: 0,
            ..LearnSettings::default()
        };
        let mut learner = KpptLearner::new(LearningTables::zeroed(format), settings, threads).unwrap();
        let corpus = corpus(3000);
        let (lessons, validation) = corpus.split(5);
        let mut news = Vec::new();
        learner.learn(lessons, &validation, &mut |_, each| {
            news.push(each);
            true
        });
        (learner.tables, news)
    }

    #[test]
    fn learns_what_a_king_away_from_home_is_worth() {
        for format in [KpptFormat::Kppt32, KpptFormat::KppKkpt32] {
            let (tables, news) = learn(format, 2);
            let losses: Vec<(f64, f64)> = news
                .iter()
                .filter_map(|news| match news {
                    LearnNews::Loss { held_out: Some(held_out), .. } => {
                        Some((held_out.loss, held_out.accuracy))
                    }
                    _ => None,
                })
                .collect();
            let (first, last) = (losses[0], losses[losses.len() - 1]);
            assert!(last.0 < 0.5 * first.0 && last.1 > first.1, "{format} {first:?} {last:?}");

            // Tables saved and loaded by an engine give the learned values, and mirror images have equal values.
            let positions = random_positions(200, 8);
            let values: Vec<f32> = positions.iter().map(|position| tables.value(position)).collect();
            let evaluation = Kppt::new(tables);
            for (position, value) in positions.iter().zip(values) {
                let whole = evaluation.value_from_scratch(position) as f32;
                assert!((whole - value).abs() < 12.0, "{whole} {value} {}", position.sfen());
                assert_eq!(evaluation.value_from_scratch(&position.mirror()) as f32, whole);
                assert_eq!(evaluation.value_from_scratch(&position.flip()) as f32, whole);
            }
        }
    }

    #[test]
    fn the_same_with_any_number_of_threads() {
        let [(one, news_one), (three, news_three)] = [1, 3].map(|threads| learn(KpptFormat::Kppt32, threads));
        assert_eq!(news_one, news_three);
        for position in random_positions(100, 9) {
            assert_eq!(one.value(&position), three.value(&position));
        }
    }

    #[test]
    fn what_is_no_better_shortens_the_step() {
        let settings = LearnSettings { newbob_decay: 0.5, newbob_trials: 2, ..LearnSettings::default() };
        let mut learner = KpptLearner::new(LearningTables::zeroed(KpptFormat::Kppt32), settings, 1).unwrap();
        assert!(learner.newbob(1.0) && !learner.newbob(1.0));
        assert_eq!((learner.eta(), learner.trials), (16.0, 1));
        assert!(learner.newbob(0.5));
        assert_eq!((learner.eta(), learner.trials), (16.0, 2));
    }

    #[test]
    fn steps_change_along_the_way() {
        let settings =
            LearnSettings { eta: [10.0, 20.0, 5.0], eta_epochs: [2, 4], ..LearnSettings::default() };
        let mut learner = KpptLearner::new(LearningTables::zeroed(KpptFormat::Kppt32), settings, 1).unwrap();
        let mut eta = |positions| {
            learner.positions = positions;
            learner.eta()
        };
        assert_eq!(
            [0, 1, 2, 3, 4, 9].map(|millions| eta(millions * MILLION)),
            [10.0, 15.0, 20.0, 12.5, 5.0, 5.0]
        );
    }
}

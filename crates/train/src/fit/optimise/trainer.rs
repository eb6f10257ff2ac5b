//! The training loop over batches.

use crate::fit::data::batch::{PORTION, Portion};
use crate::fit::net::quantise::{ONE, WEIGHT_LIMIT};
use crate::fit::optimise::adam::{Decay, Image, Step};
use crate::fit::optimise::first_layer::{Activity, BLOCK, Block};
use crate::fit::optimise::pass::take_share;
use crate::fit::optimise::upper::{Lane, Seen, Upper, share};
use crate::fit::{Activations, FloatNet, Samples, Settings, Target};
use eval::nnue::Model;
use platform::Random;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A running training. It is deterministic: the result depends on settings, positions and initial network only, not on
/// the number of threads.
#[derive(Debug)]
pub struct Trainer<'a> {
    settings: Settings,
    samples: &'a Samples,
    /// The architecture, and the parameters that are not trained.
    net: FloatNet,
    blocks: Vec<Block>,
    upper: Upper,
    lanes: Vec<Lane>,
    portions: Vec<Portion>,
    /// The last step in which each row was active.
    last_active: Vec<u64>,
    /// Positions in the order of the present epoch.
    order: Vec<u32>,
    cursor: Cursor,
    activations: Activations,
}

/// The progress of a training.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cursor {
    /// Epochs that are complete.
    pub epoch: u32,
    /// Batches of the current epoch that are done.
    pub batch: u64,
    /// Batches in all.
    pub steps: u64,
    /// Sum of the losses since the last report, and number of positions.
    pub recent: (f64, u64),
}

/// The quality of a network on held-out positions.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Validation {
    /// Mean loss.
    pub loss: f64,
    /// The share of decided games whose winner the sign of the value gives.
    pub accuracy: f64,
    /// Outputs of the first layer that are never above 0.
    pub dead: usize,
    /// Outputs of the first layer that never drop below 1.
    pub saturated: usize,
}

/// Why a training cannot start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrainerError {
    /// A width that does not fill whole vectors.
    #[error("a first layer of {width} cannot be trained here; its width must be a multiple of {multiple}")]
    Width {
        /// The width.
        width: usize,
        /// The required divisor.
        multiple: usize,
    },
    /// There are no positions.
    #[error("no positions to learn from: none passed the filters")]
    NoPositions,
}

/// The state from which a training is resumed.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::fit) struct OptimizerState {
    pub(in crate::fit) net: FloatNet,
    /// Averages of the gradients and of their squares.
    pub(in crate::fit) averages: [FloatNet; 2],
    pub(in crate::fit) last_active: Vec<u64>,
    pub(in crate::fit) cursor: Cursor,
}

impl OptimizerState {
    /// The state before a training.
    pub(in crate::fit) fn of(net: FloatNet) -> Self {
        let mut empty = net.clone();
        empty.numbers_mut().for_each(|numbers| numbers.fill(0.0));
        let last_active = vec![0; net.architecture().features.dimensions()];
        Self { net, averages: [empty.clone(), empty], last_active, cursor: Cursor::default() }
    }
}

impl<'a> Trainer<'a> {
    /// Starts with a network.
    pub fn new(settings: Settings, samples: &'a Samples, net: FloatNet) -> Result<Self, TrainerError> {
        Self::resume(settings, samples, OptimizerState::of(net))
    }

    /// Resumes a training.
    pub(in crate::fit) fn resume(
        settings: Settings,
        samples: &'a Samples,
        state: OptimizerState,
    ) -> Result<Self, TrainerError> {
        let OptimizerState { net, averages, last_active, cursor } = state;
        let width = net.architecture().width;
        let multiple = if net.architecture().model == Model::Classic { BLOCK } else { 2 * BLOCK };
        if !width.is_multiple_of(multiple) {
            return Err(TrainerError::Width { width, multiple });
        }
        if samples.is_empty() {
            return Err(TrainerError::NoPositions);
        }
        let blocks =
            (0..width / BLOCK).into_par_iter().map(|number| Block::new(&net, &averages, number)).collect();
        let upper = Upper::new(&net, &averages);
        let lanes = upper.lanes();
        let mut trainer = Self {
            settings,
            samples,
            net,
            blocks,
            upper,
            lanes,
            portions: Vec::new(),
            last_active,
            order: Vec::new(),
            cursor,
            activations: Activations::Real,
        };
        trainer.shuffle();
        Ok(trainer)
    }

    /// Sorts the positions into the order of the current epoch.
    fn shuffle(&mut self) {
        self.order.clear();
        self.order.extend(0..self.samples.len() as u32);
        // Mixed, because neighbouring seeds start with similar numbers.
        let seed = Random::new(self.settings.seed ^ u64::from(self.cursor.epoch).rotate_left(32)).next();
        Random::new(seed).shuffle(&mut self.order);
    }

    /// Batches of an epoch.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.settings.batches(self.samples.len())
    }

    /// Batches of the whole training.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.batches() * u64::from(self.settings.epochs)
    }

    /// Whether all epochs are complete.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.cursor.steps >= self.total()
    }

    /// The progress.
    #[must_use]
    pub fn cursor(&self) -> &Cursor {
        &self.cursor
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The learning rate of the next batch.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.settings.rate(self.cursor.steps, self.total())
    }

    /// Multiplies the learning rates of all batches to come.
    pub fn scale_rate(&mut self, factor: f64) {
        self.settings.learning_rate *= factor;
        self.settings.final_learning_rate *= factor;
    }

    /// The mean loss since it was last taken.
    #[must_use]
    pub fn recent_loss(&self) -> f64 {
        let (loss, positions) = self.cursor.recent;
        loss / positions.max(1) as f64
    }

    /// Like [`Trainer::recent_loss`], and starts anew.
    pub fn take_recent_loss(&mut self) -> f64 {
        let loss = self.recent_loss();
        self.cursor.recent = (0.0, 0);
        loss
    }

    /// Trains on the next batch; returns its number of positions.
    pub fn learn_batch(&mut self) -> usize {
        let (batch, batches) = (self.cursor.batch as usize, self.batches() as usize);
        let place = |batch: usize| (self.samples.len() as u128 * batch as u128 / batches as u128) as usize;
        let range = place(batch)..place(batch + 1);
        let target = self.settings.target(self.cursor.steps as f64 / self.total() as f64);
        let rate = self.rate();
        self.set_activations(self.settings.activations(self.cursor.steps, self.total()));
        self.cursor.steps += 1;

        self.fill(range.clone());
        let touched = self.touch();
        self.learn(range.len(), &target);
        let steps = [0.0, self.settings.weight_decay]
            .map(|decay| Step::new(self.cursor.steps, rate, decay, WEIGHT_LIMIT));
        self.blocks.par_iter_mut().for_each(|block| block.update(&touched, steps[0]));
        self.upper.update(&mut self.lanes, steps[1]);

        let seen = self.take_seen();
        self.cursor.recent.0 += seen.loss;
        self.cursor.recent.1 += seen.positions;
        self.cursor.batch += 1;
        if self.cursor.batch as usize == batches {
            self.cursor.batch = 0;
            self.cursor.epoch += 1;
            self.shuffle();
        }
        range.len()
    }

    /// Sets whether weights and activations are rounded as in a quantised network.
    pub(in crate::fit) fn set_activations(&mut self, activations: Activations) {
        if activations != self.activations {
            self.activations = activations;
            let image = match activations {
                Activations::Real => Image::Real,
                Activations::Cut => Image::Rounded(ONE),
            };
            self.blocks.par_iter_mut().for_each(|block| block.set_image(image));
            self.upper.set_activations(activations);
        }
    }

    /// Splits positions into portions.
    fn fill(&mut self, range: std::ops::Range<usize>) {
        let indices = &self.order[range];
        self.portions.resize_with(indices.len().div_ceil(PORTION), Portion::default);
        let (rows, samples) = (self.last_active.len(), self.samples);
        self.portions.par_iter_mut().zip(indices.par_chunks(PORTION)).for_each_init(
            || vec![0; rows],
            |scratch, (portion, indices)| {
                portion.fill(samples, indices);
                portion.transpose(scratch);
            },
        );
    }

    /// The rows active in the batch, with the decay of their averages.
    fn touch(&mut self) -> Vec<(u32, Decay)> {
        let now = self.cursor.steps;
        let mut touched = Vec::new();
        for row in self.portions.iter().flat_map(|portion| portion.touched().map(|touched| touched.row)) {
            let last = std::mem::replace(&mut self.last_active[row as usize], now);
            if last != now {
                let decay = if last + 1 == now { Decay::one() } else { Decay::after(now - last) };
                touched.push((row, decay));
            }
        }
        touched.sort_unstable_by_key(|(row, _)| *row);
        touched
    }

    /// Sums the gradients of all portions.
    fn learn(&mut self, positions: usize, target: &Target) {
        let weight = 1.0 / positions as f32;
        let Self { blocks, lanes, upper, portions, .. } = self;
        for portion in &*portions {
            blocks.par_iter_mut().for_each(|block| block.forward(portion));
            let sums = &*blocks;
            lanes.par_iter_mut().enumerate().for_each(|(number, lane)| {
                take_share(upper, number, lane, portion, sums, target, Some(weight));
            });
            let count = portion.labels().len();
            let lanes = &*lanes;
            blocks.par_iter_mut().enumerate().for_each(|(number, block)| {
                let gradients = lanes.iter().enumerate();
                block.backward(
                    portion,
                    gradients.map(|(lane, gradients)| {
                        gradients.gradients_of_sums(number, 2 * share(lane, count).len())
                    }),
                );
            });
        }
    }

    fn take_seen(&mut self) -> Seen {
        let mut seen = Seen::default();
        self.lanes.iter_mut().for_each(|lane| seen.add(&std::mem::take(&mut lane.seen)));
        seen
    }

    /// Validates the network on other positions, at most `most` of them.
    pub fn validate(&mut self, samples: &Samples, most: usize) -> Validation {
        let target = self.settings.target(1.0);
        let mut counts = vec![vec![Activity::default(); BLOCK]; self.blocks.len()];
        let indices: Vec<u32> = (0..samples.len().min(most) as u32).collect();
        let mut portion = Portion::default();
        for indices in indices.chunks(PORTION) {
            portion.fill(samples, indices);
            let Self { blocks, lanes, upper, .. } = self;
            blocks.par_iter_mut().zip(&mut counts).for_each(|(block, counts)| {
                block.forward(&portion);
                block.count_activity(counts);
            });
            let sums = &*blocks;
            lanes.par_iter_mut().enumerate().for_each(|(number, lane)| {
                take_share(upper, number, lane, &portion, sums, &target, None);
            });
        }
        let seen = self.take_seen();
        let count = |test: fn(&Activity) -> bool| counts.iter().flatten().filter(|count| test(count)).count();
        Validation {
            loss: seen.mean_loss(),
            accuracy: seen.accuracy(),
            dead: count(|count| count.positive == 0),
            saturated: count(|count| count.saturated == count.seen && count.seen > 0),
        }
    }

    /// The network as it is now.
    #[must_use]
    pub fn net(&self) -> FloatNet {
        let mut net = self.net.clone();
        self.upper.store(&mut net, None);
        self.blocks.iter().enumerate().for_each(|(number, block)| block.store(number, &mut net, None));
        net
    }

    /// The state for resuming.
    pub(in crate::fit) fn state(&self) -> OptimizerState {
        let mut net = self.net.clone();
        let mut averages = [net.clone(), net.clone()];
        let [first, second] = &mut averages;
        self.upper.store(&mut net, Some([&mut *first, &mut *second]));
        for (number, block) in self.blocks.iter().enumerate() {
            block.store(number, &mut net, Some([&mut *first, &mut *second]));
        }
        OptimizerState { net, averages, last_active: self.last_active.clone(), cursor: self.cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::fit::{Loss, random_positions};
    use crate::tensors::Filter;
    use eval::nnue::{Architecture, Features, KingZones};
    use shogi::{Color, GameResult, PackedSfen, PackedSfenValue, Position};

    /// The material balance for the side to move.
    fn balance(position: &Position) -> i32 {
        if position.side() == Color::Black { position.material() } else { -position.material() }
    }

    /// Positions whose scores are the material balance.
    fn corpus(count: usize) -> (Corpus, Vec<Position>) {
        let positions = random_positions(count, 77);
        let record = |position: &Position| PackedSfenValue {
            position: PackedSfen::try_from(position).unwrap(),
            score: balance(position).clamp(-2000, 2000) as i16,
            move_bits: 0,
            ply: position.ply() as u16,
            result: if balance(position) > 0 { GameResult::Win } else { GameResult::Loss },
            padding: 0,
        };
        let records: Vec<_> = positions.iter().map(record).collect();
        let games = (0..count).step_by(20).collect();
        (Corpus { records, games }, positions)
    }

    const ALL: Filter = Filter { score_limit: u16::MAX, first_ply: 0, skip_checks: false, skip_noisy: false };

    fn shapes() -> [Architecture; 4] {
        [
            Architecture::stacked(Features::MIRRORED, 64, 7, 8),
            Architecture::stacked(Features::HalfKaHm2Zones(KingZones::NINE), 64, 15, 32),
            Architecture::stacked(Features::Ka2, 64, 8, 24),
            Architecture::classic(Features::HalfKp, 32, 8, 8),
        ]
    }

    /// Gradients agree with numerical derivatives of the plain evaluation's loss.
    #[test]
    fn gradients_are_derivatives() {
        let (corpus, positions) = corpus(24);
        for shape in shapes() {
            let (samples, _) = Samples::split(&corpus, &shape, ALL, 0).unwrap();
            let settings = Settings { loss: Loss::Squared, ..Settings::new(&shape, 300.0) };
            let net = FloatNet::random(&shape, 5).unwrap();
            let mut trainer = Trainer::new(settings, &samples, net.clone()).unwrap();
            let target = trainer.settings.target(0.0);
            trainer.fill(0..samples.len());
            trainer.learn(samples.len(), &target);
            let mut gradient = net.clone();
            trainer.upper.gradient(&trainer.lanes, &mut gradient);
            for (place, number) in gradient.transformer.iter_mut().enumerate() {
                let (row, column) = (place / shape.width, place % shape.width);
                *number = trainer.blocks[column / BLOCK].gradient(row, column % BLOCK);
            }
            let loss = |net: &FloatNet| {
                let losses = trainer.order.iter().map(|index| {
                    let value = net.evaluate(&positions[*index as usize], Activations::Real);
                    f64::from(target.judge(value, samples.label(*index as usize)).loss)
                });
                losses.sum::<f64>() / samples.len() as f64
            };
            let (mut right, mut all) = (0, 0);
            for part in 0..gradient.numbers().count() {
                // The bias of the first layer sums the same numbers.
                if part == 1 {
                    continue;
                }
                let slopes = gradient.numbers().nth(part).unwrap().to_vec();
                let mut places: Vec<usize> = (0..slopes.len()).collect();
                places.sort_by(|a, b| slopes[*b].abs().total_cmp(&slopes[*a].abs()));
                for place in places.into_iter().take(6).filter(|place| slopes[*place].abs() > 1e-4) {
                    const STEP: f32 = 2e-3;
                    let moved = |step: f32| {
                        let mut net = net.clone();
                        net.numbers_mut().nth(part).unwrap()[place] += step;
                        loss(&net)
                    };
                    let slope = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
                    let found = f64::from(slopes[place]);
                    all += 1;
                    right += usize::from((slope - found).abs() < 0.03 * found.abs() + 2e-5);
                }
            }
            // Where a step crosses a kink of an activation the two differ.
            assert!(all >= 15 && right * 10 >= all * 9, "{shape}: {right} of {all}");
        }
    }

    #[test]
    fn values_are_those_of_the_plain_evaluation() {
        let (corpus, positions) = corpus(100);
        for shape in shapes() {
            let (samples, _) = Samples::split(&corpus, &shape, ALL, 0).unwrap();
            let net = FloatNet::random(&shape, 6).unwrap();
            let mut trainer = Trainer::new(Settings::new(&shape, 300.0), &samples, net.clone()).unwrap();
            for (activations, net) in [(Activations::Real, net.clone()), (Activations::Cut, net.rounded())] {
                trainer.set_activations(activations);
                let validation = trainer.validate(&samples, usize::MAX);
                let target = trainer.settings.target(1.0);
                let losses = positions.iter().enumerate().map(|(index, position)| {
                    let value = net.evaluate(position, activations);
                    f64::from(target.judge(value, samples.label(index)).loss)
                });
                let loss = losses.sum::<f64>() / positions.len() as f64;
                assert!(
                    (loss - validation.loss).abs() < 1e-5,
                    "{shape} {activations:?} {loss} {}",
                    validation.loss
                );
            }
        }
    }

    fn train(shape: &Architecture, samples: &Samples, threads: usize) -> FloatNet {
        let settings = Settings { epochs: 2, batch: 1500, ..Settings::new(shape, 600.0) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let net = FloatNet::random(shape, 5).unwrap();
            let mut trainer = Trainer::new(settings, samples, net).unwrap();
            while !trainer.is_finished() {
                trainer.learn_batch();
            }
            trainer.net()
        })
    }

    #[test]
    fn the_same_again_with_any_number_of_threads() {
        let (corpus, _) = corpus(4000);
        let shape = Architecture::stacked(Features::HalfKaHm2Zones(KingZones::NINE), 128, 15, 32);
        let (samples, _) = Samples::split(&corpus, &shape, ALL, 0).unwrap();
        let net = train(&shape, &samples, 1);
        assert!(net == train(&shape, &samples, 1));
        assert!(net == train(&shape, &samples, 3));
    }

    #[test]
    fn what_cannot_be_trained_is_said() {
        let (corpus, _) = corpus(20);
        let shape = Architecture::stacked(Features::MIRRORED, 96, 7, 8);
        let (samples, none) = Samples::split(&corpus, &shape, ALL, 0).unwrap();
        let net = FloatNet::random(&shape, 5).unwrap();
        let settings = Settings::new(&shape, 600.0);
        let error = Trainer::new(settings.clone(), &samples, net).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a first layer of 96 cannot be trained here; its width must be a multiple of 64"
        );
        let net = FloatNet::random(&Architecture { width: 64, ..shape }, 5).unwrap();
        assert_eq!(Trainer::new(settings, &none, net).unwrap_err(), TrainerError::NoPositions);
    }
}

//! A whole training, from positions to a network in a folder.

pub(in crate::fit) mod checkpoint;
pub(in crate::fit) mod experiment;
pub(in crate::fit) mod job;
mod report;
pub(in crate::fit) mod settings;

use crate::fit::optimise::trainer::{OptimizerState, Trainer, TrainerError, Validation};
use crate::fit::{
    Activations, CheckpointError, Data, Entry, Experiment, Finish, FloatNet, FloatNetError, RoundingError,
    Samples, Settings, random_positions,
};
use eval::nnue::NetworkError;
use platform::{AtPath, FileError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Why a training ended.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It cannot start.
    #[error(transparent)]
    Trainer(#[from] TrainerError),
    /// Its checkpoint cannot be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A network cannot be written.
    #[error(transparent)]
    Net(#[from] FloatNetError),
    /// The quantised network cannot be written.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folder contains another training.
    #[error("{} holds a training run with other settings: {}; choose another folder, or remove its checkpoint.bin", folder.display(), differences.join(", "))]
    Other {
        /// The folder.
        folder: PathBuf,
        /// The differences.
        differences: Vec<String>,
    },
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

/// A training: its data, network, settings and folder.
#[derive(Debug)]
pub struct Run<'a> {
    /// The folder of `net.float`, `nn.bin`, `report.html`, `experiment.json` and `checkpoint.bin`.
    pub folder: &'a Path,
    /// The settings.
    pub settings: Settings,
    /// The source of the positions.
    pub data: Data,
    /// Positions to train on.
    pub training: &'a Samples,
    /// Positions to validate on.
    pub held_out: &'a Samples,
    /// The initial network.
    pub net: FloatNet,
    /// Its description.
    pub from: String,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Time between checkpoints: the most work that a kill costs.
    pub checkpoint_every: Duration,
}

/// News of a training.
#[derive(Debug)]
pub enum News<'a> {
    /// The training data has been read.
    Loaded {
        /// Games in the files.
        games: usize,
        /// Positions in the files.
        positions: usize,
        /// Positions to learn from.
        training: &'a Samples,
        /// Positions to validate on.
        held_out: &'a Samples,
        /// The score that means winning chances of 73 %.
        scale: f32,
    },
    /// The training is resumed.
    Resumed {
        /// Batches that were done.
        step: u64,
    },
    /// A batch is complete.
    Batch(Pace),
    /// An entry of the history is written.
    Entry {
        /// The entry.
        entry: &'a Entry,
        /// The progress.
        pace: Pace,
        /// The loss on held-out games has risen twice in a row.
        overfitting: bool,
    },
    /// The training is finished.
    Finished(&'a Experiment),
}

/// Speed and progress.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// Batches done and in all.
    pub steps: [u64; 2],
    /// Epochs done.
    pub epoch: f64,
    /// Positions a second, since the start of the program.
    pub rate: f64,
    /// Estimated remaining time.
    pub left: Duration,
    /// Mean loss since the last entry.
    pub loss: f64,
    /// Learning rate.
    pub learning_rate: f64,
}

impl fmt::Display for News<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loaded { games, positions, training, held_out, scale } => write!(
                f,
                "{games} games, {positions} positions; {} to learn from, {} held out, {} MB; scale {scale:.0}",
                training.len(),
                held_out.len(),
                (training.bytes() + held_out.bytes()) >> 20
            ),
            Self::Resumed { step } => write!(f, "going on after batch {step}"),
            Self::Batch(pace) => write!(f, "{pace}  loss {:.6}", pace.loss),
            Self::Entry { entry, pace, .. } => {
                write!(f, "{pace}  loss {:.6}", entry.loss)?;
                let Some(Validation { loss, accuracy, dead, saturated }) = entry.validation else {
                    return Ok(());
                };
                let signs = 100.0 * accuracy;
                write!(f, ", held out {loss:.6}, signs {signs:.2} %, {dead} dead, {saturated} saturated")
            }
            Self::Finished(experiment) => {
                let finish = experiment.finished.unwrap_or_default();
                f.write_str("done: ")?;
                if let Some(Validation { loss, accuracy, .. }) = finish.rounded {
                    write!(f, "held out {loss:.6}, signs {:.2} % as quantised; ", 100.0 * accuracy)?;
                }
                let RoundingError { mean, worst, .. } = finish.cut;
                write!(f, "quantised values differ by {mean:.2} on average, {worst:.1} at worst")
            }
        }
    }
}

/// Epoch, speed and estimated end.
impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [done, total] = self.steps;
        let end = SystemTime::now() + self.left;
        let minutes = end.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 60);
        write!(
            f,
            "epoch {:.2}  {:.0} %  {:.0} k/s  until {:02}:{:02} UTC  lr {:.1e}",
            self.epoch,
            100.0 * done as f64 / total.max(1) as f64,
            self.rate / 1000.0,
            minutes / 60 % 24,
            minutes % 60,
            self.learning_rate
        )
    }
}

/// Maximum number of batches between entries.
const ENTRY_EVERY: u64 = 1000;
/// Limit of held-out positions: more take longer and change the figures little.
const MOST_VALIDATED: usize = 200_000;
/// Number of positions on which quantised values are compared.
const COMPARED: usize = 2000;

impl Run<'_> {
    /// Trains to the end, or resumes an interrupted training. `tell` receives the news.
    pub fn train(self, tell: &mut (dyn FnMut(News<'_>) + Send)) -> Result<Experiment, RunError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| RunError::Threads(error.to_string()))?;
        std::fs::create_dir_all(self.folder).at_path(self.folder)?;
        pool.install(|| self.train_here(tell))
    }

    fn train_here(&self, tell: &mut (dyn FnMut(News<'_>) + Send)) -> Result<Experiment, RunError> {
        let mut experiment = Experiment {
            settings: self.settings.clone(),
            data: self.data.clone(),
            from: self.from.clone(),
            history: Vec::new(),
            finished: None,
        };
        let checkpoint = self.folder.join("checkpoint.bin");
        let mut trainer = match checkpoint::load(&checkpoint)? {
            None => Trainer::new(self.settings.clone(), self.training, self.net.clone())?,
            Some((earlier, state)) => {
                let differences = experiment.differences(&earlier);
                if !differences.is_empty() {
                    return Err(RunError::Other { folder: self.folder.to_owned(), differences });
                }
                experiment.history = earlier.history;
                tell(News::Resumed { step: state.cursor.steps });
                Trainer::resume(self.settings.clone(), self.training, state)?
            }
        };
        let start = Instant::now();
        let (mut saved, mut seen) = (start, 0_u64);
        let first_step = trainer.cursor().steps;
        while !trainer.is_finished() {
            seen += trainer.learn_batch() as u64;
            let pace = pace(&trainer, start, first_step, seen);
            tell(News::Batch(pace));
            if trainer.cursor().batch % ENTRY_EVERY == 0 {
                let entry = self.entry(&mut trainer);
                experiment.history.push(entry);
                self.keep(&experiment, &trainer.net())?;
                let overfitting = experiment.is_overfitting();
                if let Some(entry) = experiment.history.last() {
                    tell(News::Entry { entry, pace, overfitting });
                }
            }
            if saved.elapsed() >= self.checkpoint_every {
                checkpoint::save(&checkpoint, &experiment, &trainer.state())?;
                saved = Instant::now();
            }
        }
        checkpoint::save(&checkpoint, &experiment, &trainer.state())?;
        experiment.finished = Some(self.finish(&trainer.net())?);
        self.keep(&experiment, &trainer.net().rounded())?;
        tell(News::Finished(&experiment));
        Ok(experiment)
    }

    fn validation(&self, trainer: &mut Trainer<'_>) -> Option<Validation> {
        (!self.held_out.is_empty()).then(|| trainer.validate(self.held_out, MOST_VALIDATED))
    }

    fn entry(&self, trainer: &mut Trainer<'_>) -> Entry {
        let steps = trainer.cursor().steps;
        let epoch = steps as f64 / trainer.batches() as f64;
        Entry {
            step: steps,
            epoch,
            positions: (epoch * self.training.len() as f64).round() as u64,
            rate: self.settings.rate(steps - 1, trainer.total()),
            loss: trainer.take_recent_loss(),
            validation: self.validation(trainer),
        }
    }

    /// Writes the files for people.
    fn keep(&self, experiment: &Experiment, net: &FloatNet) -> Result<(), RunError> {
        net.save(&self.folder.join("net.float"))?;
        net.save_quantised(&self.folder.join(eval::nnue::FILE_NAME))?;
        let path = self.folder.join("experiment.json");
        experiment.save(&path)?;
        let path = self.folder.join("report.html");
        Ok(report::write(&path, experiment, net)?)
    }

    /// Measures the rounding error.
    fn finish(&self, net: &FloatNet) -> Result<Finish, RunError> {
        let (rounded, quantised) = (net.rounded(), net.quantise());
        let positions = random_positions(COMPARED, 1);
        let state = OptimizerState::of(rounded.clone());
        let mut trainer = Trainer::resume(self.settings.clone(), self.training, state)?;
        trainer.set_activations(Activations::Cut);
        let error = |net, activations| RoundingError::measure(net, activations, &quantised, &positions);
        Ok(Finish {
            rounded: self.validation(&mut trainer),
            cut: error(&rounded, Activations::Cut),
            real: error(net, Activations::Real),
        })
    }
}

fn pace(trainer: &Trainer<'_>, start: Instant, first_step: u64, seen: u64) -> Pace {
    let (steps, total) = (trainer.cursor().steps, trainer.total());
    let elapsed = start.elapsed().as_secs_f64();
    let per_step = elapsed / (steps - first_step).max(1) as f64;
    Pace {
        steps: [steps, total],
        epoch: steps as f64 / trainer.batches() as f64,
        rate: seen as f64 / elapsed.max(1e-9),
        left: Duration::from_secs_f64(per_step * (total - steps) as f64),
        loss: trainer.recent_loss(),
        learning_rate: trainer.settings().rate(steps.saturating_sub(1), total),
    }
}

//! `learn` with a network.

use super::saves::{Milestone, Saves};
use super::{Command, ConsoleError, HELD_OUT, Learn, Say};
use crate::corpus::Corpus;
use crate::fit::{FloatNet, Samples, Settings, Trainer};
use crate::kppt::LearnSettings;
use crate::tensors::Filter;
use eval::nnue::{Architecture, NnueEvaluation};
use rayon::ThreadPool;
use shogi::PackedSfenValue;
use std::path::{Path, PathBuf};

/// Arguments without effect on networks.
const UNUSED: &[&str] = &[
    "batchsize",
    "bat",
    "lambda2",
    "lambda_limit",
    "eta2",
    "eta3",
    "eta1_epoch",
    "eta2_epoch",
    "reduction_gameply",
    "mirror_percentage",
    "freeze_kk",
    "freeze_kkp",
    "freeze_kpp",
    "no_shuffle",
    "buffer_size",
    "nn_options",
    "discount_rate",
    "use_hash_in_training",
];

/// The learning rate that `eta 1` means.
pub(in crate::console) const RATE_OF_ONE: f64 = 1e-3;
/// Larger values of `eta` are meant for tables.
pub(in crate::console) const MOST_ETA: f32 = 10.0;
/// The `FV_SCALE` of the unit in which networks are trained.
const TRAINED_SCALE: f32 = 16.0;
/// Limit of held-out positions: more take longer and change the figures little.
const MOST_VALIDATED: usize = 200_000;

impl Learn<'_> {
    pub(super) fn learn_network(
        &self,
        evaluation: &NnueEvaluation,
        command: &Command,
        files: &[PathBuf],
        say: Say<'_>,
    ) -> Result<(), ConsoleError> {
        let parameters = evaluation.network().parameters();
        let shape = *parameters.architecture();
        let net =
            FloatNet::from_quantised(parameters).ok_or_else(|| ConsoleError::Untrainable(Box::new(shape)))?;
        let fv_scale = evaluation.fv_scale();
        let settings = settings(command, &shape, fv_scale)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let (training, held_out) = self.samples(command, files, &shape, fv_scale, &pool)?;
        command.check_held_out(held_out.len())?;
        command.name_unused(UNUSED, "networks", say);
        say(&format!(
            "learn: network {shape} from {} positions, {} held out, batches of {}, learning rate {}; to be saved in {}",
            training.len(),
            held_out.len(),
            settings.batch.min(training.len()),
            settings.learning_rate,
            self.folder.display()
        ));
        let mut saves = Saves::new(self, command);
        let write = |net: &FloatNet, folder: &Path| {
            let mut parameters = net.quantise();
            parameters.facts_mut().set("fv_scale", fv_scale);
            Ok(parameters.save(folder)?)
        };
        let mut trainer = pool.install(|| Trainer::new(settings, &training, net))?;
        let mut progress = Progress::new(command);
        while !trainer.is_finished() && !(self.stopped)() {
            progress.positions += pool.install(|| trainer.learn_batch()) as u64;
            let due = progress.due(&mut trainer, &held_out, &pool, say);
            let Some((milestone, go_on)) = due else { continue };
            say(&saves.save(&milestone, |folder| write(&trainer.net(), folder))?);
            if !go_on {
                say("learn: converged");
                break;
            }
        }
        if (self.stopped)() {
            say(&format!("learn: stopped after {} positions", progress.positions));
        }
        say(&saves.finish(|folder| write(&trainer.net(), folder))?);
        if fv_scale != TRAINED_SCALE as i32 {
            say(&format!("learn: it is to be played with FV_SCALE {fv_scale}, as the network it began with"));
        }
        Ok(())
    }

    /// Positions to learn from, and held-out ones.
    fn samples(
        &self,
        command: &Command,
        files: &[PathBuf],
        shape: &Architecture,
        fv_scale: i32,
        pool: &ThreadPool,
    ) -> Result<(Samples, Samples), ConsoleError> {
        let (corpus, validation) = command.load(files, self.threads)?;
        let filter = Filter { score_limit: u16::MAX, ..Filter::default() };
        let prepared = |corpus: &Corpus| prepared(corpus, &command.settings, fv_scale);
        let (training, held_out) = pool.install(|| match &validation {
            None => Samples::split(&prepared(&corpus), shape, filter, HELD_OUT),
            Some(validation) => {
                let (training, _) = Samples::split(&prepared(&corpus), shape, filter, 0)?;
                Ok((training, Samples::split(&prepared(validation), shape, filter, 0)?.0))
            }
        })?;
        if training.is_empty() {
            return Err(ConsoleError::NoneQuiet(corpus.records.len()));
        }
        Ok((training, held_out))
    }
}

/// The trainer's settings.
fn settings(command: &Command, shape: &Architecture, fv_scale: i32) -> Result<Settings, ConsoleError> {
    let words = &command.settings;
    let given = command.words.iter().any(|word| word == "eta" || word == "eta1");
    let eta = if given { words.eta[0] } else { 1.0 };
    if eta > MOST_ETA {
        return Err(ConsoleError::Eta { found: eta });
    }
    let usual = Settings::new(shape, LearnSettings::VALUE_SCALE * fv_scale as f32 / TRAINED_SCALE);
    Ok(Settings {
        epochs: words.loops,
        batch: command.network_batch.unwrap_or(usual.batch),
        seed: words.seed,
        learning_rate: RATE_OF_ONE * f64::from(eta),
        final_learning_rate: 0.03 * RATE_OF_ONE * f64::from(eta),
        // `lambda` of the console is the share of the score, ours that of the result.
        lambda: [1.0 - words.lambda; 2],
        ..usual
    })
}

/// The records to learn from, with scores in the unit of training.
fn prepared(corpus: &Corpus, settings: &LearnSettings, fv_scale: i32) -> Corpus {
    let factor = fv_scale as f32 / TRAINED_SCALE;
    let rescaled = |record: &PackedSfenValue| PackedSfenValue {
        score: (f32::from(record.score) * factor).round() as i16,
        ..*record
    };
    let mut taken = Corpus::default();
    for game in corpus.games() {
        taken.games.push(taken.records.len());
        taken.records.extend(game.iter().filter(|record| settings.takes(record)).map(rescaled));
    }
    taken
}

/// Schedules reports of the loss and saves.
struct Progress<'a> {
    command: &'a Command,
    positions: u64,
    reported: u64,
    saved: u64,
    best: f64,
    trials: u32,
}

impl<'a> Progress<'a> {
    fn new(command: &'a Command) -> Self {
        let trials = command.settings.newbob_trials;
        Self { command, positions: 0, reported: 0, saved: 0, best: f64::INFINITY, trials }
    }

    /// Reports the loss if it is due; returns what to save, and whether to go on.
    fn due(
        &mut self,
        trainer: &mut Trainer<'_>,
        held_out: &Samples,
        pool: &ThreadPool,
        say: Say<'_>,
    ) -> Option<(Milestone, bool)> {
        let settings = &self.command.settings;
        let loop_done = (trainer.cursor().batch == 0).then(|| trainer.cursor().epoch);
        let save = loop_done.is_some() || self.positions - self.saved >= settings.save_interval;
        if !save && self.positions - self.reported < settings.report_interval {
            return None;
        }
        self.reported = self.positions;
        let rate = trainer.rate();
        let validation =
            (!held_out.is_empty()).then(|| pool.install(|| trainer.validate(held_out, MOST_VALIDATED)));
        let held_out = validation.map_or(String::new(), |validation| {
            format!(", held out {:.6}, signs {:.2} %", validation.loss, 100.0 * validation.accuracy)
        });
        let (positions, loss) = (self.positions, trainer.take_recent_loss());
        say(&format!("learn: {positions} positions, loss {loss:.6}{held_out}, learning rate {rate:.1e}"));
        if !save {
            return None;
        }
        self.saved = positions;
        let better = validation.is_none_or(|validation| validation.loss < self.best);
        if better {
            self.best = validation.map_or(self.best, |validation| validation.loss);
            self.trials = settings.newbob_trials;
        } else if self.command.newbob() {
            trainer.scale_rate(settings.newbob_decay.into());
            self.trials -= 1;
        }
        Some((Milestone { positions, loop_done, better }, self.trials > 0))
    }
}

//! `learn` with a network.

use super::saves::{Milestone, Saves};
use super::{HELD_OUT, Lesson, Say, School};
use anyhow::{Context, ensure};
use eval::nnue::{Architecture, NnueEvaluation};
use rayon::ThreadPool;
use shogi::TeacherRecord;
use std::path::{Path, PathBuf};
use train::corpus::Corpus;
use train::fit::{FloatNet, Samples, Settings, Trainer};
use train::kppt::LearnSettings;
use train::tensors::Filter;

/// Words that networks have no use for.
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
const RATE_OF_ONE: f64 = 1e-3;
/// A larger `eta` is one for tables.
const MOST_ETA: f32 = 10.0;
/// The `FV_SCALE` in whose unit networks are trained.
const TRAINED_SCALE: f32 = 16.0;
/// More held-out positions tell nothing new.
const MOST_EXAMINED: usize = 200_000;

impl School<'_> {
    pub(super) fn learn_network(
        &self,
        evaluation: &NnueEvaluation,
        lesson: &Lesson,
        files: &[PathBuf],
        say: Say<'_>,
    ) -> anyhow::Result<()> {
        let parameters = evaluation.network().parameters();
        let shape = *parameters.architecture();
        let net = FloatNet::from_quantised(parameters)
            .with_context(|| format!("networks of this shape are not trained here: {shape}"))?;
        let fv_scale = evaluation.fv_scale();
        let settings = settings(lesson, &shape, fv_scale)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let (training, held_out) = self.samples(lesson, files, &shape, fv_scale, &pool)?;
        lesson.check_held_out(held_out.len())?;
        lesson.name_unused(UNUSED, "networks", say);
        say(&format!(
            "learn: network {shape} from {} positions, {} held out, batches of {}, learning rate {}; to be saved in {}",
            training.len(),
            held_out.len(),
            settings.batch.min(training.len()),
            settings.learning_rate,
            self.folder.display()
        ));
        let mut saves = Saves::new(self, lesson);
        let write = |net: &FloatNet, folder: &Path| {
            let mut parameters = net.quantise();
            parameters.facts_mut().set("fv_scale", fv_scale);
            Ok(parameters.save(folder)?)
        };
        let mut trainer = pool.install(|| Trainer::new(settings, &training, net))?;
        let mut progress = Progress::new(lesson);
        while !trainer.is_finished() && !(self.stopped)() {
            progress.positions += pool.install(|| trainer.learn_batch()) as u64;
            let Some(exam) = progress.due(&mut trainer, &held_out, &pool, say) else { continue };
            let (milestone, go_on) = exam;
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
        lesson: &Lesson,
        files: &[PathBuf],
        shape: &Architecture,
        fv_scale: i32,
        pool: &ThreadPool,
    ) -> anyhow::Result<(Samples, Samples)> {
        let (corpus, validation) = lesson.load(files, self.threads)?;
        let filter = Filter { score_limit: u16::MAX, ..Filter::default() };
        let prepared = |corpus: &Corpus| prepared(corpus, &lesson.settings, fv_scale);
        let (training, held_out) = pool.install(|| match &validation {
            None => Samples::split(&prepared(&corpus), shape, filter, HELD_OUT),
            Some(validation) => {
                let (training, _) = Samples::split(&prepared(&corpus), shape, filter, 0)?;
                Ok((training, Samples::split(&prepared(validation), shape, filter, 0)?.0))
            }
        })?;
        ensure!(
            !training.is_empty(),
            "no positions to learn from: in all of {} a side is in check or the best move captures, promotes or checks",
            corpus.records.len()
        );
        Ok((training, held_out))
    }
}

/// The settings that the words mean.
fn settings(lesson: &Lesson, shape: &Architecture, fv_scale: i32) -> anyhow::Result<Settings> {
    let words = &lesson.settings;
    let given = lesson.words.iter().any(|word| word == "eta" || word == "eta1");
    let eta = if given { words.eta[0] } else { 1.0 };
    ensure!(
        eta <= MOST_ETA,
        "eta: expected at most {MOST_ETA} for a network (1 is a learning rate of {RATE_OF_ONE}), found {eta}"
    );
    let usual = Settings::new(shape, LearnSettings::VALUE_SCALE * fv_scale as f32 / TRAINED_SCALE);
    Ok(Settings {
        epochs: words.loops,
        batch: lesson.network_batch.unwrap_or(usual.batch),
        seed: words.seed,
        learning_rate: RATE_OF_ONE * f64::from(eta),
        final_learning_rate: 0.03 * RATE_OF_ONE * f64::from(eta),
        // Theirs is the share of the score, ours that of the result.
        lambda: [1.0 - words.lambda; 2],
        ..usual
    })
}

/// The records that are learned from, their scores in the unit in which networks are trained.
fn prepared(corpus: &Corpus, settings: &LearnSettings, fv_scale: i32) -> Corpus {
    let factor = fv_scale as f32 / TRAINED_SCALE;
    let rescaled = |record: &TeacherRecord| TeacherRecord {
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

/// When something is to be said and saved.
struct Progress<'a> {
    lesson: &'a Lesson,
    positions: u64,
    reported: u64,
    saved: u64,
    best: f64,
    trials: u32,
}

impl<'a> Progress<'a> {
    fn new(lesson: &'a Lesson) -> Self {
        let trials = lesson.settings.newbob_trials;
        Self { lesson, positions: 0, reported: 0, saved: 0, best: f64::INFINITY, trials }
    }

    /// Says the loss and what is to be saved, if it is time for that, and whether learning goes on after it.
    fn due(
        &mut self,
        trainer: &mut Trainer<'_>,
        held_out: &Samples,
        pool: &ThreadPool,
        say: Say<'_>,
    ) -> Option<(Milestone, bool)> {
        let settings = &self.lesson.settings;
        let loop_done = (trainer.cursor().batch == 0).then(|| trainer.cursor().epoch);
        let save = loop_done.is_some() || self.positions - self.saved >= settings.save_interval;
        if !save && self.positions - self.reported < settings.report_interval {
            return None;
        }
        self.reported = self.positions;
        let rate = trainer.rate();
        let exam = (!held_out.is_empty()).then(|| pool.install(|| trainer.examine(held_out, MOST_EXAMINED)));
        let held_out = exam.map_or(String::new(), |exam| {
            format!(", held out {:.6}, signs {:.2} %", exam.loss, 100.0 * exam.accuracy)
        });
        let (positions, loss) = (self.positions, trainer.take_recent_loss());
        say(&format!("learn: {positions} positions, loss {loss:.6}{held_out}, learning rate {rate:.1e}"));
        if !save {
            return None;
        }
        self.saved = positions;
        let better = exam.is_none_or(|exam| exam.loss < self.best);
        if better {
            self.best = exam.map_or(self.best, |exam| exam.loss);
            self.trials = settings.newbob_trials;
        } else if self.lesson.newbob() {
            trainer.scale_rate(settings.newbob_decay.into());
            self.trials -= 1;
        }
        Some((Milestone { positions, loop_done, better }, self.trials > 0))
    }
}

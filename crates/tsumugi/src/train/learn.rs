//! `learn …` in the console, in the documents' words: tables of the KPPT family learn from teachers, and files of teachers
//! are shuffled and converted.

use super::data;
use anyhow::{Context, anyhow, bail};
use arena::Random;
use eval::Evaluator;
use eval::kppt::{AnyKppt, KpptFormat, save};
use std::path::PathBuf;
use std::str::FromStr;
use train::corpus::{self, TeacherFormat};
use train::kppt::{KpptLearner, LearnNews, LearnSettings, LearningTables};

/// What the console's school works with.
pub struct School<'a> {
    /// What is learned goes on from here, if it is of the KPPT family.
    pub evaluation: &'a Evaluator,
    /// `EvalSaveDir`.
    pub folder: PathBuf,
    /// `Threads`.
    pub threads: usize,
    /// Whether the user wants it to end.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Shows a line.
type Say<'s> = &'s mut dyn FnMut(&str);

/// All words, as a message lists them.
const USAGE: &str = "learn [FILE...] [targetdir DIR] [targetfile FILE] [basedir DIR] [batchsize N] [bat TEN_THOUSANDS] \
    [loop N] [lambda X] [lambda2 X] [lambda_limit N] [eta X] [eta1 X] [eta2 X] [eta3 X] [eta1_epoch N] [eta2_epoch N] \
    [newbob_decay X] [newbob_num_trials N] [eval_limit N] [eval_save_interval N] [loss_output_interval N] \
    [reduction_gameply N] [use_draw_in_training 0|1] [freeze_kk 0|1] [freeze_kkp 0|1] [freeze_kpp 0|1] [no_shuffle] \
    [save_only_once] [seed N] [validation_set_file_name FILE] [format kppt32|kppt16|kpp_kkpt32], or with \
    shuffle|convert_plain|convert_bin [output_file_name FILE]";

/// What is done with the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Work {
    #[default]
    Learn,
    Shuffle,
    Convert(TeacherFormat),
}

/// A `learn` command.
#[derive(Clone, PartialEq, Debug)]
struct Lesson {
    work: Work,
    files: Vec<PathBuf>,
    folder: Option<PathBuf>,
    base: PathBuf,
    output: Option<PathBuf>,
    validation: Option<PathBuf>,
    format: Option<KpptFormat>,
    save_once: bool,
    settings: LearnSettings,
}

impl FromStr for Lesson {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut lesson = Self {
            work: Work::default(),
            files: Vec::new(),
            folder: None,
            base: PathBuf::new(),
            output: None,
            validation: None,
            format: None,
            save_once: false,
            settings: LearnSettings::default(),
        };
        let settings = &mut lesson.settings;
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().with_context(|| format!("{word}: expected a value, found nothing"));
            match word {
                "targetdir" => lesson.folder = Some(value()?.into()),
                "targetfile" => lesson.files.push(value()?.into()),
                "basedir" => lesson.base = value()?.into(),
                "output_file_name" => lesson.output = Some(value()?.into()),
                "validation_set_file_name" => lesson.validation = Some(value()?.into()),
                "format" => lesson.format = Some(value()?.parse()?),
                "batchsize" => settings.batch_size = number(word, value()?)?,
                "bat" => settings.batch_size = 10_000 * number::<u32>(word, value()?)? as usize,
                "loop" => settings.loops = number(word, value()?)?,
                "lambda" => settings.lambda = share(word, value()?)?,
                "lambda2" => settings.lambda2 = share(word, value()?)?,
                "lambda_limit" => settings.lambda_limit = number(word, value()?)?,
                "eta" | "eta1" => settings.eta = [positive(word, value()?)?; 3],
                "eta2" => settings.eta[1] = positive(word, value()?)?,
                "eta3" => settings.eta[2] = positive(word, value()?)?,
                "eta1_epoch" => settings.eta_epochs[0] = number(word, value()?)?,
                "eta2_epoch" => settings.eta_epochs[1] = number(word, value()?)?,
                "newbob_decay" => settings.newbob_decay = share(word, value()?)?,
                "newbob_num_trials" => settings.newbob_trials = number(word, value()?)?,
                "eval_limit" => settings.eval_limit = number(word, value()?)?,
                "eval_save_interval" => settings.save_interval = number(word, value()?)?,
                "loss_output_interval" => settings.report_interval = number(word, value()?)?,
                "reduction_gameply" => settings.reduction_game_ply = number(word, value()?)?,
                "mirror_percentage" => settings.mirror_percentage = number(word, value()?)?,
                "use_draw_in_training" => settings.use_draws = number::<u8>(word, value()?)? != 0,
                "freeze_kk" => settings.freeze.king_king = number::<u8>(word, value()?)? != 0,
                "freeze_kkp" => settings.freeze.king_king_piece = number::<u8>(word, value()?)? != 0,
                "freeze_kpp" => settings.freeze.king_piece_piece = number::<u8>(word, value()?)? != 0,
                "seed" => settings.seed = number(word, value()?)?,
                "no_shuffle" => settings.shuffle = false,
                "save_only_once" => lesson.save_once = true,
                "shuffle" | "shuffleq" | "shufflem" => lesson.work = Work::Shuffle,
                "convert_plain" => lesson.work = Work::Convert(TeacherFormat::Plain),
                "convert_bin" => lesson.work = Work::Convert(TeacherFormat::Psv),
                // Files are too small today for it to matter how much of them is in memory.
                "buffer_size" | "nn_batch_size" | "nn_options" | "discount_rate" | "use_hash_in_training" => {
                    value()?;
                }
                file => lesson.files.push(file.into()),
            }
        }
        if settings.batch_size == 0 {
            bail!("batchsize: expected a number above 0");
        }
        Ok(lesson)
    }
}

pub(super) fn number<N: FromStr>(word: &str, found: &str) -> anyhow::Result<N> {
    found.parse().map_err(|_| anyhow!("{word}: expected a whole number, found `{found}`"))
}

fn positive(word: &str, found: &str) -> anyhow::Result<f32> {
    found
        .parse()
        .ok()
        .filter(|number: &f32| *number > 0.0 && number.is_finite())
        .with_context(|| format!("{word}: expected a number above 0, found `{found}`"))
}

fn share(word: &str, found: &str) -> anyhow::Result<f32> {
    found
        .parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number))
        .with_context(|| format!("{word}: expected a number from 0 to 1, found `{found}`"))
}

impl Lesson {
    /// All files that are named.
    fn teachers(&self) -> anyhow::Result<Vec<PathBuf>> {
        let paths: Vec<PathBuf> =
            self.folder.iter().chain(&self.files).map(|path| self.base.join(path)).collect();
        if paths.is_empty() {
            bail!("no teachers: name files, or targetdir DIR");
        }
        Ok(corpus::files(&paths)?)
    }
}

impl School<'_> {
    /// Does what the words say.
    pub fn obey(&self, words: &str, say: Say<'_>) -> anyhow::Result<()> {
        if words.trim().is_empty() {
            say(USAGE);
            return Ok(());
        }
        let lesson: Lesson = words.parse().with_context(|| "type `learn` alone for the words it knows")?;
        let files = lesson.teachers()?;
        match lesson.work {
            Work::Learn => self.learn(&lesson, &files, say),
            Work::Shuffle => {
                let out = lesson.output.unwrap_or_else(|| "shuffled_sfen.bin".into());
                let mut corpus = corpus::load(&files, self.threads)?;
                Random::new(lesson.settings.seed).shuffle(&mut corpus.records);
                data::write_file(&out, Some(TeacherFormat::Psv), [Ok(corpus)])?;
                say(&format!("learn: shuffled to {}", out.display()));
                Ok(())
            }
            Work::Convert(format) => {
                let name =
                    if format == TeacherFormat::Plain { "converted_plain.txt" } else { "converted_bin.bin" };
                let out = lesson.output.unwrap_or_else(|| name.into());
                let read = files.iter().map(|file| corpus::read(file).map_err(anyhow::Error::from));
                let count = data::write_file(&out, Some(format), read)?;
                say(&format!("learn: {count} positions converted to {}", out.display()));
                Ok(())
            }
        }
    }

    fn learn(&self, lesson: &Lesson, files: &[PathBuf], say: Say<'_>) -> anyhow::Result<()> {
        let format = lesson.format.unwrap_or(match self.evaluation {
            Evaluator::Kppt(tables) => tables.format().unwrap_or(KpptFormat::Kppt32),
            _ => KpptFormat::Kppt32,
        });
        let corpus = corpus::load(files, self.threads)?;
        let validation = lesson.validation.as_deref().map(corpus::read).transpose()?;
        let (lessons, exam) = match &validation {
            // Without a file for it one game in fifty is set apart.
            None => corpus.split(50),
            Some(validation) => (corpus.records.iter().collect(), validation.records.iter().collect()),
        };
        let folder = &self.folder;
        say(&format!("learn: {} positions, {format} tables for {}", lessons.len(), folder.display()));
        let tables = self.tables(format, say);
        let mut learner = KpptLearner::new(tables, lesson.settings.clone(), self.threads)?;
        let mut failed = None;
        learner.learn(lessons, &exam, &mut |learner, news| {
            match news {
                LearnNews::Loss { positions, learned, held_out, accuracy, eta } => say(&format!(
                    "learn: {positions} positions, loss {learned:.6}, held out {held_out:.6}, signs {:.2} %, eta {eta:.3}",
                    100.0 * accuracy
                )),
                // What is no better is not kept where that counts.
                LearnNews::Save { better, positions } if !lesson.save_once => {
                    if better || lesson.settings.newbob_decay >= 1.0 {
                        failed = save(&learner.tables, format, folder, |_| ()).err();
                        say(&format!("learn: saved to {} after {positions} positions", folder.display()));
                    }
                }
                LearnNews::Save { .. } => {}
                LearnNews::Converged => say("learn: converged"),
            }
            failed.is_none() && !(self.stopped)()
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        if lesson.save_once {
            save(&learner.tables, format, folder, |_| ())?;
            say(&format!("learn: saved to {}", folder.display()));
        }
        Ok(())
    }

    /// The tables to begin with.
    fn tables(&self, format: KpptFormat, say: Say<'_>) -> LearningTables {
        let Evaluator::Kppt(tables) = self.evaluation else {
            say("learn: the evaluation is not of the KPPT family; the tables begin with zeros");
            return LearningTables::zeroed(format);
        };
        match &**tables {
            AnyKppt::Kppt32(tables) => LearningTables::from_parameters(format, tables.parameters()),
            AnyKppt::Kppt16(tables) => LearningTables::from_parameters(format, tables.parameters()),
            AnyKppt::KppKkpt32(tables) => LearningTables::from_parameters(format, tables.parameters()),
            AnyKppt::Zero(_) => LearningTables::zeroed(format),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_documents() {
        let lesson: Lesson =
            "targetdir teachers loop 100 batchsize 500000 lambda 0.5 eta 16 newbob_decay 0.5 \
            newbob_num_trials 4 eval_limit 3000 save_only_once no_shuffle freeze_kpp 1 a.bin"
                .parse()
                .unwrap();
        let settings = &lesson.settings;
        assert_eq!((lesson.folder, lesson.files), (Some("teachers".into()), vec!["a.bin".into()]));
        assert_eq!((settings.loops, settings.batch_size, settings.lambda), (100, 500_000, 0.5));
        assert_eq!((settings.eta, settings.newbob_decay, settings.newbob_trials), ([16.0; 3], 0.5, 4));
        assert!(lesson.save_once && !settings.shuffle && settings.freeze.king_piece_piece);
        let lesson: Lesson = "shuffle output_file_name x.bin buffer_size 10000 y.bin".parse().unwrap();
        assert_eq!((lesson.work, lesson.output), (Work::Shuffle, Some("x.bin".into())));
        let message = |words: &str| words.parse::<Lesson>().unwrap_err().to_string();
        assert_eq!(message("lambda 2"), "lambda: expected a number from 0 to 1, found `2`");
        assert_eq!(message("loop"), "loop: expected a value, found nothing");
        assert_eq!(message("batchsize 0"), "batchsize: expected a number above 0");
    }
}

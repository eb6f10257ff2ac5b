//! `learn …` in the console, in the documents' words: a network or tables of the KPPT family learn from training data,
//! and files of training data are shuffled and converted.

mod network;
mod saves;
mod tables;

use super::data;
use super::overwrite::Output;
use anyhow::{Context, anyhow, bail, ensure};
use eval::Evaluator;
use eval::kppt::KpptFormat;
use platform::Random;
use std::path::PathBuf;
use std::str::FromStr;
use train::corpus::{self, Corpus, TeacherFormat};
use train::kppt::LearnSettings;
use usi::WrongUsage;

/// What `learn` works with.
pub struct School<'a> {
    /// The evaluation that is learned on from.
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
    [nn_batch_size N] [loop N] [lambda X] [lambda2 X] [lambda_limit N] [eta X] [eta1 X] [eta2 X] [eta3 X] [eta1_epoch N] \
    [eta2_epoch N] [newbob_decay X] [newbob_num_trials N] [eval_limit N] [eval_save_interval N] [loss_output_interval N] \
    [reduction_gameply N] [use_draw_in_training 0|1] [freeze_kk 0|1] [freeze_kkp 0|1] [freeze_kpp 0|1] [no_shuffle] \
    [save_only_once] [seed N] [validation_set_file_name FILE] [format kppt32|kppt16|kpp_kkpt32], or with \
    shuffle|convert_plain|convert_bin [output_file_name FILE] [force]";

/// Without a file for it, one game of so many is held out.
const HELD_OUT: usize = 50;

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
    /// Replace a file that holds something else.
    force: bool,
    settings: LearnSettings,
    /// `nn_batch_size`.
    network_batch: Option<usize>,
    /// All words, files left out.
    words: Vec<String>,
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
            force: false,
            settings: LearnSettings::default(),
            network_batch: None,
            words: Vec::new(),
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
                "batchsize" => settings.batch_size = above_zero(word, value()?)? as usize,
                "bat" => settings.batch_size = 10_000 * above_zero(word, value()?)? as usize,
                "nn_batch_size" => lesson.network_batch = Some(above_zero(word, value()?)? as usize),
                "loop" => settings.loops = above_zero(word, value()?)?,
                "lambda" => settings.lambda = share(word, value()?)?,
                "lambda2" => settings.lambda2 = share(word, value()?)?,
                "lambda_limit" => settings.lambda_limit = number(word, value()?)?,
                "eta" | "eta1" => settings.eta = [positive(word, value()?)?; 3],
                "eta2" => settings.eta[1] = positive(word, value()?)?,
                "eta3" => settings.eta[2] = positive(word, value()?)?,
                "eta1_epoch" => settings.eta_epochs[0] = number(word, value()?)?,
                "eta2_epoch" => settings.eta_epochs[1] = number(word, value()?)?,
                "newbob_decay" => settings.newbob_decay = share(word, value()?)?,
                "newbob_num_trials" => settings.newbob_trials = above_zero(word, value()?)?,
                "eval_limit" => settings.eval_limit = number(word, value()?)?,
                "eval_save_interval" => settings.save_interval = above_zero(word, value()?)?.into(),
                "loss_output_interval" => settings.report_interval = above_zero(word, value()?)?.into(),
                "reduction_gameply" => settings.reduction_game_ply = number(word, value()?)?,
                "mirror_percentage" => settings.mirror_percentage = number(word, value()?)?,
                "use_draw_in_training" => settings.use_draws = number::<u8>(word, value()?)? != 0,
                "freeze_kk" => settings.freeze.king_king = number::<u8>(word, value()?)? != 0,
                "freeze_kkp" => settings.freeze.king_king_piece = number::<u8>(word, value()?)? != 0,
                "freeze_kpp" => settings.freeze.king_piece_piece = number::<u8>(word, value()?)? != 0,
                "seed" => settings.seed = number(word, value()?)?,
                "no_shuffle" => settings.shuffle = false,
                "save_only_once" => lesson.save_once = true,
                "force" => lesson.force = true,
                "shuffle" | "shuffleq" | "shufflem" => lesson.work = Work::Shuffle,
                "convert_plain" => lesson.work = Work::Convert(TeacherFormat::Plain),
                "convert_bin" => lesson.work = Work::Convert(TeacherFormat::Psv),
                "buffer_size" | "nn_options" | "discount_rate" | "use_hash_in_training" => drop(value()?),
                file => {
                    lesson.files.push(file.into());
                    continue;
                }
            }
            lesson.words.push(word.to_owned());
        }
        Ok(lesson)
    }
}

pub(super) fn number<N: FromStr>(word: &str, found: &str) -> anyhow::Result<N> {
    found.parse().map_err(|_| anyhow!("{word}: expected a whole number, found `{found}`"))
}

fn above_zero(word: &str, found: &str) -> anyhow::Result<u32> {
    found
        .parse()
        .ok()
        .filter(|number| *number > 0)
        .with_context(|| format!("{word}: expected a whole number above 0, found `{found}`"))
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
    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        for file in &self.files {
            // Every training file has an ending or is there.
            if TeacherFormat::of_name(file).is_none() && !self.base.join(file).exists() {
                return Err(wrong(&format!("unknown word `{}`, and no such file", file.display())));
            }
        }
        let paths: Vec<PathBuf> =
            self.folder.iter().chain(&self.files).map(|path| self.base.join(path)).collect();
        if paths.is_empty() {
            return Err(wrong("no training data: expected files or `targetdir DIR`"));
        }
        Ok(corpus::files(&paths)?)
    }

    /// Says which of the words mean nothing for what is learned.
    fn name_unused(&self, unused: &[&str], kind: &str, say: Say<'_>) {
        let unused: Vec<&str> =
            self.words.iter().map(String::as_str).filter(|word| unused.contains(word)).collect();
        if !unused.is_empty() {
            say(&format!("learn: without effect on {kind}: {}", unused.join(", ")));
        }
    }

    /// Whether a save that is no better on held-out positions is passed over.
    fn newbob(&self) -> bool {
        self.settings.newbob_decay < 1.0
    }

    /// The positions to learn from, and those of `validation_set_file_name`.
    fn load(&self, files: &[PathBuf], threads: usize) -> anyhow::Result<(Corpus, Option<Corpus>)> {
        let corpus = load(files, threads)?;
        let taken = corpus.records.iter().filter(|record| self.settings.takes(record)).count();
        ensure!(
            taken > 0,
            "no positions to learn from: each of {} is drawn or beyond eval_limit {} (use_draw_in_training 1 takes draws)",
            corpus.records.len(),
            self.settings.eval_limit
        );
        let validation = self.validation.as_ref().map(|file| load(std::slice::from_ref(file), 1));
        Ok((corpus, validation.transpose()?))
    }

    /// newbob compares losses on held-out positions: it needs some.
    fn check_held_out(&self, held_out: usize) -> anyhow::Result<()> {
        ensure!(
            held_out > 0 || !self.newbob(),
            "newbob_decay: no positions are held out of fewer than {HELD_OUT} games; give validation_set_file_name FILE"
        );
        Ok(())
    }
}

/// Words that make no sense.
fn wrong(message: &str) -> anyhow::Error {
    WrongUsage(format!("{message}; `learn` alone lists the words it knows")).into()
}

/// Reads files, which have at least one position.
fn load(files: &[PathBuf], threads: usize) -> anyhow::Result<Corpus> {
    let corpus = corpus::load(files, threads)?;
    if corpus.records.is_empty() {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        bail!("no positions in {}", names.join(", "));
    }
    Ok(corpus)
}

impl School<'_> {
    /// Does what the words say.
    pub fn obey(&self, words: &str, say: Say<'_>) -> anyhow::Result<()> {
        if words.trim().is_empty() {
            say(USAGE);
            return Ok(());
        }
        let lesson: Lesson = words.parse().map_err(|error| wrong(&format!("{error:#}")))?;
        let files = lesson.files()?;
        match lesson.work {
            Work::Learn => self.learn(&lesson, &files, say),
            Work::Shuffle => {
                let out = lesson.output.unwrap_or_else(|| "shuffled_sfen.bin".into());
                Output::Data(Some(TeacherFormat::Psv)).check(&out, lesson.force)?;
                let mut corpus = load(&files, self.threads)?;
                Random::new(lesson.settings.seed).shuffle(&mut corpus.records);
                let count = data::write_file(&out, Some(TeacherFormat::Psv), [Ok(corpus)])?;
                say(&format!("learn: {count} positions shuffled to {}", out.display()));
                Ok(())
            }
            Work::Convert(format) => {
                let name =
                    if format == TeacherFormat::Plain { "converted_plain.txt" } else { "converted_bin.bin" };
                let out = lesson.output.unwrap_or_else(|| name.into());
                Output::Data(Some(format)).check(&out, lesson.force)?;
                let read = files.iter().map(|file| corpus::read(file).map_err(anyhow::Error::from));
                let count = data::write_file(&out, Some(format), read)?;
                say(&format!("learn: {count} positions converted to {}", out.display()));
                Ok(())
            }
        }
    }

    /// A network learns on unless tables are asked for by `format`.
    fn learn(&self, lesson: &Lesson, files: &[PathBuf], say: Say<'_>) -> anyhow::Result<()> {
        match self.evaluation {
            Evaluator::Nnue(evaluation) if lesson.format.is_none() => {
                self.learn_network(evaluation, lesson, files, say)
            }
            _ => self.learn_tables(lesson, files, say),
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
        assert_eq!(message("batchsize 0"), "batchsize: expected a whole number above 0, found `0`");
        assert_eq!(message("loop 0"), "loop: expected a whole number above 0, found `0`");
    }
}

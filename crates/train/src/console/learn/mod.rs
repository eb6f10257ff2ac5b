//! The console command `learn …`: trains a network or tables of the KPPT family, shuffles and converts training data.

mod network;
mod saves;
mod tables;

pub(super) use network::{MOST_ETA, RATE_OF_ONE};

use super::words::{above_zero, flag, number, positive, share, value};
use super::{ConsoleError, Say};
use crate::corpus::{self, Corpus};
use crate::kppt::LearnSettings;
use crate::{DataFile, DataFormat};
use eval::Evaluator;
use eval::kppt::KpptFormat;
use platform::Random;
use std::path::PathBuf;
use std::str::FromStr;

/// The console command `learn`.
pub struct Learn<'a> {
    /// The evaluation to start from.
    pub evaluation: &'a Evaluator,
    /// `EvalSaveDir`.
    pub folder: PathBuf,
    /// `Threads`.
    pub threads: usize,
    /// Whether `stop` or `quit` was given.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// All arguments, for messages.
const USAGE: &str = "learn [FILE...] [targetdir DIR] [targetfile FILE] [basedir DIR] [batchsize N] [bat TEN_THOUSANDS] \
    [nn_batch_size N] [loop N] [lambda X] [lambda2 X] [lambda_limit N] [eta X] [eta1 X] [eta2 X] [eta3 X] [eta1_epoch N] \
    [eta2_epoch N] [newbob_decay X] [newbob_num_trials N] [eval_limit N] [eval_save_interval N] [loss_output_interval N] \
    [reduction_gameply N] [use_draw_in_training 0|1] [freeze_kk 0|1] [freeze_kkp 0|1] [freeze_kpp 0|1] [no_shuffle] \
    [save_only_once] [seed N] [validation_set_file_name FILE] [format kppt32|kppt16|kpp_kkpt32], or with \
    shuffle|convert_plain|convert_bin [output_file_name FILE] [force]";

/// Without `validation_set_file_name`, one of this many games is held out.
pub(super) const HELD_OUT: usize = 50;

/// The action on the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Work {
    #[default]
    Learn,
    Shuffle,
    Convert(DataFormat),
}

/// A `learn` command.
#[derive(Clone, PartialEq, Debug)]
struct Command {
    work: Work,
    files: Vec<PathBuf>,
    folder: Option<PathBuf>,
    base: PathBuf,
    output: Option<PathBuf>,
    validation: Option<PathBuf>,
    format: Option<KpptFormat>,
    save_once: bool,
    /// Whether to replace a file of another kind.
    force: bool,
    settings: LearnSettings,
    /// `nn_batch_size`.
    network_batch: Option<usize>,
    /// All arguments except file names.
    words: Vec<String>,
}

impl FromStr for Command {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut command = Self {
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
        let settings = &mut command.settings;
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut value = || value(word, &mut words);
            match word {
                "targetdir" => command.folder = Some(value()?.into()),
                "targetfile" => command.files.push(value()?.into()),
                "basedir" => command.base = value()?.into(),
                "output_file_name" => command.output = Some(value()?.into()),
                "validation_set_file_name" => command.validation = Some(value()?.into()),
                "format" => command.format = Some(value()?.parse().map_err(|error| format!("{error}"))?),
                "batchsize" => settings.batch_size = above_zero(word, value()?)? as usize,
                "bat" => settings.batch_size = 10_000 * above_zero(word, value()?)? as usize,
                "nn_batch_size" => command.network_batch = Some(above_zero(word, value()?)? as usize),
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
                "use_draw_in_training" => settings.use_draws = flag(word, value()?)?,
                "freeze_kk" => settings.freeze.king_king = flag(word, value()?)?,
                "freeze_kkp" => settings.freeze.king_king_piece = flag(word, value()?)?,
                "freeze_kpp" => settings.freeze.king_piece_piece = flag(word, value()?)?,
                "seed" => settings.seed = number(word, value()?)?,
                "no_shuffle" => settings.shuffle = false,
                "save_only_once" => command.save_once = true,
                "force" => command.force = true,
                "shuffle" | "shuffleq" | "shufflem" => command.work = Work::Shuffle,
                "convert_plain" => command.work = Work::Convert(DataFormat::Plain),
                "convert_bin" => command.work = Work::Convert(DataFormat::Psv),
                "buffer_size" | "nn_options" | "discount_rate" | "use_hash_in_training" => drop(value()?),
                file => {
                    command.files.push(file.into());
                    continue;
                }
            }
            command.words.push(word.to_owned());
        }
        Ok(command)
    }
}

impl Command {
    /// All named files.
    fn files(&self) -> Result<Vec<PathBuf>, ConsoleError> {
        for file in &self.files {
            // Every training file has a known extension or exists.
            if DataFormat::of_name(file).is_none() && !self.base.join(file).exists() {
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

    /// Lists the arguments without effect on this kind of evaluation.
    fn name_unused(&self, unused: &[&str], kind: &str, say: Say<'_>) {
        let unused: Vec<&str> =
            self.words.iter().map(String::as_str).filter(|word| unused.contains(word)).collect();
        if !unused.is_empty() {
            say(&format!("learn: without effect on {kind}: {}", unused.join(", ")));
        }
    }

    /// Whether a save must improve the loss on held-out positions.
    fn newbob(&self) -> bool {
        self.settings.newbob_decay < 1.0
    }

    /// The positions to learn from, and those of `validation_set_file_name`.
    fn load(&self, files: &[PathBuf], threads: usize) -> Result<(Corpus, Option<Corpus>), ConsoleError> {
        let corpus = load(files, threads)?;
        let taken = corpus.records.iter().filter(|record| self.settings.takes(record)).count();
        if taken == 0 {
            let (count, limit) = (corpus.records.len(), self.settings.eval_limit);
            return Err(ConsoleError::AllExcluded { count, limit });
        }
        let validation = self.validation.as_ref().map(|file| load(std::slice::from_ref(file), 1));
        Ok((corpus, validation.transpose()?))
    }

    /// Checks that there are held-out positions, which newbob needs.
    fn check_held_out(&self, held_out: usize) -> Result<(), ConsoleError> {
        if held_out > 0 || !self.newbob() { Ok(()) } else { Err(ConsoleError::NothingHeldOut) }
    }
}

/// Wrong arguments.
fn wrong(message: &str) -> ConsoleError {
    ConsoleError::Usage(format!("{message}; `learn` alone lists all options"))
}

/// Reads files; fails if they contain no position.
fn load(files: &[PathBuf], threads: usize) -> Result<Corpus, ConsoleError> {
    let corpus = corpus::load(files, threads)?;
    if corpus.records.is_empty() {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        return Err(ConsoleError::NoPositions(names.join(", ")));
    }
    Ok(corpus)
}

impl Learn<'_> {
    /// Runs the command with these arguments.
    pub fn run(&self, words: &str, say: Say<'_>) -> Result<(), ConsoleError> {
        if words.trim().is_empty() {
            say(USAGE);
            return Ok(());
        }
        let command: Command = words.parse().map_err(|error: String| wrong(&error))?;
        let files = command.files()?;
        match command.work {
            Work::Learn => self.learn(&command, &files, say),
            Work::Shuffle => {
                let out = command.output.unwrap_or_else(|| "shuffled_sfen.bin".into());
                let file = DataFile::of_format(&out, DataFormat::Psv, command.force)?;
                let mut corpus = load(&files, self.threads)?;
                Random::new(command.settings.seed).shuffle(&mut corpus.records);
                let written = file.write_records([Ok(corpus.records)])?;
                say(&format!("learn: {written} shuffled to {}", out.display()));
                Ok(())
            }
            Work::Convert(format) => {
                let name =
                    if format == DataFormat::Plain { "converted_plain.txt" } else { "converted_bin.bin" };
                let out = command.output.unwrap_or_else(|| name.into());
                let file = DataFile::of_format(&out, format, command.force)?;
                let written = file.write_records(files.iter().map(|file| Ok(corpus::read(file)?.records)))?;
                say(&format!("learn: {written} converted to {}", out.display()));
                Ok(())
            }
        }
    }

    /// Trains the network, or tables if `format` is given or no network is loaded.
    fn learn(&self, command: &Command, files: &[PathBuf], say: Say<'_>) -> Result<(), ConsoleError> {
        match self.evaluation {
            Evaluator::Nnue(evaluation) if command.format.is_none() => {
                self.learn_network(evaluation, command, files, say)
            }
            _ => self.learn_tables(command, files, say),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_documents() {
        let command: Command = "targetdir data loop 100 batchsize 500000 lambda 0.5 eta 16 newbob_decay 0.5 \
            newbob_num_trials 4 eval_limit 3000 save_only_once no_shuffle freeze_kpp 1 a.bin"
            .parse()
            .unwrap();
        let settings = &command.settings;
        assert_eq!((command.folder, command.files), (Some("data".into()), vec!["a.bin".into()]));
        assert_eq!((settings.loops, settings.batch_size, settings.lambda), (100, 500_000, 0.5));
        assert_eq!((settings.eta, settings.newbob_decay, settings.newbob_trials), ([16.0; 3], 0.5, 4));
        assert!(command.save_once && !settings.shuffle && settings.freeze.king_piece_piece);
        let command: Command = "shuffle output_file_name x.bin buffer_size 10000 y.bin".parse().unwrap();
        assert_eq!((command.work, command.output), (Work::Shuffle, Some("x.bin".into())));
        let message = |words: &str| words.parse::<Command>().unwrap_err();
        assert_eq!(message("lambda 2"), "lambda: expected a number from 0 to 1, found `2`");
        assert_eq!(message("loop"), "loop: expected a value, found nothing");
        assert_eq!(message("batchsize 0"), "batchsize: expected a whole number above 0, found `0`");
        assert_eq!(message("loop 0"), "loop: expected a whole number above 0, found `0`");
    }
}

//! `learn` with tables of the KPPT family.

use super::saves::{FINAL, Milestone, Saves};
use super::{Command, ConsoleError, HELD_OUT, Learn, Say};
use crate::kppt::{KpptLearner, LearnNews, LearningTables};
use eval::Evaluator;
use eval::kppt::{AnyKppt, KpptFormat, save};
use eval::nnue;
use std::path::{Path, PathBuf};

/// Arguments without effect on tables.
const UNUSED: &[&str] = &[
    "nn_batch_size",
    "nn_options",
    "mirror_percentage",
    "buffer_size",
    "discount_rate",
    "use_hash_in_training",
];

/// Fails if tables in this folder would not be loaded, because a network takes precedence.
fn refuse_network(folder: &Path) -> Result<(), ConsoleError> {
    let network = folder.join(nnue::FILE_NAME);
    if network.exists() { Err(ConsoleError::NetworkInFolder(network)) } else { Ok(()) }
}

impl Learn<'_> {
    pub(super) fn learn_tables(
        &self,
        command: &Command,
        files: &[PathBuf],
        say: Say<'_>,
    ) -> Result<(), ConsoleError> {
        let format = command.format.unwrap_or(match self.evaluation {
            Evaluator::Kppt(tables) => tables.format().unwrap_or(KpptFormat::Kppt32),
            _ => KpptFormat::Kppt32,
        });
        let (corpus, validation) = command.load(files, self.threads)?;
        let (training, held_out) = match &validation {
            None => corpus.split(HELD_OUT),
            Some(validation) => (corpus.records.iter().collect(), validation.records.iter().collect()),
        };
        command.check_held_out(held_out.len())?;
        command.name_unused(UNUSED, "tables", say);
        say(&format!(
            "learn: {format} tables from {} positions, {} held out; to be saved in {}",
            training.len(),
            held_out.len(),
            self.folder.display()
        ));
        refuse_network(&self.folder.join(FINAL))?;
        let mut saves = Saves::new(self, command);
        let write = |tables: &LearningTables, folder: &Path| {
            refuse_network(folder)?;
            Ok(save(tables, format, folder, |_| ()).map(drop)?)
        };
        let mut learner = KpptLearner::new(self.tables(format, say), command.settings.clone(), self.threads)?;
        let mut failed = None;
        learner.learn(training, &held_out, &mut |learner, news| {
            match news {
                LearnNews::Batch => {}
                LearnNews::Loss { positions, learned, held_out, eta } => {
                    let held_out = held_out.map_or(String::new(), |held_out| {
                        format!(", held out {:.6}, signs {:.2} %", held_out.loss, 100.0 * held_out.accuracy)
                    });
                    say(&format!("learn: {positions} positions, loss {learned:.6}{held_out}, eta {eta:.3}"));
                }
                LearnNews::Save { positions, loop_done, better } => {
                    let milestone = Milestone { positions, loop_done, better };
                    match saves.save(&milestone, |folder| write(&learner.tables, folder)) {
                        Ok(line) => say(&line),
                        Err(error) => failed = Some(error),
                    }
                }
                LearnNews::Converged => say("learn: converged"),
            }
            failed.is_none() && !(self.stopped)()
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if (self.stopped)() {
            say(&format!("learn: stopped after {} positions", learner.positions()));
        }
        say(&saves.finish(|folder| write(&learner.tables, folder))?);
        Ok(())
    }

    /// The tables to start from.
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

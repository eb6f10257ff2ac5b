//! The diary of a training, `experiment.json`.

use crate::fit::optimise::trainer::Validation;
use crate::fit::{RoundingError, Settings};
use platform::FileError;
use platform::atomic_file::write_with;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;

/// What was trained, on what, and how it went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Experiment {
    /// What it was told.
    pub settings: Settings,
    /// What it learned from.
    pub data: Data,
    /// The network it began with: a file, or `random`.
    pub from: String,
    /// How it went.
    pub history: Vec<Entry>,
    /// What became of it in the end.
    pub finished: Option<Finish>,
}

/// What a training learned from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Data {
    /// Files or folders.
    pub paths: Vec<String>,
    /// Positions to learn from.
    pub positions: usize,
    /// Positions of games that were held out.
    pub held_out: usize,
    /// One game of so many was held out.
    pub one_game_in: usize,
    /// What was left out.
    pub filter: String,
    /// Tells these positions from others.
    pub fingerprint: u64,
}

/// A line of the diary.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Batches so far.
    pub step: u64,
    /// Epochs so far.
    pub epoch: f64,
    /// Positions so far, repetitions counted.
    pub positions: u64,
    /// Learning rate.
    pub rate: f64,
    /// Mean loss on what was learned from, since the last entry.
    pub loss: f64,
    /// On what was held out, where something was.
    #[serde(rename = "exam")]
    pub validation: Option<Validation>,
}

/// The end of a training.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Finish {
    /// On what was held out, with everything rounded as in the quantised network.
    pub rounded: Option<Validation>,
    /// The quantised network beside real numbers that are rounded as it rounds.
    pub cut: RoundingError,
    /// The quantised network beside real numbers.
    pub real: RoundingError,
}

impl Experiment {
    /// Writes it as JSON, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        write_with(path, |writer| {
            serde_json::to_writer_pretty(&mut *writer, self)?;
            writer.write_all(b"\n")
        })
    }

    /// Which settings differ from those of another training, in words; nothing if none do.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |experiment: &Self| {
            let mut fields = Vec::new();
            for part in [serde_json::to_value(&experiment.settings), serde_json::to_value(&experiment.data)] {
                if let Ok(serde_json::Value::Object(part)) = part {
                    fields.extend(part);
                }
            }
            fields.push(("from".to_owned(), experiment.from.clone().into()));
            fields
        };
        fields(self)
            .into_iter()
            .zip(fields(other))
            // The same positions may have moved.
            .filter(|((name, a), (_, b))| a != b && name != "paths")
            .map(|((name, a), (_, b))| format!("{name} was {b}, is {a}"))
            .collect()
    }

    /// Whether the loss on held-out games has risen twice in a row: the network overfits.
    #[must_use]
    pub fn is_overfitting(&self) -> bool {
        let losses: Vec<f64> = self.history.iter().filter_map(|entry| Some(entry.validation?.loss)).collect();
        matches!(losses[..], [.., a, b, c] if a < b && b < c)
    }
}

//! The log of a training run, `experiment.json`.

use crate::fit::optimise::trainer::Validation;
use crate::fit::{RoundingError, Settings};
use platform::FileError;
use platform::atomic_file::write_with;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;

/// A training run: settings, data and history.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Experiment {
    /// The settings.
    pub settings: Settings,
    /// The training data.
    pub data: Data,
    /// The initial network: a file, or `random`.
    pub from: String,
    /// The history.
    pub history: Vec<Entry>,
    /// The final comparison, once it is finished.
    pub finished: Option<Finish>,
}

/// The training data of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Data {
    /// Files or folders.
    pub paths: Vec<String>,
    /// Positions to learn from.
    pub positions: usize,
    /// Positions of games that were held out.
    pub held_out: usize,
    /// One of this many games was held out.
    pub one_game_in: usize,
    /// The filter.
    pub filter: String,
    /// Identifies the positions.
    pub fingerprint: u64,
}

/// An entry of the history.
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
    /// Mean loss on the training data since the last entry.
    pub loss: f64,
    /// On held-out positions, if there are any.
    #[serde(rename = "exam")]
    pub validation: Option<Validation>,
}

/// Figures at the end of a training.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Finish {
    /// On held-out positions, with everything rounded as in the quantised network.
    pub rounded: Option<Validation>,
    /// The quantised network compared with real numbers, truncated likewise.
    pub cut: RoundingError,
    /// The quantised network compared with real numbers.
    pub real: RoundingError,
}

impl Experiment {
    /// Writes it as JSON, atomically.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        write_with(path, |writer| {
            serde_json::to_writer_pretty(&mut *writer, self)?;
            writer.write_all(b"\n")
        })
    }

    /// The settings that differ from those of another training, as text; empty if none do.
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
            // The same positions may have been moved.
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

//! Training: `experiment.json`, which is written anew as a whole.

use super::failed;
use crate::protocol::{Refusal, TrainPoint, TrainState};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Longer files are not read.
const MOST_BYTES: u64 = 64 << 20;

/// A training as far as it has been written.
pub(super) struct Training {
    path: PathBuf,
    experiment: Value,
    read_at: u64,
}

impl Training {
    pub(super) fn open(path: &Path) -> Self {
        Self { path: path.join("experiment.json"), experiment: Value::Null, read_at: 0 }
    }

    pub(super) fn read(&mut self) -> Result<u64, Refusal> {
        let data = std::fs::metadata(&self.path).map_err(|error| failed(&self.path, error))?;
        let changed = data.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let changed = changed.map_or(1, |since| since.as_nanos() as u64);
        if changed != self.read_at {
            if data.len() > MOST_BYTES {
                return Err(failed(&self.path, "too long to be shown"));
            }
            let bytes = std::fs::read(&self.path).map_err(|error| failed(&self.path, error))?;
            self.experiment = serde_json::from_slice(&bytes).map_err(|error| failed(&self.path, error))?;
            self.read_at = changed;
        }
        Ok(self.read_at)
    }

    fn history(&self) -> &[Value] {
        self.experiment["history"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn steps(&self) -> u64 {
        self.history().last().and_then(|entry| entry["step"].as_u64()).unwrap_or(0)
    }

    pub(super) fn facts(&self) -> Vec<[String; 2]> {
        let parts = ["settings", "data"].into_iter().filter_map(|part| self.experiment[part].as_object());
        let mut facts: Vec<[String; 2]> = parts
            .flatten()
            .map(|(name, value)| {
                [name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)]
            })
            .collect();
        facts.push(["finished".to_owned(), (!self.experiment["finished"].is_null()).to_string()]);
        facts
    }

    pub(super) fn state(&self) -> TrainState {
        let names = ["loss", "validation_loss", "accuracy", "rate"].map(str::to_owned).to_vec();
        let point = |entry: &Value| TrainPoint {
            step: entry["step"].as_u64().unwrap_or(0),
            values: vec![
                entry["loss"].as_f64(),
                entry["exam"]["loss"].as_f64(),
                entry["exam"]["accuracy"].as_f64(),
                entry["rate"].as_f64(),
            ],
        };
        TrainState { names, curve: self.history().iter().map(point).collect() }
    }
}

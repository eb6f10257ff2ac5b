//! Tuning: `config.json` and `iterations.jsonl`.

use super::failed;
use super::journal::Journal;
use crate::protocol::{Refusal, TunePoint, TuneState, TunedParameter};
use arena::tournament::{ITERATIONS, RunFolder};
use arena::tune::{Iteration, ParametersFile, TuneConfig};
use std::path::Path;

/// Points of the curve; when there are more, every second one goes.
const MOST_POINTS: usize = 500;

/// A tuning as far as it has been read.
pub(super) struct Tuning {
    config: TuneConfig,
    parameters: Vec<TunedParameter>,
    journal: Journal,
    count: u64,
    curve: Vec<TunePoint>,
    stride: u64,
}

impl Tuning {
    pub(super) fn open(path: &Path) -> Result<Self, Refusal> {
        let config: TuneConfig = RunFolder::config(path).map_err(|error| failed(path, error))?;
        let file = ParametersFile::read(&config.parameters).map_err(|error| failed(path, error))?;
        let parameters =
            file.parameters().filter(|parameter| parameter.used).map(|parameter| TunedParameter {
                name: parameter.name.clone(),
                start: parameter.value,
                value: parameter.value,
                min: parameter.min,
                max: parameter.max,
            });
        let parameters = parameters.collect();
        Ok(Self {
            config,
            parameters,
            journal: Journal::new(&path.join(ITERATIONS)),
            count: 0,
            curve: Vec::new(),
            stride: 1,
        })
    }

    pub(super) fn read(&mut self) -> Result<u64, Refusal> {
        let mut again = false;
        let mut new: Vec<Iteration> = Vec::new();
        self.journal
            .read(&mut || again = true, &mut |_, bytes| new.extend(serde_json::from_slice(bytes).ok()))?;
        if again {
            (self.count, self.stride) = (0, 1);
            self.curve.clear();
        }
        for iteration in new {
            self.count += 1;
            for (parameter, value) in self.parameters.iter_mut().zip(&iteration.values) {
                parameter.value = *value;
            }
            if self.count.is_multiple_of(self.stride) {
                self.curve.push(TunePoint { iteration: self.count, values: iteration.values });
            }
            if self.curve.len() > MOST_POINTS {
                self.stride *= 2;
                let stride = self.stride;
                self.curve.retain(|point| point.iteration.is_multiple_of(stride));
            }
        }
        Ok(self.journal.offset())
    }

    pub(super) fn iterations(&self) -> u64 {
        self.count
    }

    pub(super) fn iterations_wanted(&self) -> u64 {
        self.config.iterations
    }

    pub(super) fn facts(&self) -> Vec<[String; 2]> {
        vec![
            ["game".to_owned(), self.config.game.clone()],
            ["engine".to_owned(), self.config.engine.name.clone()],
            ["iterations".to_owned(), self.config.iterations.to_string()],
        ]
    }

    pub(super) fn state(&self) -> TuneState {
        TuneState { parameters: self.parameters.clone(), curve: self.curve.clone() }
    }
}

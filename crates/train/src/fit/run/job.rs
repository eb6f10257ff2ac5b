//! `train fit`: trains a network on files, into a folder.

use super::{Data, News, Run, RunError};
use crate::corpus::{self, CorpusError};
use crate::fit::{Experiment, FloatNet, FloatNetError, GrowthError, Samples, SamplesError, Settings};
use crate::fit_scale;
use crate::tensors::Filter;
use eval::nnue::Architecture;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A training on files.
#[derive(Debug)]
pub struct FitJob<'a> {
    /// Files or folders of training data.
    pub data: &'a [PathBuf],
    /// Folder for the results.
    pub out: &'a Path,
    /// Shape of the network.
    pub shape: &'a Architecture,
    /// The initial real-valued network; random weights if `None`.
    pub from: Option<&'a Path>,
    /// Settings; [`Settings::scale`] is replaced unless `scale` is given.
    pub settings: Settings,
    /// The score that means winning chances of 73 %; fitted to the results if `None`.
    pub scale: Option<f32>,
    /// Selects positions.
    pub filter: Filter,
    /// One of this many games is held out; 0 for none.
    pub held_out: usize,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
}

/// Why a training failed.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// An error of the training data.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The scale of scores cannot be fitted.
    #[error(
        "the scale of the scores cannot be fitted: no score, or no result but draws; give it with --scale"
    )]
    NoScale,
    /// Positions or an architecture that cannot be used.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// An architecture that cannot be trained.
    #[error(transparent)]
    Shape(FloatNetError),
    /// The initial network cannot be read.
    #[error("cannot start from {}: {error}", path.display())]
    From {
        /// Its file.
        path: PathBuf,
        /// Why.
        error: FloatNetError,
    },
    /// The initial network cannot grow to the architecture.
    #[error(transparent)]
    Growth(#[from] GrowthError),
    /// The filter leaves no positions.
    #[error("no positions to learn from: none of {0} passed the filters")]
    NoPositions(usize),
    /// An error of the training itself.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl FitJob<'_> {
    /// Trains, or resumes an interrupted training.
    pub fn run(mut self, report: &mut (dyn FnMut(News<'_>) + Send)) -> Result<Experiment, FitError> {
        let corpus = corpus::load(&corpus::files(self.data)?, self.threads)?;
        let fitted = || fit_scale(&corpus.records).map(|scale| scale as f32);
        self.settings.scale = self.scale.or_else(fitted).ok_or(FitError::NoScale)?;
        let (training, held_out) = Samples::split(&corpus, self.shape, self.filter, self.held_out)?;
        let (games, positions) = (corpus.games.len(), corpus.records.len());
        drop(corpus);
        let net = self.network()?;
        if training.is_empty() {
            return Err(FitError::NoPositions(positions));
        }
        let scale = self.settings.scale;
        report(News::Loaded { games, positions, training: &training, held_out: &held_out, scale });
        let run = Run {
            folder: self.out,
            settings: self.settings,
            data: Data {
                paths: self.data.iter().map(|path| path.display().to_string()).collect(),
                positions: training.len(),
                held_out: held_out.len(),
                one_game_in: self.held_out,
                filter: format!("{:?}", self.filter),
                fingerprint: training.fingerprint(),
            },
            training: &training,
            held_out: &held_out,
            net,
            from: self.from.map_or("random".to_owned(), |path| path.display().to_string()),
            threads: self.threads,
            checkpoint_every: self.checkpoint_every,
        };
        Ok(run.train(report)?)
    }

    /// The initial network.
    fn network(&self) -> Result<FloatNet, FitError> {
        let seed = self.settings.seed;
        let Some(path) = self.from else {
            return FloatNet::random(self.shape, seed).map_err(FitError::Shape);
        };
        let small = FloatNet::load(path).map_err(|error| FitError::From { path: path.to_owned(), error })?;
        Ok(if small.architecture() == self.shape { small } else { small.grow(self.shape, seed)? })
    }
}

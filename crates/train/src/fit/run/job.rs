//! `train fit`: from files of training data to a network in a folder.

use super::{Data, News, Run, RunError};
use crate::corpus::{self, CorpusError};
use crate::fit::{Experiment, FloatNet, FloatNetError, GrowthError, Samples, SamplesError, Settings};
use crate::fit_scale;
use crate::tensors::Filter;
use eval::nnue::Architecture;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A training of a network on files.
#[derive(Debug)]
pub struct FitJob<'a> {
    /// Files or folders of training data.
    pub data: &'a [PathBuf],
    /// Folder for the results.
    pub out: &'a Path,
    /// Shape of the network.
    pub shape: &'a Architecture,
    /// The network of real numbers to begin with; random weights without it.
    pub from: Option<&'a Path>,
    /// Settings; [`Settings::scale`] is replaced unless `scale` is given.
    pub settings: Settings,
    /// The score that means winning chances of 73 %; fitted to the results without it.
    pub scale: Option<f32>,
    /// Which positions to learn from.
    pub filter: Filter,
    /// One game in this many is held out; 0 for none.
    pub held_out: usize,
    /// Threads; the result is the same for every number.
    pub threads: usize,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
}

/// A training on files that failed.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The training data.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// Scores without a scale.
    #[error(
        "the scale of the scores cannot be fitted: no score, or no result but draws; give it with --scale"
    )]
    NoScale,
    /// Positions or a shape that cannot be learned from.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// A shape that is not trained here.
    #[error(transparent)]
    Shape(FloatNetError),
    /// The network to begin with.
    #[error("cannot begin with {}: {error}", path.display())]
    From {
        /// Its file.
        path: PathBuf,
        /// Why not.
        error: FloatNetError,
    },
    /// A network of another shape.
    #[error(transparent)]
    Growth(#[from] GrowthError),
    /// Filters that leave nothing.
    #[error("no positions to learn from: none of {0} passed the filters")]
    NoPositions(usize),
    /// The training itself.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl FitJob<'_> {
    /// Trains, or continues a training that was interrupted.
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

    /// The network to begin with.
    fn network(&self) -> Result<FloatNet, FitError> {
        let seed = self.settings.seed;
        let Some(path) = self.from else {
            return FloatNet::random(self.shape, seed).map_err(FitError::Shape);
        };
        let small = FloatNet::load(path).map_err(|error| FitError::From { path: path.to_owned(), error })?;
        Ok(if small.architecture() == self.shape { small } else { small.grow(self.shape, seed)? })
    }
}

//! Console commands with `YaneuraOu`'s syntax: `learn` and `gensfen`.

mod gensfen;
mod learn;
mod words;

pub use gensfen::Gensfen;
pub use learn::Learn;

use crate::DataError;
use crate::corpus::CorpusError;
use crate::fit::{SamplesError, TrainerError};
use eval::kppt::KpptError;
use eval::nnue::{Architecture, NetworkError};
use platform::FileError;
use std::path::PathBuf;

/// Prints a line.
type Say<'s> = &'s mut dyn FnMut(&str);

/// Why a console command failed.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// Wrong arguments.
    #[error("{0}")]
    Usage(String),
    /// Files without positions.
    #[error("no positions in {0}")]
    NoPositions(String),
    /// All positions are filtered out.
    #[error(
        "no positions to learn from: each of {count} is drawn or beyond eval_limit {limit} (use_draw_in_training 1 takes draws)"
    )]
    AllExcluded {
        /// Positions in the files.
        count: usize,
        /// `eval_limit`.
        limit: i32,
    },
    /// All positions are tactical.
    #[error(
        "no positions to learn from: in all of {0} a side is in check or the best move captures, promotes or checks"
    )]
    NoneQuiet(usize),
    /// newbob needs held-out positions.
    #[error(
        "newbob_decay: no positions are held out of fewer than {} games; give validation_set_file_name FILE",
        learn::HELD_OUT
    )]
    NothingHeldOut,
    /// An architecture that cannot be trained.
    #[error("networks of this shape cannot be trained: {0}")]
    Untrainable(Box<Architecture>),
    /// A value of `eta` meant for tables.
    #[error(
        "eta: expected at most {most} for a network (1 is a learning rate of {rate}), found {found}",
        most = learn::MOST_ETA,
        rate = learn::RATE_OF_ONE
    )]
    Eta {
        /// The value.
        found: f32,
    },
    /// Tables next to a network would not be loaded.
    #[error("{}: a network, which would play instead of the tables; choose another EvalSaveDir", .0.display())]
    NetworkInFolder(PathBuf),
    /// Settings that leave no position to write.
    #[error(
        "no new position in {games} games in a row, {written} are written; write_minply, write_maxply, eval_limit \
         or the random_move words leave no others"
    )]
    NoNewPosition {
        /// Number of games without a new position.
        games: u32,
        /// Number of positions before.
        written: u64,
    },
    /// Training data that cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// Training data that cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
    /// Threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Positions that a network cannot learn from.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// A network that cannot be trained.
    #[error(transparent)]
    Trainer(#[from] TrainerError),
    /// A network that cannot be saved.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Tables that cannot be saved.
    #[error(transparent)]
    Tables(#[from] KpptError),
}

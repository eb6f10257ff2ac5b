use super::folder::FolderError;
use crate::engine::StartError;
use std::io;

/// Why a match cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The configuration makes no sense.
    #[error("{0}")]
    Config(String),
    /// An engine does not start.
    #[error("engine `{name}` {error}")]
    Engine {
        /// Its name.
        name: String,
        /// Why.
        error: StartError,
    },
    /// An engine said why it cannot play.
    #[error("engine `{name}` {error}; the match can be resumed")]
    Refused {
        /// Its name.
        name: String,
        /// What it said.
        error: String,
    },
    /// An engine started before, but does not any more.
    #[error("engine `{name}` failed to start {times} times in a row ({detail}); the match can be resumed")]
    KeepsFailing {
        /// Its name.
        name: String,
        /// How often.
        times: u32,
        /// The last reason.
        detail: String,
    },
    /// An opening cannot be played.
    #[error("opening `{opening}`: {what}")]
    Opening {
        /// The opening.
        opening: String,
        /// What is wrong with it.
        what: String,
    },
    /// The run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The output.
    #[error(transparent)]
    Output(#[from] io::Error),
}

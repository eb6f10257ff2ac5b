use super::folder::FolderError;
use crate::engine::StartError;
use std::io;

/// Why a match cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The configuration is invalid.
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
    /// An engine reported that it cannot play.
    #[error("engine `{name}` {error}; the match can be resumed")]
    Refused {
        /// Its name.
        name: String,
        /// Its message.
        error: String,
    },
    /// An engine started before, but repeatedly failed to start again.
    #[error("engine `{name}` failed to start {times} times in a row ({detail}); the match can be resumed")]
    KeepsFailing {
        /// Its name.
        name: String,
        /// How often.
        times: u32,
        /// The last reason.
        detail: String,
    },
    /// An illegal opening.
    #[error("opening `{opening}`: {what}")]
    Opening {
        /// The opening.
        opening: String,
        /// What is wrong.
        what: String,
    },
    /// An error of the run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Output failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

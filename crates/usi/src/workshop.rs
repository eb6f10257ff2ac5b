//! Work of the console that has nothing to do with the game on the board and takes as long as it takes.

use crate::options::Options;
use std::fmt;

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Workshop {
    /// `makebook`: opening books.
    Book,
    /// `learn`: evaluations, from teachers.
    School,
    /// `gensfen`: teachers, from games of the engine against itself.
    Teachers,
}

impl Workshop {
    /// The command that goes there.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Book => "makebook",
            Self::School => "learn",
            Self::Teachers => "gensfen",
        }
    }
}

impl fmt::Display for Workshop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.command())
    }
}

/// Words that make no sense to a console command, as opposed to a command that failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongUsage(pub String);

/// Why a [`Workshop`] did not do its work.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WorkError {
    /// Its words make no sense.
    #[error(transparent)]
    Usage(#[from] WrongUsage),
    /// It failed.
    #[error("{0}")]
    Failed(String),
}

/// What a [`Workshop`] is told.
pub struct Errand<'a> {
    /// The words after the command.
    pub words: &'a str,
    /// As the user has set them.
    pub options: &'a Options,
    /// Whether the user wants it to end.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// Shows a line.
    pub say: &'a mut dyn FnMut(&str),
}

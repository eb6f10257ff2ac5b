//! Console commands that are independent of the position and run for minutes or days.

use crate::options::{Options, PlaySettings};
use std::fmt;

/// A long console command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LongCommand {
    /// `makebook`: makes opening books.
    MakeBook,
    /// `learn`: trains the evaluation.
    Learn,
    /// `gensfen`: plays games for training data.
    GenSfen,
}

impl LongCommand {
    /// The word of the console.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::MakeBook => "makebook",
            Self::Learn => "learn",
            Self::GenSfen => "gensfen",
        }
    }
}

impl fmt::Display for LongCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Wrong arguments of a console command, as opposed to a command that failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongUsage(pub String);

/// Why a [`LongCommand`] did not finish.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandFailure {
    /// Its arguments are wrong.
    #[error(transparent)]
    Usage(#[from] WrongUsage),
    /// It failed.
    #[error("{0}")]
    Failed(String),
}

/// Arguments and callbacks of a [`LongCommand`].
pub struct CommandContext<'a> {
    /// The words after the command.
    pub words: &'a str,
    /// The options of play.
    pub settings: &'a PlaySettings,
    /// All options.
    pub options: &'a Options,
    /// Whether the user has ended the command by `stop` or `quit`.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// Prints a line.
    pub say: &'a mut dyn FnMut(&str),
}

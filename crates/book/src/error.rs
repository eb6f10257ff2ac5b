//! Errors of books.

use std::io;
use std::path::{Path, PathBuf};

/// Why a book could not be read or written. Messages contain their causes; a `source` would repeat them.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// An error of the system.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A faulty line of a text book.
    #[error("{}:{line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        fault: LineFault,
    },
    /// A file of another kind than its name says.
    #[error("{}: {message}", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What was expected and what was found.
        message: String,
    },
}

/// What is wrong with a line of a text book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// Longer than any line that a program writes; such lines are not kept in memory.
    #[error("the line is longer than {0} bytes")]
    TooLong(usize),
    /// UTF-16 instead of ASCII.
    #[error("the file is UTF-16; save it as UTF-8")]
    Utf16,
    /// An invalid position.
    #[error("expected a position: {0}")]
    Sfen(shogi::SfenError),
    /// A byte that does not occur in SFEN.
    #[error("expected a position, found bytes that are not ASCII")]
    NotAscii,
    /// Not a move.
    #[error("expected a move such as 7g7f, found `{0}`")]
    Move(String),
    /// A word of a line of play that is not a legal move.
    #[error("not a legal move here: `{0}`")]
    IllegalMove(String),
    /// A line of play that ends with `resign` or the like but has to be continued.
    #[error("a finished game cannot be continued")]
    Ended,
    /// Not a number.
    #[error("expected a number, found `{0}`")]
    Number(String),
    /// A move without a position.
    #[error("a move before the first position")]
    NoPosition,
}

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<shogi::SfenError> for LineFault {
    fn from(error: shogi::SfenError) -> Self {
        Self::Sfen(error)
    }
}

impl BookError {
    pub(crate) fn format(path: &Path, message: impl Into<String>) -> Self {
        Self::Format { path: path.to_owned(), message: message.into() }
    }
}

/// Adds the file to an error of the system.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T, BookError>;
}

impl From<platform::FileError> for BookError {
    fn from(platform::FileError { path, error }: platform::FileError) -> Self {
        Self::Io { path, error }
    }
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, BookError> {
        self.map_err(|error| BookError::Io { path: path.to_owned(), error })
    }
}

/// A remark on a malformed number.
pub(crate) fn forgiven(place: &Path, fault: &LineFault) -> String {
    format!("{}: {fault}: 0 is taken", place.display())
}

/// The beginning of arbitrary bytes, printable in a message.
pub(crate) fn quote(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(40)].escape_ascii().to_string()
}

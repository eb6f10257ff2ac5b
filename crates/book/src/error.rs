//! What can go wrong with a book.

use std::io;
use std::path::{Path, PathBuf};

/// Why a book could not be read or written. Messages hold their causes, so none is given as a `source`, which would be
/// printed once more.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A line of a text book is wrong.
    #[error("{}:{line}: {fault}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: u64,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// A file that is not what its name says.
    #[error("{}: {message}", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What was expected and found.
        message: String,
    },
}

/// What can be wrong with a line of a text book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// Nobody writes such lines; they are not kept in memory.
    #[error("the line is longer than {0} bytes")]
    TooLong(usize),
    /// Two bytes for each letter.
    #[error("the file is UTF-16; save it as UTF-8")]
    Utf16,
    /// A position that is none.
    #[error("expected a position: {0}")]
    Sfen(shogi::SfenError),
    /// A byte that SFEN does not know.
    #[error("expected a position, found bytes that are not ASCII")]
    NotAscii,
    /// Something else than a move.
    #[error("expected a move such as 7g7f, found `{0}`")]
    Move(String),
    /// A word that is no move of the position, where a line of play goes on.
    #[error("not a legal move here: `{0}`")]
    IllegalMove(String),
    /// A line that ends with `resign` or the like, where it has to go on.
    #[error("a finished game cannot be gone on with")]
    Ended,
    /// Something else than a number.
    #[error("expected a number, found `{0}`")]
    Number(String),
    /// A move that belongs to no position.
    #[error("a move before the first position")]
    NoPosition,
}

// Not `#[from]`, which would make a source of it: the text above says it already.
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

/// Names the file that an error of the system is about.
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

/// A remark on a number that is none.
pub(crate) fn forgiven(place: &Path, fault: &LineFault) -> String {
    format!("{}: {fault}: 0 is taken", place.display())
}

/// The beginning of bytes that may be anything, fit for a message.
pub(crate) fn quote(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(40)].escape_ascii().to_string()
}

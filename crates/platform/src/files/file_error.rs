use std::io;
use std::path::{Path, PathBuf};

/// A system error with the file it is about.
///
/// The text contains the cause, so the cause is not a `source` as well: chains of errors would print it twice.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What the system reports.
    pub error: io::Error,
}

/// Names the file of a system error.
pub trait AtPath<T> {
    /// The same result, its error with `path`.
    fn at_path(self, path: &Path) -> Result<T, FileError>;
}

impl<T> AtPath<T> for io::Result<T> {
    fn at_path(self, path: &Path) -> Result<T, FileError> {
        self.map_err(|error| FileError { path: path.to_owned(), error })
    }
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        Self::new(error.error.kind(), error.to_string())
    }
}

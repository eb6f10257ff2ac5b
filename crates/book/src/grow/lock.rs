//! One job at a time for a book: a job that changes it holds `BOOK.lock`, and no other job writes the book meanwhile.

use crate::error::BookError;
use platform::{AtomicFile, FileLock};
use std::path::{Path, PathBuf};

/// The right to change a book, until it is dropped.
#[derive(Debug)]
pub struct BookLock {
    _lock: FileLock,
}

fn lock_path(book: &Path) -> PathBuf {
    let mut name = book.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

fn busy(book: &Path) -> BookError {
    BookError::format(book, "another job is changing this book; wait for it or stop it first")
}

impl BookLock {
    /// Takes the lock of a book; an error if another job has it.
    pub fn take(book: &Path) -> Result<Self, BookError> {
        FileLock::take(&lock_path(book))?.map(|lock| Self { _lock: lock }).ok_or_else(|| busy(book))
    }

    /// An error if another process holds the lock of a book.
    pub(crate) fn check(book: &Path) -> Result<(), BookError> {
        if FileLock::is_taken_elsewhere(&lock_path(book)) { Err(busy(book)) } else { Ok(()) }
    }
}

/// Begins the file of a book, which is written whole or not at all; an error if another job is changing the book.
pub fn create_book(path: &Path) -> Result<AtomicFile, BookError> {
    BookLock::check(path)?;
    Ok(AtomicFile::create(path)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_job_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("a.db");
        let lock = BookLock::take(&book).unwrap();
        let message = BookLock::take(&book).unwrap_err().to_string();
        assert!(
            message.ends_with("another job is changing this book; wait for it or stop it first"),
            "{message}"
        );
        // The owner itself may write it.
        assert!(crate::create_book(&book).is_ok());
        drop(lock);
        assert!(!folder.path().join("a.db.lock").exists());
    }
}

//! Locks books: a command that changes a book holds `BOOK.lock`, and no other one can write the book meanwhile.

use crate::error::BookError;
use platform::{AtomicFile, FileLock};
use std::path::{Path, PathBuf};

/// The lock of a book, held until it is dropped.
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
    /// Takes the lock of a book; fails if another process holds it.
    pub fn take(book: &Path) -> Result<Self, BookError> {
        FileLock::take(&lock_path(book))?.map(|lock| Self { _lock: lock }).ok_or_else(|| busy(book))
    }

    /// Fails if another process holds the lock of a book.
    pub(crate) fn check(book: &Path) -> Result<(), BookError> {
        if FileLock::is_taken_elsewhere(&lock_path(book)) { Err(busy(book)) } else { Ok(()) }
    }
}

/// Starts writing a book, atomically; fails if another process holds its lock.
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
        // The owner of the lock may write the book.
        assert!(crate::create_book(&book).is_ok());
        drop(lock);
        assert!(!folder.path().join("a.db.lock").exists());
    }
}

//! One job at a time for a book: who changes it holds `BOOK.lock`, and nobody else writes the book meanwhile.
//!
//! The system gives the lock back when a process ends, however it ends; a file that is left over means nothing.

use crate::error::{At, BookError};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks that this process holds.
static HELD: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<PathBuf>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to change a book, until it is dropped.
#[derive(Debug)]
pub struct BookLock {
    path: PathBuf,
    /// Closing it gives the lock back.
    _file: File,
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
        let path = lock_path(book);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).at(folder)?;
        }
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path).at(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(busy(book)),
                Err(TryLockError::Error(error)) => return Err(error).at(&path),
            }
            // Its last owner may have removed it between the two steps.
            if is_same(&file, &path) {
                held().push(path.clone());
                return Ok(Self { path, _file: file });
            }
        }
    }

    /// An error if another job holds the lock of a book.
    pub(crate) fn check(book: &Path) -> Result<(), BookError> {
        let path = lock_path(book);
        if held().contains(&path) {
            return Ok(());
        }
        match File::open(&path).map(|file| file.try_lock_shared()) {
            Ok(Err(TryLockError::WouldBlock)) => Err(busy(book)),
            // No lock, or a system without them.
            _ => Ok(()),
        }
    }
}

impl Drop for BookLock {
    fn drop(&mut self) {
        held().retain(|path| *path != self.path);
        fs::remove_file(&self.path).ok();
    }
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(number).ok() == fs::metadata(path).map(number).ok()
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_same(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WholeFile;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("a.db");
        let lock = BookLock::take(&book).unwrap();
        let message = BookLock::take(&book).unwrap_err().to_string();
        assert!(
            message.ends_with("another job is changing this book; wait for it or stop it first"),
            "{message}"
        );
        // The owner itself may write it.
        assert!(WholeFile::create(&book).is_ok());
        // To others it is locked.
        held().retain(|path| *path != lock.path);
        assert!(BookLock::check(&book).is_err() && WholeFile::create(&book).is_err());
        held().push(lock.path.clone());
        drop(lock);
        assert!(!folder.path().join("a.db.lock").exists());
        drop(BookLock::take(&book).unwrap());
        // What a killed job leaves does not matter.
        fs::write(folder.path().join("a.db.lock"), "").unwrap();
        BookLock::check(&book).unwrap();
        drop(BookLock::take(&book).unwrap());
    }
}

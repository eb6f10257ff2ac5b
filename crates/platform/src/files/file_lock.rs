//! File locks between processes. The system releases a lock when its process ends, however it ends.
//!
//! A lock file left behind by a killed process has no effect.

use super::patiently::patiently;
use crate::{AtPath, FileError};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks that this process holds.
static HELD: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<PathBuf>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An exclusive lock on a file made for it, held until it is dropped; that removes the file.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    /// Closing it releases the lock.
    _file: File,
}

impl FileLock {
    /// Takes the lock `path`; `None` if another process, or another part of this one, holds it.
    pub fn take(path: &Path) -> Result<Option<Self>, FileError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).at_path(folder)?;
        }
        loop {
            let open = || File::options().create(true).truncate(false).write(true).open(path);
            let file = patiently(open).at_path(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error).at_path(path),
            }
            // The last owner may have removed the file between opening and locking.
            if is_same(&file, path) {
                held().push(path.into());
                return Ok(Some(Self { path: path.into(), _file: file }));
            }
        }
    }

    /// Whether another process holds the lock.
    #[must_use]
    pub fn is_taken_elsewhere(path: &Path) -> bool {
        if held().iter().any(|held| held == path) {
            return false;
        }
        // No file, or a system without locks: not taken.
        matches!(File::open(path).map(|file| file.try_lock_shared()), Ok(Err(TryLockError::WouldBlock)))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        held().retain(|path| *path != self.path);
        fs::remove_file(&self.path).ok();
    }
}

fn is_same(file: &File, path: &Path) -> bool {
    let opened = file.try_clone().and_then(same_file::Handle::from_file);
    matches!((opened, same_file::Handle::from_path(path)), (Ok(opened), Ok(named)) if opened == named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let lock = FileLock::take(&path).unwrap().unwrap();
        assert!(FileLock::take(&path).unwrap().is_none());
        assert!(!FileLock::is_taken_elsewhere(&path), "it is our own");
        // As another process sees it.
        held().retain(|held| *held != path);
        assert!(FileLock::is_taken_elsewhere(&path));
        held().push(path.clone());
        drop(lock);
        assert!(!path.exists());
        drop(FileLock::take(&path).unwrap().unwrap());
        // A file left behind by a killed process.
        fs::write(&path, "").unwrap();
        assert!(!FileLock::is_taken_elsewhere(&path));
        assert!(FileLock::take(&path).unwrap().is_some());
    }
}

//! Results that the server has not confirmed yet, on the worker's disk.

use crate::envelope::JobResult;
use platform::{AtPath, FileError, atomic_file};
use std::path::{Path, PathBuf};

/// A folder of results, one file each.
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// Opens the folder.
    pub fn open(folder: &Path) -> Result<Self, FileError> {
        std::fs::create_dir_all(folder).at_path(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Writes a result; it survives a crash of the machine.
    pub fn put(&self, result: &JobResult) -> Result<PathBuf, FileError> {
        let path = self.folder.join(format!("{}.{}.{}", result.run, result.n, result.k));
        atomic_file::write(&path, &crate::envelope::write(result))?;
        Ok(path)
    }

    /// The results of an earlier process. Files that are no results are removed.
    pub fn left_over(&self) -> Result<Vec<(PathBuf, JobResult)>, FileError> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.folder).at_path(&self.folder)? {
            let path = entry.at_path(&self.folder)?.path();
            let bytes = std::fs::read(&path).at_path(&path)?;
            match JobResult::read(&bytes) {
                Ok(result) => found.push((path, result)),
                Err(_) => Self::remove(&path)?,
            }
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(found)
    }

    /// Removes a result that the server has.
    pub fn remove(path: &Path) -> Result<(), FileError> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).at_path(path),
            _ => Ok(()),
        }
    }
}

//! Files that are there whole or not at all.

use super::{KpptError, KpptTable};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The new files of a folder, under temporary names until all of them are written. What is not finished is
/// removed.
#[derive(Debug)]
pub(super) struct NewFiles {
    folder: PathBuf,
    unfinished: Vec<KpptTable>,
}

impl NewFiles {
    /// Makes the folder if there is none.
    pub(super) fn new(folder: &Path) -> Result<Self, KpptError> {
        fs::create_dir_all(folder).map_err(|source| KpptError::Write { path: folder.into(), source })?;
        Ok(Self { folder: folder.into(), unfinished: Vec::new() })
    }

    fn path(&self, table: KpptTable) -> PathBuf {
        self.folder.join(table.file_name())
    }

    fn temporary_path(&self, table: KpptTable) -> PathBuf {
        self.folder.join(format!("{}.{}.tmp", table.file_name(), std::process::id()))
    }

    /// Writes one file with whatever `fill` puts into it, and syncs it.
    pub(super) fn write(
        &mut self,
        table: KpptTable,
        fill: impl FnOnce(&mut Sink) -> Result<(), KpptError>,
    ) -> Result<(), KpptError> {
        let path = self.temporary_path(table);
        let failed = |source| KpptError::Write { path: path.clone(), source };
        let file = File::create(&path).map_err(failed)?;
        self.unfinished.push(table);
        let mut sink = Sink { file, path: path.clone() };
        fill(&mut sink)?;
        sink.file.sync_all().map_err(failed)
    }

    /// Gives all files their names.
    pub(super) fn finish(mut self) -> Result<(), KpptError> {
        for table in std::mem::take(&mut self.unfinished) {
            let path = self.path(table);
            fs::rename(self.temporary_path(table), &path)
                .map_err(|source| KpptError::Write { path, source })?;
        }
        // On systems where a folder can be opened, the new names are synced as well.
        if let Ok(folder) = File::open(&self.folder) {
            folder.sync_all().ok();
        }
        Ok(())
    }
}

impl Drop for NewFiles {
    fn drop(&mut self) {
        for table in &self.unfinished {
            fs::remove_file(self.temporary_path(*table)).ok();
        }
    }
}

/// A file being written.
#[derive(Debug)]
pub(super) struct Sink {
    file: File,
    path: PathBuf,
}

impl Sink {
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), KpptError> {
        self.file.write_all(bytes).map_err(|source| KpptError::Write { path: self.path.clone(), source })
    }

    /// Makes the file `size` bytes long; what has not been written is zero and takes no room where the file
    /// system knows holes.
    pub(super) fn stretch(&mut self, size: u64) -> Result<(), KpptError> {
        self.file.set_len(size).map_err(|source| KpptError::Write { path: self.path.clone(), source })
    }
}

//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", path.display())]
pub struct WriteError {
    /// Which file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// The new files of a folder, under temporary names until all of them are written. What is not finished is
/// removed. Who has an old file of the same name open keeps what is in it.
#[derive(Debug)]
pub(crate) struct NewFiles {
    folder: PathBuf,
    unfinished: Vec<String>,
}

impl NewFiles {
    /// Makes the folder if there is none.
    pub(crate) fn new(folder: &Path) -> Result<Self, WriteError> {
        fs::create_dir_all(folder).map_err(|error| WriteError { path: folder.into(), error })?;
        Ok(Self { folder: folder.into(), unfinished: Vec::new() })
    }

    /// For one file; its name, too.
    pub(crate) fn beside(path: &Path) -> Result<(Self, &str), WriteError> {
        let nameless = || WriteError { path: path.into(), error: io::ErrorKind::InvalidFilename.into() };
        let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(nameless)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Ok((Self::new(folder.unwrap_or(Path::new(".")))?, name))
    }

    fn temporary_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}.tmp", std::process::id()))
    }

    /// Writes one file with whatever `fill` puts into it, and syncs it.
    pub(crate) fn write<E: From<WriteError>>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut Sink) -> Result<(), E>,
    ) -> Result<(), E> {
        let path = self.temporary_path(name);
        let failed = |error| WriteError { path: path.clone(), error };
        let file = File::create(&path).map_err(failed)?;
        self.unfinished.push(name.to_owned());
        let mut sink = Sink { file, written: 0, length: 0, path: path.clone() };
        fill(&mut sink)?;
        sink.file.set_len(sink.length).and_then(|()| sink.file.sync_all()).map_err(failed)?;
        Ok(())
    }

    /// Gives all files their names.
    pub(crate) fn finish(mut self) -> Result<(), WriteError> {
        while let Some(name) = self.unfinished.first() {
            let path = self.folder.join(name);
            fs::rename(self.temporary_path(name), &path).map_err(|error| WriteError { path, error })?;
            self.unfinished.remove(0);
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
        for name in &self.unfinished {
            fs::remove_file(self.temporary_path(name)).ok();
        }
    }
}

/// A file being written. Zeros are left out, which takes no room where the file system knows holes.
#[derive(Debug)]
pub(crate) struct Sink {
    file: File,
    /// Where the file is written next.
    written: u64,
    /// How long it will be.
    length: u64,
    path: PathBuf,
}

impl Sink {
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write_all(bytes).map_err(|error| WriteError { path: self.path.clone(), error })
    }

    /// Makes the file `size` bytes long; what has not been written is zero.
    pub(crate) fn stretch(&mut self, size: u64) {
        self.length = size;
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.iter().any(|byte| *byte != 0) {
            if self.written < self.length {
                self.file.seek(SeekFrom::Start(self.length))?;
            }
            self.file.write_all(bytes)?;
            self.written = self.length + bytes.len() as u64;
        }
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_written_too() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = NewFiles::new(folder.path()).unwrap();
        files
            .write("a", |sink| {
                sink.put(&[0; 3])?;
                sink.put(&[1, 0])?;
                sink.put(&[0; 2])?;
                sink.put(&[2])?;
                sink.put(&[0; 4])
            })
            .unwrap();
        assert!(!folder.path().join("a").exists(), "not before all is written");
        files.finish().unwrap();
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_the_old_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "old").unwrap();
        let mut files = NewFiles::new(folder.path()).unwrap();
        files.write("a", |sink| sink.put(b"new")).unwrap();
        let failed = |_: &mut Sink| Err(WriteError { path: "b".into(), error: io::ErrorKind::Other.into() });
        files.write("b", failed).unwrap_err();
        drop(files);
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

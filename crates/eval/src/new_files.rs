//! Several new files of a folder, written atomically.

use platform::{AtomicFile, FileError};
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

impl From<FileError> for WriteError {
    fn from(FileError { path, error }: FileError) -> Self {
        Self { path, error }
    }
}

/// The new files of a folder, under temporary names until all of them are written. Unfinished ones are removed. A
/// process that has an old file of the same name open keeps its content.
#[derive(Debug)]
pub(crate) struct NewFiles {
    folder: PathBuf,
    written: Vec<AtomicFile>,
}

impl NewFiles {
    /// Files for a folder, which is made if there is none.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.into(), written: Vec::new() }
    }

    /// For one file; also returns its name.
    pub(crate) fn beside(path: &Path) -> Result<(Self, &str), WriteError> {
        let nameless = || WriteError { path: path.into(), error: io::ErrorKind::InvalidFilename.into() };
        let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(nameless)?;
        Ok((Self::new(path.parent().unwrap_or(Path::new(""))), name))
    }

    /// Writes one file by calling `fill`.
    pub(crate) fn write<E: From<WriteError>>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut Sink) -> Result<(), E>,
    ) -> Result<(), E> {
        let file = AtomicFile::create(&self.folder.join(name)).map_err(WriteError::from)?;
        let mut sink = Sink { file, written: 0, length: 0 };
        fill(&mut sink)?;
        sink.file.set_length(sink.length).map_err(WriteError::from)?;
        self.written.push(sink.file);
        Ok(())
    }

    /// Syncs all files and gives them their names.
    pub(crate) fn finish(self) -> Result<(), WriteError> {
        self.written.into_iter().try_for_each(AtomicFile::commit).map_err(WriteError::from)
    }
}

/// A file being written. Runs of zeros become holes, which take no space on file systems that support them.
#[derive(Debug)]
pub(crate) struct Sink {
    file: AtomicFile,
    /// The next offset to write.
    written: u64,
    /// How long it will be.
    length: u64,
}

impl Sink {
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write_all(bytes).map_err(|error| WriteError { path: self.file.path().into(), error })
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
    use std::fs;

    #[test]
    fn zeros_are_written_too() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = NewFiles::new(folder.path());
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
        let mut files = NewFiles::new(folder.path());
        files.write("a", |sink| sink.put(b"new")).unwrap();
        let failed = |_: &mut Sink| Err(WriteError { path: "b".into(), error: io::ErrorKind::Other.into() });
        files.write("b", failed).unwrap_err();
        drop(files);
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

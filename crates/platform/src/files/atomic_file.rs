//! Atomic file writing: a file is complete under its name or not there at all. It is written under a temporary name in
//! the same folder, synced and renamed.

use super::patiently::patiently;
use crate::{AtPath, FileError};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A buffered file under a temporary name in the folder of the final one. [`AtomicFile::commit`] renames it. Dropping
/// it without `commit` removes it and leaves an older file of the final name as it is.
#[derive(Debug)]
pub struct AtomicFile {
    out: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
    renamed: bool,
}

/// Bytes written at a time.
const BUFFER: usize = 1 << 18;

impl AtomicFile {
    /// Creates the temporary file, and its folder if there is none.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let folder = folder_of(path);
        fs::create_dir_all(folder).at_path(folder)?;
        let temporary = temporary_path(path).at_path(path)?;
        let file = File::create(&temporary).at_path(&temporary)?;
        let out = BufWriter::with_capacity(BUFFER, file);
        Ok(Self { out, temporary, path: path.into(), renamed: false })
    }

    /// The final name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens what has been written so far for reading, from the beginning.
    pub fn reopen(&mut self) -> Result<File, FileError> {
        self.out.flush().at_path(&self.temporary)?;
        File::open(&self.temporary).at_path(&self.temporary)
    }

    /// Sets the file's length; bytes that were not written are zero.
    pub fn set_length(&mut self, length: u64) -> Result<(), FileError> {
        self.out.flush().and_then(|()| self.out.get_ref().set_len(length)).at_path(&self.temporary)
    }

    /// Syncs the content, renames the file and syncs the folder.
    pub fn commit(mut self) -> Result<(), FileError> {
        self.out.flush().and_then(|()| self.out.get_ref().sync_all()).at_path(&self.temporary)?;
        self.rename()?;
        sync_folder_of(&self.path);
        Ok(())
    }

    /// Renames the file without syncing: for one of thousands of files that can be made again from their source.
    pub fn commit_unsynced(mut self) -> Result<(), FileError> {
        self.out.flush().at_path(&self.temporary)?;
        self.rename()
    }

    fn rename(&mut self) -> Result<(), FileError> {
        patiently(|| fs::rename(&self.temporary, &self.path)).at_path(&self.path)?;
        self.renamed = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.renamed {
            // Best effort: a temporary file left behind does no harm.
            fs::remove_file(&self.temporary).ok();
        }
    }
}

/// Writes a whole file with `fill`; on an error of `fill` an older file stays as it is.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes.txt");
/// use std::io::Write;
/// platform::atomic_file::write_with(&path, |out| writeln!(out, "one line"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "one line\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_with<T>(
    path: &Path,
    fill: impl FnOnce(&mut AtomicFile) -> io::Result<T>,
) -> Result<T, FileError> {
    let mut file = AtomicFile::create(path)?;
    let filled = fill(&mut file).at_path(path)?;
    file.commit()?;
    Ok(filled)
}

/// Like [`write_with`], for writers that open the file themselves: `fill` gets its temporary name.
pub fn write_at<T, E: From<FileError>>(
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let file = AtomicFile::create(path)?;
    let filled = fill(&file.temporary)?;
    file.commit()?;
    Ok(filled)
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_with(path, |out| out.write_all(bytes))
}

/// Writes a whole file without syncing it: for one of thousands of files that can be made again from their source.
pub fn write_unsynced(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).at_path(path)?;
    file.commit_unsynced()
}

/// Removes the temporary files of `path` that killed processes have left. The caller must hold a lock that keeps other processes
/// from writing it.
pub fn remove_left_over(path: &Path) {
    let (Some(name), Ok(entries)) = (path.file_name(), fs::read_dir(folder_of(path))) else { return };
    let begin = format!("{}.", name.to_string_lossy());
    for entry in entries.flatten() {
        let name = entry.file_name();
        let middle = name.to_str().and_then(|name| name.strip_prefix(&begin)?.strip_suffix(".tmp"));
        // PROCESS-COUNT
        if middle.is_some_and(|middle| middle.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')) {
            fs::remove_file(entry.path()).ok();
        }
    }
}

/// Syncs the folder entry of a file, on systems where a folder can be opened.
pub fn sync_folder_of(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        folder.sync_all().ok();
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// `NAME.PROCESS-COUNT.tmp`: unique for each writer.
fn temporary_path(path: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned();
    name.push(format!(".{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    Ok(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn complete_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/a.db");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"one").unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"two").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(names(path.parent().unwrap()), ["a.db"]);
    }

    #[test]
    fn a_failing_writer_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        write(&path, b"old").unwrap();
        let failed = write_with(&path, |out| {
            out.write_all(b"new")?;
            Err::<(), _>(io::ErrorKind::StorageFull.into())
        });
        let message = failed.unwrap_err().to_string();
        assert!(message.starts_with(&format!("{}: ", path.display())), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.bin"]);
    }

    #[test]
    fn names_that_differ_in_their_extension_share_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let files =
            ["a.bin", "a.psv", "a.bin"].map(|name| AtomicFile::create(&folder.path().join(name)).unwrap());
        assert_eq!(names(folder.path()).len(), 3);
        drop(files);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn what_killed_processes_leave_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        for name in ["a.bin", "a.bin.12-0.tmp", "a.bin.x.tmp", "b.bin.12-0.tmp"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_left_over(&path);
        assert_eq!(names(folder.path()), ["a.bin", "a.bin.x.tmp", "b.bin.12-0.tmp"]);
    }

    #[test]
    fn a_path_without_a_name_is_refused() {
        assert!(AtomicFile::create(Path::new("..")).is_err());
    }
}

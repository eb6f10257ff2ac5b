//! Files that are there whole or not at all.

use crate::error::{At, BookError};
use crate::lock::BookLock;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// A file under a temporary name beside its own, which it gets when it is finished. Dropped before that, it is
/// removed and whatever had the name stays.
pub struct WholeFile {
    out: BufWriter<File>,
    /// Bytes written since the last time that syncing began.
    unsynced: usize,
    syncing: Option<Syncing>,
    temporary: PathBuf,
    path: PathBuf,
    finished: bool,
}

/// After so many bytes the disk gets to work, so that there is little to wait for in the end.
const SYNC_STEP: usize = 1 << 22;

/// So many bytes are written at once, without being copied before.
const LARGE: usize = 1 << 16;

/// A thread that syncs a file while it is being written.
struct Syncing {
    begin: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl Syncing {
    fn new(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (begin, begun): (_, Receiver<()>) = sync_channel(1);
        let sync = move || begun.iter().try_for_each(|()| file.sync_data());
        Ok(Self { begin, thread: std::thread::Builder::new().spawn(sync)? })
    }

    /// Whether all went well; a fault of the disk is told once only, perhaps to the thread.
    fn finish(self) -> io::Result<()> {
        drop(self.begin);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that syncs has ended")))
    }
}

impl WholeFile {
    /// Begins a file; its folder is made if there is none. An error if another job is changing the book.
    pub fn create(path: &Path) -> Result<Self, BookError> {
        BookLock::check(path)?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).at(folder)?;
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).at(&temporary)?;
        Ok(Self {
            out: BufWriter::with_capacity(1 << 18, file),
            unsynced: 0,
            syncing: None,
            temporary,
            path: path.into(),
            finished: false,
        })
    }

    /// Writes everything out, syncs it and gives it its name.
    pub fn finish(mut self) -> Result<(), BookError> {
        let synced = self.syncing.take().map_or(Ok(()), Syncing::finish);
        let flushed = synced.and_then(|()| self.out.flush());
        flushed.and_then(|()| self.out.get_ref().sync_all()).at(&self.temporary)?;
        fs::rename(&self.temporary, &self.path).at(&self.path)?;
        self.finished = true;
        sync_folder_of(&self.path);
        Ok(())
    }

    /// What was written so far, to be read from the beginning.
    pub(crate) fn reopen(&mut self) -> Result<File, BookError> {
        self.out.flush().at(&self.temporary)?;
        File::open(&self.temporary).at(&self.temporary)
    }

    /// Ends the file where a part of it begins and puts that part in another place further in front.
    pub(crate) fn move_end(&mut self, from: u64, to: u64) -> Result<(), BookError> {
        let mut old = self.reopen()?;
        old.seek(SeekFrom::Start(from)).at(&self.temporary)?;
        self.seek(SeekFrom::Start(to)).at(&self.temporary)?;
        let length = io::copy(&mut old, self).at(&self.temporary)?;
        self.out.flush().and_then(|()| self.out.get_ref().set_len(to + length)).at(&self.temporary)
    }

    /// Where it will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// On systems where a folder can be opened, its names are synced as well.
pub(crate) fn sync_folder_of(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        folder.sync_all().ok();
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if bytes.len() < LARGE {
            self.out.write(bytes)?
        } else {
            self.out.flush()?;
            self.out.get_mut().write(bytes)?
        };
        self.unsynced += written;
        if self.unsynced >= SYNC_STEP {
            self.unsynced = 0;
            if self.syncing.is_none() {
                self.syncing = Some(Syncing::new(self.out.get_ref())?);
            }
            if let Some(syncing) = &self.syncing {
                // If it is at work still, it will be asked again.
                syncing.begin.try_send(()).ok();
            }
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.finished {
            fs::remove_file(&self.temporary).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/a.db");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"one").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"two").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn the_end_can_be_moved_to_the_front() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ybb");
        let part: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
        for (from, to) in [(100, 60), (2_000_000, 0)] {
            let mut file = WholeFile::create(&path).unwrap();
            file.write_all(&vec![7; from]).unwrap();
            file.write_all(&part).unwrap();
            file.move_end(from as u64, to as u64).unwrap();
            file.finish().unwrap();
            assert!(fs::read(&path).unwrap() == [&vec![7; to][..], &part].concat(), "{from} to {to}");
        }
    }
}

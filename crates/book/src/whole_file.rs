//! Files that are there whole or not at all.

use crate::behind::{Behind, Lane};
use crate::error::{At, BookError};
use crate::lock::BookLock;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file under a temporary name beside its own, which it gets when it is finished. Dropped before that, it is
/// removed and whatever had the name stays.
pub struct WholeFile {
    file: File,
    /// What is written where the cursor is.
    lane: Lane,
    /// There once there is much to write.
    behind: Option<Behind>,
    temporary: PathBuf,
    path: PathBuf,
    finished: bool,
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
        Ok(Self { file, lane: Lane::at(0), behind: None, temporary, path: path.into(), finished: false })
    }

    /// Writes everything out, syncs it and gives it its name.
    pub fn finish(mut self) -> Result<(), BookError> {
        self.flush().and_then(|()| self.file.sync_all()).at(&self.temporary)?;
        fs::rename(&self.temporary, &self.path).at(&self.path)?;
        self.finished = true;
        sync_folder_of(&self.path);
        Ok(())
    }

    /// Writes to a lane beside the cursor's; all of it is in the file after [`WholeFile::end_lane`].
    pub(crate) fn write_to(&mut self, lane: &mut Lane, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            bytes = &bytes[lane.fill(bytes)..];
            if lane.is_full() {
                let next = lane.end();
                self.pass_on(lane, next)?;
            }
        }
        Ok(())
    }

    /// Nothing more comes here.
    pub(crate) fn end_lane(&mut self, mut lane: Lane) -> io::Result<()> {
        match &self.behind {
            Some(_) => self.pass_on(&mut lane, 0),
            None => lane.write_to(&mut self.file),
        }
    }

    /// Lets the disk have what is in a lane, which goes on at another place.
    fn pass_on(&mut self, lane: &mut Lane, next: u64) -> io::Result<()> {
        let behind = match self.behind.take() {
            Some(behind) => behind,
            None => Behind::new(&self.temporary)?,
        };
        let filled = std::mem::replace(lane, Lane::EMPTY);
        if let Some(another) = behind.pass_on(filled, next) {
            *lane = another;
            self.behind = Some(behind);
            return Ok(());
        }
        behind.finish().and_then(|()| Err(io::Error::other("nothing is written any more")))
    }

    /// What was written so far, to be read from the beginning.
    pub(crate) fn reopen(&mut self) -> Result<File, BookError> {
        self.flush().at(&self.temporary)?;
        File::open(&self.temporary).at(&self.temporary)
    }

    /// Ends the file where a part of it begins and puts that part in another place further in front.
    pub(crate) fn move_end(&mut self, from: u64, to: u64) -> Result<(), BookError> {
        let mut old = self.reopen()?;
        old.seek(SeekFrom::Start(from)).at(&self.temporary)?;
        self.seek(SeekFrom::Start(to)).at(&self.temporary)?;
        let length = io::copy(&mut old, self).at(&self.temporary)?;
        self.flush().and_then(|()| self.file.set_len(to + length)).at(&self.temporary)
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
        let count = self.lane.fill(bytes);
        if self.lane.is_full() {
            let mut lane = std::mem::replace(&mut self.lane, Lane::EMPTY);
            let next = lane.end();
            self.pass_on(&mut lane, next)?;
            self.lane = lane;
        }
        Ok(count)
    }

    /// All is in the file then, but not on the disk.
    fn flush(&mut self) -> io::Result<()> {
        self.behind.take().map_or(Ok(()), Behind::finish)?;
        self.lane.write_to(&mut self.file)
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.flush()?;
        let place = match to {
            SeekFrom::Current(by) => {
                self.file.seek(SeekFrom::Start(self.lane.end().saturating_add_signed(by)))?
            }
            to => self.file.seek(to)?,
        };
        self.lane = Lane::at(place);
        Ok(place)
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

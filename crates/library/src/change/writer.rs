//! Writes commits.

use crate::format::directory::{Directory, SegmentPlace};
use crate::format::header::{Commit, HEADER, empty_header};
use crate::format::sink::Sink;
use crate::{Library, LibraryError};
use platform::{AtPath, AtomicFile, FileLock, atomic_file};
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes written at a time.
const BUFFER: usize = 1 << 20;

/// A library that this process alone changes.
pub(crate) struct Writer {
    library: Library,
    lock: FileLock,
}

impl Writer {
    /// Takes the lock and opens the library; makes one if there is none and `create` is set.
    pub fn open(path: &Path, create: bool) -> Result<Self, LibraryError> {
        if !create && !path.exists() {
            return Err(LibraryError::Missing(path.to_owned()));
        }
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        let lock =
            FileLock::take(&PathBuf::from(lock))?.ok_or_else(|| LibraryError::Locked(path.to_owned()))?;
        atomic_file::remove_left_over(path);
        let library = match Library::open(path) {
            Err(LibraryError::Missing(_)) => {
                write_empty(path)?;
                Library::open(path)?
            }
            library => library?,
        };
        Ok(Self { library, lock })
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Appends a segment that `fill` writes, if any, and makes a directory that `change` has changed the valid one.
    pub fn commit(
        &mut self,
        fill: impl FnOnce(&mut Sink<'_>) -> io::Result<Option<SegmentPlace>>,
        change: impl FnOnce(&mut Directory, Option<SegmentPlace>),
    ) -> Result<(), LibraryError> {
        let path = self.library.path().to_owned();
        let appended = || -> io::Result<()> {
            let file = File::options().read(true).write(true).open(&path)?;
            let mut out = BufWriter::with_capacity(BUFFER, file);
            let before = self.library.commit();
            out.seek(SeekFrom::Start(before.end()))?;
            let mut directory = self.library.directory().clone();
            let mut sink = Sink::new(&mut out, before.end());
            let filled = fill(&mut sink)?;
            let (sections, end) = sink.finish();
            change(&mut directory, filled.map(|segment| SegmentPlace { sections, ..segment }));
            let commit = write_directory(&mut out, &directory, before.number + 1, end)?;
            out.flush()?;
            out.get_ref().sync_data()?;
            // Now that everything is there, it counts.
            out.seek(SeekFrom::Start(commit.place()))?;
            out.write_all(&commit.to_bytes())?;
            out.flush()?;
            out.get_ref().sync_data()
        };
        appended().at_path(&path)?;
        self.library = Library::open(&path)?;
        Ok(())
    }

    /// Puts a new file in the place of the library: `kept` segments as they are, then what `fill` writes.
    pub fn rewrite(
        self,
        kept: &[usize],
        directory: &Directory,
        fill: impl FnOnce(&Library, &mut Sink<'_>) -> io::Result<Option<SegmentPlace>>,
    ) -> Result<Self, LibraryError> {
        let path = self.library.path().to_owned();
        let number = self.library.commit().number + 1;
        let mut out = AtomicFile::create(&path)?;
        let filled = || -> io::Result<()> {
            out.write_all(&empty_header())?;
            let mut at = HEADER as u64;
            let mut new = Directory { segments: Vec::new(), signs: directory.signs.clone() };
            for segment in kept.iter().filter_map(|index| directory.segments.get(*index)) {
                let mut moved = segment.clone();
                for section in &mut moved.sections {
                    let bytes =
                        self.library.map().get(section.at as usize..(section.at + section.length) as usize);
                    out.write_all(bytes.unwrap_or_default())?;
                    section.at = at;
                    at += section.length;
                }
                new.segments.push(moved);
            }
            let mut sink = Sink::new(&mut out, at);
            let segment = fill(&self.library, &mut sink)?;
            let (sections, end) = sink.finish();
            new.segments.extend(segment.map(|segment| SegmentPlace { sections, ..segment }));
            let commit = write_directory(&mut out, &new, number, end)?;
            out.seek(SeekFrom::Start(commit.place()))?;
            out.write_all(&commit.to_bytes())
        };
        filled().at_path(&path)?;
        let Self { library, lock } = self;
        // Systems that keep mapped files from being replaced get it unmapped.
        drop(library);
        out.commit()?;
        Ok(Self { library: Library::open(&path)?, lock })
    }
}

/// Writes a directory at `at`; returns the commit that names it.
fn write_directory(out: &mut impl Write, directory: &Directory, number: u64, at: u64) -> io::Result<Commit> {
    let bytes = directory.to_bytes();
    out.write_all(&bytes)?;
    Ok(Commit { number, at, length: bytes.len() as u64, checksum: crc32fast::hash(&bytes) })
}

/// Writes a library without games.
fn write_empty(path: &Path) -> Result<(), LibraryError> {
    atomic_file::write_with(path, |out| {
        out.write_all(&empty_header())?;
        let commit = write_directory(out, &Directory::default(), 1, HEADER as u64)?;
        out.seek(SeekFrom::Start(commit.place()))?;
        out.write_all(&commit.to_bytes())
    })?;
    Ok(())
}

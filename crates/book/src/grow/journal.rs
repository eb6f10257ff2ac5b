//! A journal of results that have not been saved yet: a file that is only appended to.
//!
//! Each record is the text of a position with its moves and an end mark. If a process is killed while writing, the last
//! record lacks its mark and is not read. After saving the book, the journal is removed; if that fails, replaying it
//! again changes nothing, because records replace what is there.

use crate::error::{At, BookError};
use crate::{DbReader, Entry, Problems};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The end mark of each record.
const MARK: &[u8] = b"# recorded\n";
/// The longest time for which results may be lost if the machine crashes; if only the process is killed, none are.
const SYNC: Duration = Duration::from_secs(1);

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
}

/// The path of a book's journal.
#[must_use]
pub fn journal_path(book: &Path) -> PathBuf {
    let mut name = book.as_os_str().to_owned();
    name.push(".journal");
    name.into()
}

impl Journal {
    /// Opens the journal of a book; `replay` gets what an earlier process has left in it, in order.
    pub fn open(book: &Path, replay: &mut dyn FnMut(&Entry)) -> Result<Self, BookError> {
        let path = journal_path(book);
        let old = match fs::read(&path) {
            Ok(old) => old,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).at(&path),
        };
        let whole = memchr::memmem::rfind(&old, MARK).map_or(0, |last| last + MARK.len());
        let mut reader = DbReader::new(&old[..whole], &path, Problems::skip());
        while let Some(entry) = reader.next_entry()? {
            replay(entry);
        }
        let file = File::options().create(true).append(true).open(&path).at(&path)?;
        // Removes an incomplete record at the end.
        file.set_len(whole as u64).at(&path)?;
        Ok(Self { path, file, synced: Instant::now() })
    }

    /// Appends a record. It survives a crash of the process at once, and one of the machine after a second.
    pub fn record(&mut self, entry: &Entry) -> Result<(), BookError> {
        let mut text = format!("sfen {}\n", entry.sfen()).into_bytes();
        for m in &entry.moves {
            m.write(&mut text);
            text.push(b'\n');
        }
        text.extend_from_slice(MARK);
        self.file.write_all(&text).at(&self.path)?;
        if self.synced.elapsed() >= SYNC {
            self.file.sync_data().at(&self.path)?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Empties the journal after the book has been saved.
    pub fn clear(&mut self) -> Result<(), BookError> {
        self.file.set_len(0).at(&self.path)
    }

    /// Removes the journal at the end.
    pub fn remove(self) -> Result<(), BookError> {
        let Self { path, file, .. } = self;
        drop(file);
        fs::remove_file(&path).at(&path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BookMove;
    use shogi::Position;

    #[test]
    fn a_torn_record_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("a.db");
        let entry = Entry::of(&Position::startpos(), vec![BookMove::new("7g7f".parse().unwrap())]);
        let mut journal = Journal::open(&book, &mut |_| panic!("nothing is there yet")).unwrap();
        journal.record(&entry).unwrap();
        journal.record(&entry).unwrap();
        drop(journal);
        let whole = fs::read(journal_path(&book)).unwrap();
        let one = whole.len() / 2;
        for length in 0..=whole.len() {
            fs::write(journal_path(&book), &whole[..length]).unwrap();
            let mut read = Vec::new();
            let mut journal = Journal::open(&book, &mut |entry| read.push(entry.clone())).unwrap();
            assert_eq!(read, vec![entry.clone(); length / one], "after {length} bytes");
            journal.record(&entry).unwrap();
            drop(journal);
            let mut count = 0;
            Journal::open(&book, &mut |_| count += 1).unwrap();
            assert_eq!(count, length / one + 1);
        }
        Journal::open(&book, &mut |_| ()).unwrap().remove().unwrap();
        assert!(!journal_path(&book).exists());
    }
}

//! What has been found but not yet saved: lines behind a file that is only ever appended to.
//!
//! Each record is the text of a position with its moves and an end mark. A process that is killed in the middle of one
//! leaves a record without its mark, which is not read. When the book has been saved, the journal is removed; if that
//! does not happen any more, reading it once again changes nothing, as records replace what is there.

use crate::error::{At, BookError};
use crate::{DbReader, Entry, Problems};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The line behind each record.
const MARK: &[u8] = b"# recorded\n";
/// What has been found is lost for no longer than this when the machine stops; when only the process does, nothing is.
const SYNC: Duration = Duration::from_secs(1);

/// A journal that is written.
pub struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
}

/// The journal that belongs to a book.
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
        // A record without its mark must not become part of the next.
        file.set_len(whole as u64).at(&path)?;
        Ok(Self { path, file, synced: Instant::now() })
    }

    /// Appends a record. It survives the end of the process at once, and that of the machine after a second.
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

    /// The book has been saved with everything in here.
    pub fn clear(&mut self) -> Result<(), BookError> {
        self.file.set_len(0).at(&self.path)
    }

    /// The work is done and saved.
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

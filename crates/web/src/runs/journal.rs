//! A file that grows by lines, read from where it was left.

use super::failed;
use crate::protocol::Refusal;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Longer lines are passed over.
const LONGEST: usize = 16 << 20;

/// A journal and how far it has been read.
pub(super) struct Journal {
    path: PathBuf,
    offset: u64,
}

impl Journal {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), offset: 0 }
    }

    /// How many bytes have been read.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the lines that are complete and new, each with where it begins. A file that became shorter is read anew after
    /// `restart`.
    pub(super) fn read(
        &mut self,
        restart: &mut dyn FnMut(),
        line: &mut dyn FnMut(u64, &[u8]),
    ) -> Result<(), Refusal> {
        let mut file = File::open(&self.path).map_err(|error| failed(&self.path, error))?;
        let length = file.metadata().map_err(|error| failed(&self.path, error))?.len();
        if length < self.offset {
            self.offset = 0;
            restart();
        }
        if length == self.offset {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.offset)).map_err(|error| failed(&self.path, error))?;
        let mut reader = BufReader::with_capacity(1 << 18, file);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes).map_err(|error| failed(&self.path, error))?;
            // Half a line is read again when it is whole.
            if bytes.last() != Some(&b'\n') {
                return Ok(());
            }
            if bytes.len() <= LONGEST {
                line(self.offset, &bytes);
            }
            self.offset += read as u64;
        }
    }

    /// The line that begins at a place.
    pub(super) fn line_at(&self, offset: u64) -> Result<Vec<u8>, Refusal> {
        let mut file = File::open(&self.path).map_err(|error| failed(&self.path, error))?;
        file.seek(SeekFrom::Start(offset)).map_err(|error| failed(&self.path, error))?;
        let mut bytes = Vec::new();
        BufReader::new(file).read_until(b'\n', &mut bytes).map_err(|error| failed(&self.path, error))?;
        Ok(bytes)
    }
}

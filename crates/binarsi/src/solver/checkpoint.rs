//! Checkpoint files of long searches.
//!
//! A file contains the magic line, the number of nodes, the number of entries, the entries with 16 bytes each, and a
//! checksum; numbers are little-endian. Only the entries with the most work are saved, which keeps the file small; the
//! others are quickly found again.

use super::Solver;
use super::table::Entry;
use platform::{AtPath, FileError, atomic_file};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

const MAGIC: &[u8; 24] = b"Tsumugi Binarsi proof 1\n";

/// Why a checkpoint was not read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Opening, reading or writing failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another kind of file.
    #[error("{0} is not a checkpoint of `tsumugi binarsi solve`")]
    Foreign(PathBuf),
    /// It is damaged.
    #[error("{0} is damaged: its checksum does not match; delete it to start again")]
    Damaged(PathBuf),
}

/// FNV-1a over 64-bit words.
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    }
}

impl Solver {
    /// Writes at most `most_entries` entries, those with the most work. The search may go on meanwhile.
    pub fn save(&self, path: &Path, most_entries: usize) -> Result<usize, CheckpointError> {
        Ok(atomic_file::write_with(path, |file| self.write(file, most_entries))?)
    }

    fn write(&self, file: &mut impl Write, most_entries: usize) -> io::Result<usize> {
        let entries = self.hardest(most_entries);
        let mut checksum = Checksum(0);
        file.write_all(MAGIC)?;
        let words = [self.nodes(), entries.len() as u64].into_iter();
        for word in words.chain(entries.iter().flat_map(|entry| entry.to_words())) {
            checksum.add(word);
            file.write_all(&word.to_le_bytes())?;
        }
        file.write_all(&checksum.0.to_le_bytes())?;
        Ok(entries.len())
    }

    /// The entries with the most work, at most `most`.
    fn hardest(&self, most: usize) -> Vec<Entry> {
        let mut counts = [0_usize; 256];
        for entry in self.shared.table.entries(0) {
            counts[usize::from(entry.effort)] += 1;
        }
        let mut room = most;
        let fits = |count: &&usize| {
            let fits = **count <= room;
            room = room.saturating_sub(**count);
            fits
        };
        let levels = counts.iter().rev().take_while(fits).count();
        if levels == 0 {
            return Vec::new();
        }
        let least = (256 - levels) as u8;
        self.shared.table.entries(least).take(most).collect()
    }

    /// Loads the entries of an earlier search; returns their number.
    pub fn load(&self, path: &Path) -> Result<usize, CheckpointError> {
        let file = File::open(path).at_path(path)?;
        let bytes = file.metadata().at_path(path)?.len();
        let mut file = BufReader::new(file);
        let mut magic = [0; MAGIC.len()];
        let foreign = || CheckpointError::Foreign(path.to_owned());
        file.read_exact(&mut magic).map_err(|_| foreign())?;
        if magic != *MAGIC {
            return Err(foreign());
        }
        // Reads everything before using any of it: a damaged file changes nothing.
        let entries = read(&mut file, bytes).ok_or_else(|| CheckpointError::Damaged(path.to_owned()))?;
        self.shared.nodes.fetch_add(entries.nodes, Relaxed);
        for entry in &entries.entries {
            self.shared.table.store(*entry);
        }
        Ok(entries.entries.len())
    }
}

struct Content {
    nodes: u64,
    entries: Vec<Entry>,
}

fn read(file: &mut impl Read, bytes: u64) -> Option<Content> {
    let mut checksum = Checksum(0);
    let mut word = [0; 8];
    let mut next = |file: &mut dyn Read| {
        file.read_exact(&mut word).ok()?;
        Some(u64::from_le_bytes(word))
    };
    let nodes = next(file)?;
    let count = next(file)?;
    checksum.add(nodes);
    checksum.add(count);
    if count.checked_mul(16)?.checked_add(MAGIC.len() as u64 + 24)? != bytes {
        return None;
    }
    let mut entries = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let words = [next(file)?, next(file)?];
        for word in words {
            checksum.add(word);
        }
        let entry = Entry::from_words(words);
        // Entries that are not positions make the file invalid.
        entry.key.state()?;
        entries.push(entry);
    }
    (next(file)? == checksum.0).then_some(Content { nodes, entries })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use std::num::NonZeroUsize;

    const BOARD: &str = "7/7/1xox3/1oxo3/1xoo3/7 b 23cde - 10";

    fn solver() -> Solver {
        Solver::new(8, NonZeroUsize::MIN).unwrap()
    }

    #[test]
    fn a_proof_is_taken_up_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proof");
        let board: Board = BOARD.parse().unwrap();
        let first = solver();
        let winner = first.winner(board.state()).unwrap();
        let count = first.save(&path, usize::MAX).unwrap();
        assert!(count > 0);
        let second = solver();
        assert_eq!(second.load(&path).unwrap(), count);
        assert_eq!(second.nodes(), first.nodes());
        assert_eq!(second.known(board.state()), Some(winner));
        // Even a small checkpoint contains the root, which took the most work.
        assert!(first.save(&path, 50).unwrap() <= 50);
        let third = solver();
        third.load(&path).unwrap();
        assert_eq!(third.winner(board.state()), Ok(winner));
    }

    #[test]
    fn damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proof");
        let board: Board = BOARD.parse().unwrap();
        let first = solver();
        first.winner(board.state()).unwrap();
        first.save(&path, 1000).unwrap();
        let good = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let fresh = solver();
            let error = fresh.load(&path).unwrap_err();
            assert_eq!(fresh.nodes(), 0);
            assert_eq!(fresh.shared.table.entries(0).count(), 0);
            error.to_string()
        };
        assert!(refused(b"").contains("is not a checkpoint"));
        assert!(refused(&good[1..]).contains("is not a checkpoint"));
        assert!(refused(&good[..good.len() - 1]).contains("is damaged"));
        let mut flipped = good.clone();
        flipped[60] ^= 4;
        assert!(refused(&flipped).contains("is damaged"));
        assert!(solver().load(&folder.path().join("absent")).is_err());
    }
}

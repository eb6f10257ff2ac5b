//! The first bytes of the file: what it is, and where the newest directory is.

use super::bytes::{Put, Take};
use super::directory::Directory;
use crate::LibraryError;
use std::path::Path;

/// What every library begins with; the number is that of the format.
pub(crate) const MAGIC: &[u8; 16] = b"TSUMUGI GAMES 1\n";

/// The part of it that no version changes.
const KIND: usize = 14;

/// Where the first segment begins.
pub(crate) const HEADER: usize = 4096;

const SLOTS: [usize; 2] = [512, 1024];
const SLOT: usize = 32;

/// What a slot says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Commit {
    /// Commits are counted.
    pub number: u64,
    /// Where the directory begins.
    pub at: u64,
    /// Its length.
    pub length: u64,
    /// Its checksum.
    pub checksum: u32,
}

impl Commit {
    /// Where its slot is.
    pub fn place(&self) -> u64 {
        SLOTS[(self.number % 2) as usize] as u64
    }

    /// Where the next segment may begin.
    pub fn end(&self) -> u64 {
        self.at + self.length
    }

    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SLOT);
        for number in [self.number, self.at, self.length] {
            bytes.put_u64(number);
        }
        bytes.put_u32(self.checksum);
        bytes.put_u32(crc32fast::hash(&bytes));
        bytes
    }

    fn read(slot: &[u8]) -> Option<Self> {
        let mut take = Take(slot);
        let (number, at, length) = (take.u64()?, take.u64()?, take.u64()?);
        let checksum = take.u32()?;
        let is_whole = crc32fast::hash(slot.get(..SLOT - 4)?) == take.u32()?;
        (is_whole && number > 0).then_some(Self { number, at, length, checksum })
    }
}

/// The header of a file without a slot.
pub(crate) fn empty_header() -> Vec<u8> {
    let mut header = vec![0; HEADER];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header
}

/// Whether bytes begin as a library of any version.
pub(crate) fn is_library(bytes: &[u8]) -> bool {
    bytes.get(..KIND) == MAGIC.get(..KIND)
}

/// The newest commit of a file and its directory.
pub(crate) fn newest(path: &Path, file: &[u8]) -> Result<(Commit, Directory), LibraryError> {
    if !is_library(file) {
        return Err(LibraryError::NotALibrary(path.to_owned()));
    }
    if file.get(..MAGIC.len()) != Some(MAGIC) {
        return Err(LibraryError::Version(path.to_owned()));
    }
    let commits = SLOTS.iter().filter_map(|at| Commit::read(file.get(*at..*at + SLOT)?));
    let directory = |commit: Commit| {
        let begin = usize::try_from(commit.at).ok()?;
        let bytes = file.get(begin..begin.checked_add(usize::try_from(commit.length).ok()?)?)?;
        let is_whole = crc32fast::hash(bytes) == commit.checksum;
        Some((commit, Directory::read(bytes, begin as u64).filter(|_| is_whole)?))
    };
    // A slot is written after what it names is on the disk. A kill can tear the slot, and the older one counts; a whole slot
    // that names no directory is damage, such as a file cut short, and not a reason to forget games.
    commits
        .max_by_key(|commit| commit.number)
        .and_then(directory)
        .ok_or_else(|| LibraryError::Damaged(path.to_owned(), "directory"))
}

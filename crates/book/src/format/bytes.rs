//! The bytes of a file, read or mapped into memory.

use crate::error::{At, BookError};
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Bytes that stay where they are.
pub(crate) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
    Static(&'static [u8]),
}

impl Bytes {
    /// Maps a file; that takes no time, whatever its size.
    pub(crate) fn map(path: &Path) -> Result<Self, BookError> {
        let file = File::open(path).at(path)?;
        let length = file.metadata().at(path)?.len();
        Self::map_part(&file, 0..length as usize).at(path)
    }

    /// Maps a part of a file, for those who need not have the whole of it in memory at once.
    pub(crate) fn map_part(file: &File, part: Range<usize>) -> io::Result<Self> {
        if part.is_empty() {
            // Nothing cannot be mapped.
            return Ok(Self::Owned(Vec::new()));
        }
        let mut options = MmapOptions::new();
        options.offset(part.start as u64).len(part.len());
        // SAFETY: the map is only read, as bytes, every one of which is a valid value. Another process that shortens
        // the file while it is open can end this one; nobody does that to a book in use, and every way of this crate
        // to write one puts a new file in its place.
        Ok(Self::Mapped(unsafe { options.map(file) }?))
    }
}

impl Bytes {
    /// Gives the pages of a mapped file back to the system, which keeps them in its cache: they no longer count as memory
    /// of this process, and are there again when they are looked at. Where that cannot be done, nothing happens.
    pub(crate) fn release(&self) {
        if let Self::Mapped(map) = self {
            platform::memory::release_pages(map);
        }
    }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
            Self::Static(bytes) => bytes,
        }
    }
}

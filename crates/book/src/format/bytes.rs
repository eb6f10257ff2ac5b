//! The bytes of a file, read or mapped into memory.

use crate::error::{At, BookError};
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The bytes of a file, owned or mapped.
pub(crate) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
    Static(&'static [u8]),
}

impl Bytes {
    /// Maps a file, which takes no time for any size.
    pub(crate) fn map(path: &Path) -> Result<Self, BookError> {
        let file = File::open(path).at(path)?;
        let length = file.metadata().at(path)?.len();
        Self::map_part(&file, 0..length as usize).at(path)
    }

    /// Maps a part of a file, if the whole should not be in memory at once.
    pub(crate) fn map_part(file: &File, part: Range<usize>) -> io::Result<Self> {
        if part.is_empty() {
            // An empty range cannot be mapped.
            return Ok(Self::Owned(Vec::new()));
        }
        let mut options = MmapOptions::new();
        options.offset(part.start as u64).len(part.len());
        // SAFETY: the map is only read, as bytes, of which every value is valid. If another process truncates the file,
        // this process may crash; books in use are not truncated, and all functions of this crate replace files instead
        // of changing them.
        Ok(Self::Mapped(unsafe { options.map(file) }?))
    }
}

impl Bytes {
    /// Returns the pages of a mapped file to the system's file cache: they no longer count as memory of this process,
    /// and are mapped again when they are read. Does nothing where that is impossible.
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

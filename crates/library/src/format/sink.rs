//! Writes the sections of a segment behind each other.

use super::directory::{Extent, SECTIONS, Section};
use crc32fast::Hasher;
use std::io::{self, Write};

/// Where a segment is written.
pub(crate) struct Sink<'a> {
    out: &'a mut dyn Write,
    at: u64,
    sections: [Extent; SECTIONS],
}

impl<'a> Sink<'a> {
    /// `at` is where `out` writes in the file.
    pub fn new(out: &'a mut dyn Write, at: u64) -> Self {
        Self { out, at, sections: [Extent::default(); SECTIONS] }
    }

    /// Writes a section by pieces.
    pub fn section<E: From<io::Error>>(
        &mut self,
        section: Section,
        fill: impl FnOnce(&mut Pieces<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut pieces = Pieces { out: &mut *self.out, length: 0, hasher: Hasher::new() };
        fill(&mut pieces)?;
        let Pieces { length, hasher, .. } = pieces;
        self.sections[section as usize] = Extent { at: self.at, length, checksum: hasher.finalize() };
        self.at += length;
        Ok(())
    }

    /// Where everything is, and where the next thing may begin.
    pub fn finish(self) -> ([Extent; SECTIONS], u64) {
        (self.sections, self.at)
    }
}

/// A section while it is written.
pub(crate) struct Pieces<'a> {
    out: &'a mut dyn Write,
    length: u64,
    hasher: Hasher,
}

impl Pieces<'_> {
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

//! Writes `.db` files.

use super::HEADER;
use crate::format::usi_bytes::push_number;
use crate::{BookMove, Entry};
use record::encoding::LineEnd;
use std::io::{self, Write};

/// Writes a text book entry by entry, in the order given.
pub struct DbWriter<W> {
    out: W,
    end: LineEnd,
    buffer: Vec<u8>,
    written: u64,
}

impl<W: Write> DbWriter<W> {
    /// Writes the header.
    pub fn new(mut out: W, end: LineEnd) -> io::Result<Self> {
        out.write_all(HEADER.as_bytes())?;
        out.write_all(end.bytes())?;
        Ok(Self { out, end, buffer: Vec::new(), written: 0 })
    }

    /// Writes a comment line.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(self.end.bytes())
    }

    /// Writes a position with its moves in their order; skips positions without moves.
    pub fn write(&mut self, entry: &Entry) -> io::Result<()> {
        self.buffer.clear();
        push_entry(&mut self.buffer, entry, self.end, BookMove::write);
        self.written += u64::from(!self.buffer.is_empty());
        self.out.write_all(&self.buffer)
    }

    /// Number of positions written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Appends a position with its moves in their order; skips positions without moves.
pub(crate) fn push_entry(
    out: &mut Vec<u8>,
    entry: &Entry,
    end: LineEnd,
    write: impl Fn(&BookMove, &mut Vec<u8>),
) {
    if entry.moves.is_empty() {
        return;
    }
    out.extend_from_slice(b"sfen ");
    out.extend_from_slice(&entry.place);
    out.push(b' ');
    push_number(out, entry.ply.into());
    out.extend_from_slice(end.bytes());
    for m in &entry.moves {
        write(m, out);
        out.extend_from_slice(end.bytes());
    }
}

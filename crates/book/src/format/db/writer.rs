//! Writing `.db`.

use super::HEADER;
use crate::format::usi_bytes::push_number;
use crate::{BookMove, Entry};
use std::io::{self, Write};

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineEnd {
    /// As the reference program writes them.
    #[default]
    CrLf,
    /// As everybody else does.
    Lf,
}

impl LineEnd {
    pub(crate) const fn bytes(self) -> &'static [u8] {
        match self {
            Self::CrLf => b"\r\n",
            Self::Lf => b"\n",
        }
    }
}

/// Writes a text book, entry by entry; the caller brings them in order.
pub struct DbWriter<W> {
    out: W,
    end: LineEnd,
    buffer: Vec<u8>,
    written: u64,
}

impl<W: Write> DbWriter<W> {
    /// Begins with the header.
    pub fn new(mut out: W, end: LineEnd) -> io::Result<Self> {
        out.write_all(HEADER.as_bytes())?;
        out.write_all(end.bytes())?;
        Ok(Self { out, end, buffer: Vec::new(), written: 0 })
    }

    /// A comment of its own line.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(self.end.bytes())
    }

    /// Writes a position with its moves as they stand; one without moves is left out.
    pub fn write(&mut self, entry: &Entry) -> io::Result<()> {
        self.buffer.clear();
        push_entry(&mut self.buffer, entry, self.end, BookMove::write);
        self.written += u64::from(!self.buffer.is_empty());
        self.out.write_all(&self.buffer)
    }

    /// How many positions were written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Gives back what was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Appends a position with its moves as they stand; one without moves is left out.
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

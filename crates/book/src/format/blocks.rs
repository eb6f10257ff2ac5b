//! Splits text books into blocks at positions, so that threads can read them independently.

use crate::format::db::{DbReader, Problems};
use std::io::{self, Read};
use std::path::Path;

/// Splits a text into blocks of about the same size.
pub(crate) struct Blocks<R> {
    input: R,
    size: usize,
    /// The beginning of the next block.
    carried: Vec<u8>,
    /// Lines before that.
    lines: u64,
    read: u64,
}

/// Some positions of a text book with their moves.
pub(crate) struct Block {
    text: Vec<u8>,
    /// Lines of the file before this block.
    lines: u64,
}

/// A position has fewer than 600 legal moves: a block of this size without another position is not part of a book.
const MOST_WITHOUT_POSITION: usize = 1 << 28;

impl<R: Read> Blocks<R> {
    pub(crate) fn new(input: R, size: usize) -> Self {
        Self { input, size, carried: Vec::new(), lines: 0, read: 0 }
    }

    /// Bytes read so far.
    pub(crate) fn consumed(&self) -> u64 {
        self.read
    }

    /// The next block; it ends before a line with a position, or with the file.
    pub(crate) fn next_block(&mut self) -> io::Result<Option<Block>> {
        let mut text = std::mem::take(&mut self.carried);
        loop {
            // A line end and the word may be split.
            let searched = text.len().saturating_sub(b"\nsfen ".len());
            let got = (&mut self.input).take(self.size as u64).read_to_end(&mut text)?;
            self.read += got as u64;
            let last = |needle: &[u8]| memchr::memmem::rfind(&text[searched..], needle);
            let cut = if got < self.size { None } else { last(b"\nsfen ").or_else(|| last(b"\rsfen ")) };
            if let Some(at) = cut {
                self.carried = text.split_off(searched + at + 1);
            } else if got == self.size {
                if text.len() > MOST_WITHOUT_POSITION {
                    let message = format!("no position in {MOST_WITHOUT_POSITION} bytes of text");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
                continue;
            }
            if text.is_empty() {
                return Ok(None);
            }
            let lines = self.lines;
            self.lines += count_lines(&text);
            return Ok(Some(Block { text, lines }));
        }
    }
}

/// Line ends in a text: `\n`, `\r` and `\r\n`.
fn count_lines(text: &[u8]) -> u64 {
    let lone_returns =
        text.iter().zip(&text[1..]).filter(|pair| *pair.0 == b'\r' && *pair.1 != b'\n').count();
    let last_return = usize::from(text.last() == Some(&b'\r'));
    (memchr::memchr_iter(b'\n', text).count() + lone_returns + last_return) as u64
}

impl Block {
    /// Reads the positions of the block; `path` is for messages.
    pub(crate) fn reader(&self, path: &Path, problems: Problems) -> DbReader<&[u8]> {
        DbReader::new(self.text.as_slice(), path, problems).after_lines(self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entry;

    fn all_entries(reader: &mut DbReader<&[u8]>) -> (Vec<Entry>, Option<String>) {
        let mut entries = Vec::new();
        loop {
            match reader.next_entry() {
                Ok(Some(entry)) => entries.push(entry.clone()),
                Ok(None) => return (entries, None),
                Err(error) => return (entries, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn blocks_of_any_size_say_the_same() {
        let king = "4k4/9/9/9/9/9/9/9/4K4 b";
        let mut text = "\u{feff}#YANEURAOU-DB2016 1.00\r\n".to_owned();
        for number in 1..50 {
            let end = ["\n", "\r\n", "\r"][number % 3];
            let number = number.to_string();
            let position = ["sfen ", king, " ", &number, "P ", &number, end, "5i5h none ", &number, end];
            text.extend(position.into_iter().chain(["# note", end, "5i4h", end, end]));
        }
        // A position with too many pawns is invalid: the message names the line.
        let expected = all_entries(&mut DbReader::new(text.as_bytes(), "a.db", Problems::stop()));
        assert_eq!((expected.0.len(), expected.1.as_deref().map(|e| &e[..9])), (30, Some("a.db:157:")));
        for size in [16, 100, 1000, 1 << 20] {
            let mut blocks = Blocks::new(text.as_bytes(), size);
            let mut found = (Vec::new(), None);
            while let Some(block) = blocks.next_block().unwrap()
                && found.1.is_none()
            {
                let (mut entries, error) =
                    all_entries(&mut block.reader(Path::new("a.db"), Problems::stop()));
                found.0.append(&mut entries);
                found.1 = error;
            }
            // The line-by-line reader has not returned the position before the fault.
            assert!(found.0.starts_with(&expected.0) && found.1 == expected.1, "blocks of {size}");
        }
    }
}

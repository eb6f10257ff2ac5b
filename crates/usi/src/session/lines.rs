use std::io::{self, BufRead, Read};

/// Longer lines are skipped; a `position` with 10,000 moves needs a twentieth of it.
pub(super) const MAX_LINE: usize = 1 << 20;

/// Reads lines of bytes in bounded memory.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
}

#[derive(PartialEq, Eq, Debug)]
pub(super) enum Line<'a> {
    /// A line, with its line end if it had one.
    Text(&'a [u8]),
    /// More than [`MAX_LINE`] bytes, which are skipped.
    TooLong,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: Vec::new() }
    }

    /// The underlying reader.
    pub(super) fn input(&self) -> &R {
        &self.input
    }

    /// The next line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let read = (&mut self.input).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        if read > MAX_LINE && self.buffer.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(Line::Text(&self.buffer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_needs_no_end() {
        let mut lines = Lines::new(&b"a\r\n\nb"[..]);
        assert_eq!(lines.next().unwrap(), Some(Line::Text(b"a\r\n")));
        assert_eq!(lines.next().unwrap(), Some(Line::Text(b"\n")));
        assert_eq!(lines.next().unwrap(), Some(Line::Text(b"b")));
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn long_lines_are_skipped_as_a_whole() {
        for (length, fits) in [(MAX_LINE, true), (MAX_LINE + 1, false), (3 * MAX_LINE, false)] {
            let text = [vec![b'x'; length], b"\nusi\n".to_vec()].concat();
            let mut lines = Lines::new(&text[..]);
            assert_eq!(lines.next().unwrap() != Some(Line::TooLong), fits, "{length}");
            assert_eq!(lines.next().unwrap(), Some(Line::Text(b"usi\n")));
            assert_eq!(lines.next().unwrap(), None);
        }
        assert_eq!(Lines::new(&vec![b'x'; MAX_LINE + 1][..]).next().unwrap(), Some(Line::TooLong));
    }
}

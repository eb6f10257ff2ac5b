//! Reads lines of arbitrary files: any line end, an optional byte order mark, lines of limited length.

use crate::error::LineFault;
use std::io::{self, Read};

/// Lines of books have a hundred bytes, lists of games some thousands.
pub(crate) const MAX_LINE: usize = 1 << 16;
/// Some editors put it before UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const ROOM: usize = 1 << 18;

/// Reads line by line into one buffer. `
/// `, `\r` or `\r
/// ` ends a line.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// The part of the buffer that has not been returned yet.
    begin: usize,
    end: usize,
    number: u64,
    /// Number of bytes returned, line ends included.
    consumed: u64,
    /// Whether the last line ended with `\r`; a `
    /// ` right after it belongs to it.
    after_return: bool,
    ended: bool,
}

/// A line, or its fault.
pub(crate) enum Line<'a> {
    Text(&'a [u8]),
    Fault(LineFault),
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; ROOM],
            begin: 0,
            end: 0,
            number: 0,
            consumed: 0,
            after_return: false,
            ended: false,
        }
    }

    /// The number of the last line returned, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Bytes read so far, for progress.
    pub(crate) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// The next line that is not blank, without trailing blanks.
    pub(crate) fn next_filled(&mut self) -> io::Result<Option<Line<'_>>> {
        Ok(self.next_numbered()?.map(|(_, line)| line))
    }

    /// Like [`Lines::next_filled`], with the number of the line.
    pub(crate) fn next_numbered(&mut self) -> io::Result<Option<(u64, Line<'_>)>> {
        loop {
            let Some(range) = self.next_range()? else { return Ok(None) };
            match range {
                Err(fault) => return Ok(Some((self.number, Line::Fault(fault)))),
                Ok((begin, end)) => {
                    let trimmed = self.buffer[begin..end].trim_ascii_end().len();
                    if trimmed > 0 {
                        return Ok(Some((self.number, Line::Text(&self.buffer[begin..begin + trimmed]))));
                    }
                }
            }
        }
    }

    /// The range of the next line in the buffer; `None` at the end of the input.
    #[allow(clippy::type_complexity, reason = "an inner function")]
    fn next_range(&mut self) -> io::Result<Option<Result<(usize, usize), LineFault>>> {
        if self.number == 0 {
            while self.end - self.begin < 3 && self.fill()? {}
            match &self.buffer[self.begin..self.end] {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
                    (self.begin, self.end, self.ended, self.number) = (0, 0, true, 1);
                    return Ok(Some(Err(LineFault::Utf16)));
                }
                [0xef, 0xbb, 0xbf, ..] => self.begin += 3,
                _ => {}
            }
        }
        if self.after_return {
            if self.begin == self.end {
                self.fill()?;
            }
            if self.begin < self.end && self.buffer[self.begin] == b'\n' {
                self.begin += 1;
                self.consumed += 1;
            }
            self.after_return = false;
        }
        let mut searched = 0;
        loop {
            let rest = &self.buffer[self.begin..self.end];
            if let Some(at) = memchr::memchr2(b'\n', b'\r', &rest[searched..]) {
                let length = searched + at;
                self.after_return = rest[length] == b'\r';
                return Ok(Some(self.give(length, 1)));
            }
            searched = rest.len();
            if searched > MAX_LINE {
                return self.skip_long().map(Some);
            }
            if !self.fill()? {
                return Ok((searched > 0).then(|| self.give(searched, 0)));
            }
        }
    }

    fn give(&mut self, length: usize, line_end: usize) -> Result<(usize, usize), LineFault> {
        self.number += 1;
        let begin = self.begin;
        self.begin += length + line_end;
        self.consumed += (length + line_end) as u64;
        if length > MAX_LINE { Err(LineFault::TooLong(MAX_LINE)) } else { Ok((begin, begin + length)) }
    }

    /// Skips the rest of a line that is too long.
    fn skip_long(&mut self) -> io::Result<Result<(usize, usize), LineFault>> {
        loop {
            let rest = &self.buffer[self.begin..self.end];
            if let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
                self.after_return = rest[at] == b'\r';
                self.begin += at + 1;
                break;
            }
            self.begin = self.end;
            if !self.fill()? {
                break;
            }
        }
        self.number += 1;
        Ok(Err(LineFault::TooLong(MAX_LINE)))
    }

    /// Reads more into the buffer; returns whether there was more.
    fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.buffer.copy_within(self.begin..self.end, 0);
        (self.begin, self.end) = (0, self.end - self.begin);
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(false);
                }
                Ok(count) => {
                    self.end += count;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, rest) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = rest;
            Ok(count)
        }
    }

    fn read_all(bytes: &[u8], step: usize) -> Vec<(u64, String)> {
        let mut lines = Lines::new(Drip(bytes, step));
        let mut all = Vec::new();
        while let Some(line) = lines.next_filled().unwrap() {
            let text = match line {
                Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                Line::Fault(fault) => fault.to_string(),
            };
            all.push((lines.number(), text));
        }
        all
    }

    #[test]
    fn any_line_end_will_do() {
        for step in [1, 2, 3, 1000] {
            let lines = read_all(b"\xef\xbb\xbfa \r\nb\rc\n\n\r\n  \nd\t", step);
            let expected = [(1, "a"), (2, "b"), (3, "c"), (7, "d")];
            assert_eq!(lines, expected.map(|(number, text)| (number, text.to_owned())), "step {step}");
        }
        assert_eq!(read_all(b"", 1), []);
    }

    #[test]
    fn long_lines_are_named_and_passed_over() {
        let mut bytes = b"a\n".to_vec();
        bytes.extend(vec![b'x'; 3 * ROOM]);
        bytes.extend(b"\nb\n");
        bytes.extend(vec![b'y'; MAX_LINE + 1]);
        for step in [1000, usize::MAX] {
            let long = "the line is longer than 65536 bytes";
            let expected = [(1, "a"), (2, long), (3, "b"), (4, long)];
            assert_eq!(read_all(&bytes, step), expected.map(|(n, text)| (n, text.to_owned())));
        }
    }

    #[test]
    fn wide_letters_are_refused() {
        assert_eq!(read_all(b"\xff\xfes\0f\0", 99), [(1, "the file is UTF-16; save it as UTF-8".to_owned())]);
    }
}

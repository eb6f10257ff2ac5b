//! Splits a stream of arbitrary bytes into lines.

use std::collections::VecDeque;
use std::time::Instant;

/// A line that a program wrote, without its end, and when it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The text; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
}

/// The result of waiting for a line.
#[derive(PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line.
    Line(Line),
    /// No line arrived before the deadline.
    Silence,
    /// The stream is closed, and all its lines have been taken.
    Closed,
}

/// Longer lines are cut into pieces, so that a program that never ends a line cannot fill the memory.
const LONGEST: usize = 1 << 18;

/// Collects bytes and splits them into lines.
#[derive(Debug)]
pub(crate) struct Lines {
    whole: VecDeque<Line>,
    rest: Vec<u8>,
    /// Bytes in `whole`.
    waiting: usize,
    total: u64,
    longest: usize,
    overlong: bool,
}

impl Default for Lines {
    fn default() -> Self {
        Self::with_longest(LONGEST)
    }
}

impl Lines {
    /// Lines of more than `longest` bytes are cut into pieces.
    pub(crate) const fn with_longest(longest: usize) -> Self {
        Self { whole: VecDeque::new(), rest: Vec::new(), waiting: 0, total: 0, longest, overlong: false }
    }

    /// Whether any line was cut into pieces.
    pub(crate) const fn overlong(&self) -> bool {
        self.overlong
    }

    pub(crate) fn push(&mut self, bytes: &[u8], at: Instant) {
        self.total += bytes.len() as u64;
        let mut pieces = bytes.split(|&byte| byte == b'\n');
        // `split` always returns at least one piece; the last one has no line end yet.
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            self.rest.extend_from_slice(piece);
            self.overlong |= self.rest.len() > self.longest;
            self.end_line(at);
        }
        self.rest.extend_from_slice(last);
        if self.rest.len() > self.longest {
            self.overlong = true;
            self.end_line(at);
        }
    }

    /// Ends the line being read, at a line end or at the end of the stream.
    pub(crate) fn end_line(&mut self, at: Instant) {
        let end = self.rest.strip_suffix(b"\r").map_or(self.rest.len(), <[u8]>::len);
        let text = String::from_utf8_lossy(&self.rest[..end]).into_owned();
        self.rest.clear();
        self.waiting += text.len() + 1;
        self.whole.push_back(Line { text, at });
    }

    pub(crate) fn end_of_input(&mut self, at: Instant) {
        if !self.rest.is_empty() {
            self.end_line(at);
        }
    }

    pub(crate) fn take(&mut self) -> Option<Line> {
        let line = self.whole.pop_front()?;
        self.waiting -= line.text.len() + 1;
        Some(line)
    }

    /// Bytes that have not been taken yet.
    pub(crate) const fn waiting(&self) -> usize {
        self.waiting
    }

    /// Bytes received in total.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        for chunk in chunks {
            lines.push(chunk, Instant::now());
        }
        lines.end_of_input(Instant::now());
        let all = std::iter::from_fn(|| lines.take()).map(|line| line.text).collect();
        assert_eq!(lines.waiting(), 0);
        all
    }

    #[test]
    fn lines_are_cut_wherever_the_chunks_are() {
        assert_eq!(cut(&[b"usi", b"ok\r\nrea", b"dyok\n\nx"]), ["usiok", "readyok", "", "x"]);
        assert_eq!(cut(&[b"a\n"]), ["a"]);
        assert_eq!(cut(&[&[0xff, b'\n']]), ["\u{fffd}"]);
        assert!(cut(&[]).is_empty());
    }

    #[test]
    fn an_endless_line_is_cut() {
        let chunk = vec![b'x'; 1 << 16];
        let lines = cut(&[&chunk, &chunk, &chunk, &chunk, &chunk]);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [5 << 16]);
    }
}

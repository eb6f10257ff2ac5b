//! What people and programs write beside the moves.

use crate::encoding::{shift_jis, text_in_utf8};
use crate::lines::{line_end, places};
use std::fmt;

/// Notes at one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Comment for the reader.
    pub comments: Lines,
    /// Name under which the reader can jump here (`&` in KIF).
    pub bookmark: Option<String>,
    /// What programs tell programs: `#` lines of KIF, plain `'` lines of CSA.
    pub remarks: Lines,
}

impl Note {
    /// Nothing noted.
    pub const EMPTY: Self = Self { comments: Lines::NONE, bookmark: None, remarks: Lines::NONE };

    /// The same without owning it.
    #[must_use]
    pub fn view(&self) -> NoteRef<'_> {
        NoteRef {
            comments: self.comments.view(),
            bookmark: self.bookmark.as_deref(),
            remarks: self.remarks.view(),
        }
    }
}

/// A look at the notes of one node, wherever they are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoteRef<'a> {
    /// Comment for the reader.
    pub comments: LinesRef<'a>,
    /// Name under which the reader can jump here.
    pub bookmark: Option<&'a str>,
    /// What programs tell programs.
    pub remarks: LinesRef<'a>,
}

impl NoteRef<'_> {
    /// Whether nothing is noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A copy to keep.
    #[must_use]
    pub fn to_note(self) -> Note {
        Note {
            comments: self.comments.iter().collect(),
            bookmark: self.bookmark.map(str::to_owned),
            remarks: self.remarks.iter().collect(),
        }
    }
}

/// Lines of text in one piece of memory: files hold one for every few moves.
///
/// ```
/// let mut lines = record::Lines::default();
/// lines.push("定跡");
/// lines.push("");
/// assert_eq!(lines.len(), 2);
/// assert_eq!(lines, ["定跡", ""]);
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// Every line with its end.
    text: String,
}

/// Most lines are shorter.
const CHUNK: usize = 64;

/// No more memory is asked for at once before it is needed.
const MOST_ROOM: usize = 1 << 14;

impl Lines {
    /// No lines.
    pub const NONE: Self = Self { text: String::new() };

    /// Adds a line; a line end inside it begins another.
    pub fn push(&mut self, line: &str) {
        self.text.reserve(line.len() + 1);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// How many bytes the lines take, each with its end.
    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    /// Those between two sizes that this had.
    pub(crate) fn between(&self, start: usize, end: usize) -> LinesRef<'_> {
        LinesRef { text: self.text.get(start..end).unwrap_or_default() }
    }

    /// The same without owning them.
    #[must_use]
    pub fn view(&self) -> LinesRef<'_> {
        LinesRef { text: &self.text }
    }

    /// Puts a line before the others.
    pub fn insert_first(&mut self, line: &str) {
        self.text.insert(0, '\n');
        self.text.insert_str(0, line);
    }

    /// The lines in order.
    #[must_use]
    pub fn iter(&self) -> std::str::SplitTerminator<'_, char> {
        self.view().iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.view().is_empty()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Removes those for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        *self = self.iter().filter(|line| keep(line)).collect();
    }
}

/// Lines to which others are added before anybody knows that they are text: then they are looked at once and together.
pub(crate) struct Draft {
    bytes: Vec<u8>,
    /// So many bytes are whole characters of UTF-8.
    known: usize,
}

impl From<Lines> for Draft {
    fn from(lines: Lines) -> Self {
        let bytes = lines.text.into_bytes();
        Self { known: bytes.len(), bytes }
    }
}

impl Draft {
    /// How many bytes the lines take, each with its end.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Adds the first line of some bytes of UTF-8, and says how many of them it takes with its end. `None`, and nothing happens,
    /// if it ends nowhere or too near to the end.
    #[inline(always)]
    pub fn take_line(&mut self, text: &[u8]) -> Option<usize> {
        if self.bytes.capacity() - self.bytes.len() < CHUNK {
            self.make_room(text.len());
        }
        // A copy of fixed size needs no call and no loop.
        let chunk: &[u8; CHUNK] = text.first_chunk()?;
        let ends = places(chunk, b'\n');
        if ends == 0 {
            return self.take_long_line(text);
        }
        let (start, end) = (self.bytes.len(), ends.trailing_zeros() as usize);
        self.bytes.extend_from_slice(chunk);
        self.end_line(start, end, text);
        Some(end + 1)
    }

    #[inline(never)]
    fn take_long_line(&mut self, text: &[u8]) -> Option<usize> {
        // There is none in the first chunk.
        let (start, end) = (self.bytes.len(), CHUNK + memchr::memchr(b'\n', &text[CHUNK..])?);
        self.bytes.extend_from_slice(&text[..=end]);
        self.end_line(start, end, text);
        Some(end + 1)
    }

    /// Cuts the line that begins at `start` where it ends.
    #[inline(always)]
    fn end_line(&mut self, start: usize, end: usize, text: &[u8]) {
        let length = end - usize::from(end > 0 && text[end - 1] == b'\r');
        self.bytes.truncate(start + length + 1);
        if let Some(last) = self.bytes.last_mut() {
            *last = b'\n';
        }
    }

    /// For more lines of a file of which so many bytes are left.
    #[cold]
    fn make_room(&mut self, rest: usize) {
        self.bytes.reserve((rest / 2).clamp(CHUNK, MOST_ROOM));
    }

    /// The same with bytes of Shift_JIS. `None` also if this is not text.
    #[inline(always)]
    pub fn take_shift_jis_line(&mut self, text: &[u8]) -> Option<usize> {
        let end = line_end(text)?;
        let line = &text[..end];
        let all_known = self.known == self.bytes.len();
        if !shift_jis::append(line.strip_suffix(b"\r").unwrap_or(line), &mut self.bytes) {
            return None;
        }
        self.bytes.push(b'\n');
        if all_known {
            self.known = self.bytes.len();
        }
        Some(end + 1)
    }

    /// The lines, if they are text; else as many as were known to be.
    pub fn finish(mut self) -> (Lines, bool) {
        let is_text = self.known == self.bytes.len() || text_in_utf8(&self.bytes[self.known..]).is_some();
        if !is_text {
            self.bytes.truncate(self.known);
        }
        // SAFETY: these bytes are whole characters: known before, written by a decoder, or looked at just now.
        (Lines { text: unsafe { String::from_utf8_unchecked(self.bytes) } }, is_text)
    }
}

/// A look at lines that somebody else keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct LinesRef<'a> {
    /// Every line with its end.
    text: &'a str,
}

impl<'a> LinesRef<'a> {
    /// The lines in order.
    #[must_use]
    pub fn iter(self) -> std::str::SplitTerminator<'a, char> {
        self.text.split_terminator('\n')
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl fmt::Debug for LinesRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl<'a> IntoIterator for LinesRef<'a> {
    type Item = &'a str;
    type IntoIter = std::str::SplitTerminator<'a, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<const N: usize> PartialEq<[&str; N]> for LinesRef<'_> {
    fn eq(&self, other: &[&str; N]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<'a> IntoIterator for &'a Lines {
    type Item = &'a str;
    type IntoIter = std::str::SplitTerminator<'a, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<S: AsRef<str>> Extend<S> for Lines {
    fn extend<I: IntoIterator<Item = S>>(&mut self, lines: I) {
        lines.into_iter().for_each(|line| self.push(line.as_ref()));
    }
}

impl<S: AsRef<str>> FromIterator<S> for Lines {
    fn from_iter<I: IntoIterator<Item = S>>(lines: I) -> Self {
        let mut all = Self::NONE;
        all.extend(lines);
        all
    }
}

impl<const N: usize> PartialEq<[&str; N]> for Lines {
    fn eq(&self, other: &[&str; N]) -> bool {
        self.view() == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_text() {
        let mut others = Lines::default();
        let (mut some, mut decoded) = (Draft::from(Lines::NONE), Draft::from(Lines::NONE));
        for length in 0..3 * CHUNK {
            for end in ["\n", "\r\n", "\r\r\n"] {
                let line = format!("{}{}", "長".repeat(length / 3), "a".repeat(length % 3));
                let text = [&line, end, &"次".repeat(CHUNK)].concat();
                let bytes = encoding_rs::SHIFT_JIS.encode(&text).0;
                assert_eq!(some.take_line(text.as_bytes()), Some(line.len() + end.len()));
                assert!(decoded.take_shift_jis_line(&bytes).is_some());
                others.push(&text[..line.len() + end.len() - end.len().min(2)]);
                assert_eq!(some.take_line(line.as_bytes()), None);
                assert_eq!(decoded.take_shift_jis_line(line.as_bytes()), None);
                assert_eq!((some.size(), decoded.size()), (others.size(), others.size()));
            }
        }
        for draft in [some, decoded] {
            let mut draft = Draft::from(draft.finish().0);
            assert_eq!(draft.take_line(&[b"\xe9\n".as_slice(), &[0; CHUNK]].concat()), Some(2));
            assert_eq!(draft.finish(), (others.clone(), false));
        }
    }

    #[test]
    fn lines_stay_apart() {
        let mut lines: Lines = ["一", "", "三\n四"].into_iter().collect();
        assert_eq!(lines, ["一", "", "三", "四"]);
        assert_eq!(format!("{lines:?}"), r#"["一", "", "三", "四"]"#);
        lines.retain(|line| line != "三");
        assert_eq!(lines, ["一", "", "四"]);
        lines.retain(str::is_empty);
        assert_eq!((lines.len(), lines.is_empty()), (1, false));
        lines.insert_first("零");
        assert_eq!(lines, ["零", ""]);
        lines.clear();
        assert_eq!(lines, Lines::NONE);
    }
}

//! What people and programs write beside the moves.

use crate::lines::places;
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

/// So many bytes are copied and looked at at once; most lines are shorter.
const CHUNK: usize = 64;

/// Room for the comments of most games.
const USUAL_BYTES: usize = 2000;

impl Lines {
    /// No lines.
    pub const NONE: Self = Self { text: String::new() };

    /// Adds a line; a line end inside it begins another.
    pub fn push(&mut self, line: &str) {
        self.text.reserve(line.len() + 1);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds the first line of a text and says how many bytes it takes there with its end. `None`, and nothing happens, if it
    /// ends nowhere or too near to the end of the text.
    #[inline(always)]
    pub(crate) fn take_line(&mut self, text: &str) -> Option<usize> {
        let start = self.text.len();
        if start == 0 {
            self.text.reserve(USUAL_BYTES);
        }
        // SAFETY: in the end the text is what it was before, or that and a line with its end: whole characters.
        let bytes = unsafe { self.text.as_mut_vec() };
        // Copies of fixed size need no call, and the end is found on the way.
        for (number, chunk) in text.as_bytes().as_chunks::<CHUNK>().0.iter().enumerate() {
            bytes.extend_from_slice(chunk);
            let ends = places(chunk, b'\n');
            if ends != 0 {
                let end = number * CHUNK + ends.trailing_zeros() as usize;
                let length = end - usize::from(end > 0 && text.as_bytes()[end - 1] == b'\r');
                bytes.truncate(start + length + 1);
                if let Some(last) = bytes.last_mut() {
                    *last = b'\n';
                }
                return Some(end + 1);
            }
        }
        bytes.truncate(start);
        None
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
        self.iter().count()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Removes what was added behind a size that this had.
    pub(crate) fn truncate(&mut self, size: usize) {
        self.text.truncate(size);
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

/// A look at lines that somebody else keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct LinesRef<'a> {
    /// Every line with its end.
    text: &'a str,
}

impl<'a> LinesRef<'a> {
    /// The lines in order.
    #[must_use]
    pub fn iter(&self) -> std::str::SplitTerminator<'a, char> {
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
        let (mut some, mut others) = (Lines::default(), Lines::default());
        for length in 0..3 * CHUNK {
            for end in ["\n", "\r\n", "\r\r\n"] {
                let line = format!("{}{}", "長".repeat(length / 3), "a".repeat(length % 3));
                let text = [&line, end, &"次".repeat(CHUNK)].concat();
                assert_eq!(some.take_line(&text), Some(line.len() + end.len()));
                others.push(&text[..line.len() + end.len() - end.len().min(2)]);
                assert_eq!(some, others);
                assert_eq!(some.take_line(&text[..line.len()]), None);
                assert_eq!(some, others);
            }
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

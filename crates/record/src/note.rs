//! What people and programs write beside the moves.

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

    /// Removes everything; says how many bytes of memory it keeps for what comes next.
    pub(crate) fn clear(&mut self) -> usize {
        self.comments.clear();
        self.bookmark = None;
        self.remarks.clear();
        self.room()
    }

    /// For how many bytes of lines it has memory.
    pub(crate) fn room(&self) -> usize {
        self.comments.text.capacity() + self.remarks.text.capacity()
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
const SHORT: usize = 64;

/// Room for most notes.
const USUAL_BYTES: usize = 96;

impl Lines {
    /// No lines.
    pub const NONE: Self = Self { text: String::new() };

    /// Adds a line; a line end inside it begins another.
    pub fn push(&mut self, line: &str) {
        // Where one line is written, more tend to follow.
        self.text.reserve((line.len() + 1).max(if self.text.is_empty() { USUAL_BYTES } else { 0 }));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The same with one of which this is known: the text that it begins, and its length without the end.
    #[inline(always)]
    pub(crate) fn push_first_of(&mut self, text: &str, length: usize) {
        let line = &text[..length];
        match text.as_bytes().first_chunk::<SHORT>() {
            // A copy of fixed size needs no call and no loop.
            Some(begin) if length < SHORT => {
                self.text.reserve(2 * SHORT);
                // SAFETY: what is left of the copy is the line, and a line end.
                let bytes = unsafe { self.text.as_mut_vec() };
                let end = bytes.len() + line.len();
                bytes.extend_from_slice(begin);
                bytes.truncate(end);
                bytes.push(b'\n');
            }
            _ => self.push(line),
        }
    }

    /// Puts a line before the others.
    pub fn insert_first(&mut self, line: &str) {
        self.text.insert(0, '\n');
        self.text.insert_str(0, line);
    }

    /// The lines in order.
    #[must_use]
    pub fn iter(&self) -> std::str::SplitTerminator<'_, char> {
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

    /// Removes all.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Removes those for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        *self = self.iter().filter(|line| keep(line)).collect();
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
        self.iter().eq(other.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_text() {
        let text = "長い文".repeat(40);
        let (mut some, mut others) = (Lines::default(), Lines::default());
        for (at, _) in text.char_indices() {
            for (end, _) in text[at..].char_indices().step_by(5) {
                some.push_first_of(&text[at..], end);
                others.push(&text[at..at + end]);
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

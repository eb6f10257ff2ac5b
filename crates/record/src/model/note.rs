//! Comments, bookmarks and remarks.

use std::fmt;

/// Notes at one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Comments for people.
    pub comments: Lines,
    /// A bookmark (`&` in KIF).
    pub bookmark: Option<String>,
    /// Remarks for programs: `#` lines of KIF, plain `'` lines of CSA.
    pub remarks: Lines,
}

impl Note {
    /// Nothing noted.
    pub const EMPTY: Self = Self { comments: Lines::NONE, bookmark: None, remarks: Lines::NONE };

    /// A borrowed view.
    #[must_use]
    pub fn view(&self) -> NoteRef<'_> {
        NoteRef {
            comments: self.comments.view(),
            bookmark: self.bookmark.as_deref(),
            remarks: self.remarks.view(),
        }
    }
}

/// The notes of one node, borrowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoteRef<'a> {
    /// Comments for people.
    pub comments: LinesRef<'a>,
    /// A bookmark.
    pub bookmark: Option<&'a str>,
    /// Remarks for programs.
    pub remarks: LinesRef<'a>,
}

impl NoteRef<'_> {
    /// Whether there are no notes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// An owned copy.
    #[must_use]
    pub fn to_note(self) -> Note {
        Note {
            comments: self.comments.iter().collect(),
            bookmark: self.bookmark.map(str::to_owned),
            remarks: self.remarks.iter().collect(),
        }
    }
}

/// Lines of text in a single allocation, because files have a comment at every few moves.
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
    /// All lines, each with its line end.
    text: String,
}

impl Lines {
    /// No lines.
    pub const NONE: Self = Self { text: String::new() };

    /// Adds a line; a line end in it starts another.
    pub fn push(&mut self, line: &str) {
        self.text.reserve(line.len() + 1);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A borrowed view.
    #[must_use]
    pub fn view(&self) -> LinesRef<'_> {
        LinesRef { text: &self.text }
    }

    /// Inserts a line before the others.
    pub fn insert_first(&mut self, line: &str) {
        self.text.insert(0, '\n');
        self.text.insert_str(0, line);
    }

    /// The lines in order.
    #[must_use]
    pub fn iter(&self) -> std::str::SplitTerminator<'_, char> {
        self.view().iter()
    }

    /// Number of lines.
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

/// Borrowed lines.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct LinesRef<'a> {
    /// All lines, each with its line end.
    text: &'a str,
}

impl<'a> LinesRef<'a> {
    /// The lines in order.
    #[must_use]
    pub fn iter(self) -> std::str::SplitTerminator<'a, char> {
        self.text.split_terminator('\n')
    }

    /// Number of lines.
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

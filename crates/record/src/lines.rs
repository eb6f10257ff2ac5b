//! Lines of text files of every system.

mod masks;

pub(crate) use self::masks::{line_end, near, places, wide};
use std::borrow::Cow;

/// The lines of a text: ended by `\n` or `\r\n`, or by `\r` where no `\n` is.
pub(crate) fn lines(text: &str) -> TextLines<'_> {
    let end = if line_end(text.as_bytes()).is_some() { b'\n' } else { b'\r' };
    TextLines { rest: Some(text), end }
}

/// Iterates as [`lines()`] says.
pub(crate) struct TextLines<'a> {
    rest: Option<&'a str>,
    end: u8,
}

impl<'a> TextLines<'a> {
    /// Lets `read` take lines, ended by `\n`, off the start of what is left; it says how many and what follows them.
    #[inline]
    pub fn take_with(&mut self, read: impl FnOnce(&'a str) -> (usize, &'a str)) -> usize {
        match self.rest {
            Some(rest) if self.end == b'\n' => {
                let (taken, rest) = read(rest);
                self.rest = Some(rest);
                taken
            }
            _ => 0,
        }
    }
}

impl<'a> Iterator for TextLines<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        let all = self.rest?;
        let end = if self.end == b'\n' {
            line_end(all.as_bytes())
        } else {
            memchr::memchr(self.end, all.as_bytes())
        };
        self.rest = end.map(|at| &all[at + 1..]);
        let line = &all[..end.unwrap_or(all.len())];
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

/// Skips spaces and tabs.
#[inline(always)]
pub(crate) fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    &text[blanks..]
}

/// Text for one line of a file, whatever it held: no line ends, no byte order marks.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    const BREAKS: [char; 3] = ['\r', '\n', '\u{feff}'];
    // Nearly all texts have none even of their first bytes.
    let may = memchr::memchr3(b'\r', b'\n', 0xef, text.as_bytes()).is_some();
    if may && text.contains(BREAKS) { Cow::Owned(text.replace(BREAKS, " ")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_system() {
        for text in ["a\nb", "a\r\nb", "a\rb"] {
            assert_eq!(super::lines(text).collect::<Vec<_>>(), ["a", "b"], "{text:?}");
        }
        assert_eq!(super::lines("a\n\n").collect::<Vec<_>>(), ["a", "", ""]);
    }
}

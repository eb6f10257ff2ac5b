//! Splits text into lines, with the line ends of any system.

use std::borrow::Cow;

/// The lines of a text, ended by `
/// ` or `\r
/// `, or by `\r` if it has no `
/// `.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let end = if memchr::memchr(b'\n', text.as_bytes()).is_some() { b'\n' } else { b'\r' };
    let ends = memchr::memchr_iter(end, text.as_bytes()).chain([text.len()]);
    ends.scan(0, |start, end| Some(&text[std::mem::replace(start, end + 1)..end]))
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// The lines of a file in any encoding, each with its `\n`.
pub(crate) fn byte_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1).chain([bytes.len()]);
    ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end)..end]))
}

/// Skips spaces and tabs.
pub(crate) fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    &text[blanks..]
}

/// Makes text fit in one line of a file: removes line ends and byte order marks.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    const BREAKS: [char; 3] = ['\r', '\n', '\u{feff}'];
    if text.contains(BREAKS) { Cow::Owned(text.replace(BREAKS, " ")) } else { Cow::Borrowed(text) }
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

//! Lines of text files of every system.

use std::borrow::Cow;

/// The lines of a text: ended by `\n` or `\r\n`, or by `\r` where no `\n` is.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let end = if text.as_bytes().contains(&b'\n') { b'\n' } else { b'\r' };
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let all = rest?;
        let end = memchr::memchr(end, all.as_bytes());
        rest = end.map(|at| &all[at + 1..]);
        let line = &all[..end.unwrap_or(all.len())];
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// Text for one line of a file, whatever it held: no line ends, no byte order marks.
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

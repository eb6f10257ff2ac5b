//! Lines of text files of every system.

/// The lines of a text: ended by `\n` or `\r\n`, or by `\r` where no `\n` is.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split(end).map(|line| line.strip_suffix('\r').unwrap_or(line))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_system() {
        for text in ["a\nb", "a\r\nb", "a\rb"] {
            assert_eq!(super::lines(text).collect::<Vec<_>>(), ["a", "b"], "{text:?}");
        }
    }
}

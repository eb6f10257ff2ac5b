//! Names of options: case-insensitive, blanks allowed.

/// Whether two names are equal, word by word.
pub(super) fn equal(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.split_ascii_whitespace(), b.split_ascii_whitespace());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.eq_ignore_ascii_case(b) => {}
            _ => return false,
        }
    }
}

/// The rest of a line that begins with `name`: empty, or beginning with a blank or `=`.
pub(super) fn strip<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = line;
    for word in name.split_ascii_whitespace() {
        rest = rest.trim_ascii_start();
        let (head, tail) = rest.split_at_checked(word.len())?;
        if !head.eq_ignore_ascii_case(word) || !tail.is_empty() && !tail.starts_with(is_separator) {
            return None;
        }
        rest = tail;
    }
    Some(rest)
}

/// Whether a character separates a name from its value.
pub(super) fn is_separator(c: char) -> bool {
    c == '=' || c.is_ascii_whitespace()
}

/// Whether a text is one line of printable ASCII.
pub(super) fn is_printable(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~'))
}

/// Whether a text is one word of printable ASCII.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic())
}

/// Whether an option may have this name: neither `setoption` nor a `NAME=VALUE` line would split it.
pub(super) fn is_name(text: &str) -> bool {
    let keyword = |word: &str| ["name", "value", "type", "default"].contains(&word);
    !text.is_empty() && text.split(' ').all(|word| is_word(word) && !word.contains('=') && !keyword(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_ignores_case_and_the_width_of_blanks() {
        for (a, b, same) in [
            ("Threads", "threads", true),
            ("Clear Hash", " clear \t HASH ", true),
            ("Clear Hash", "ClearHash", false),
            ("Clear Hash", "Clear", false),
            ("Clear", "Clear Hash", false),
            ("", "", true),
        ] {
            assert_eq!(equal(a, b), same, "{a:?} {b:?}");
        }
    }

    #[test]
    fn stripping_ends_at_a_blank_or_an_equals_sign() {
        for (line, name, rest) in [
            ("threads 4", "Threads", Some(" 4")),
            ("Threads=4", "Threads", Some("=4")),
            ("Threads", "Threads", Some("")),
            ("Threads4", "Threads", None),
            ("Thread", "Threads", None),
            ("  Clear\t\thash = 1", "Clear Hash", Some(" = 1")),
            ("歩歩歩", "Threads", None),
            ("", "Threads", None),
        ] {
            assert_eq!(strip(line, name), rest, "{line:?}");
        }
    }

    #[test]
    fn names_that_could_not_be_set() {
        for (name, good) in [
            ("USI_Hash", true),
            ("Clear Hash", true),
            ("", false),
            (" x", false),
            ("a  b", false),
            ("a=b", false),
            ("best value", false),
            ("歩", false),
            ("a\tb", false),
        ] {
            assert_eq!(is_name(name), good, "{name:?}");
        }
    }
}

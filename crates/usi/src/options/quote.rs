/// The longest quote of input in a message, in characters.
const MAX_QUOTED: usize = 80;

/// The beginning of arbitrary text for a message: printable ASCII on one line.
pub(super) fn quote(text: &str) -> String {
    printable(text, MAX_QUOTED)
}

/// Like [`quote`], up to `max` characters of `text`.
pub(super) fn printable(text: &str, max: usize) -> String {
    let mut quoted = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == max {
            quoted.push_str("...");
            break;
        }
        match c {
            ' '..='~' => quoted.push(c),
            _ => quoted.extend(c.escape_default()),
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_of_bounded_ascii() {
        assert_eq!(quote("C:\\eval dir"), "C:\\eval dir");
        assert_eq!(quote("歩\r\n"), "\\u{6b69}\\r\\n");
        assert_eq!(printable("abcd", 4), "abcd");
        assert_eq!(printable("abcde", 4), "abcd...");
        assert!(quote(&"歩".repeat(100_000)).len() < 1_000);
    }
}

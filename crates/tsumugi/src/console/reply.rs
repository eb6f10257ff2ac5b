use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// Writes one `info string` line, which a host logs or ignores.
///
/// The message may quote input, so anything but printable ASCII is escaped and its length is bounded.
pub(super) fn info(out: &mut impl Write, message: impl Display) -> io::Result<()> {
    const MAX_LENGTH: usize = 500;
    let message = message.to_string();
    writeln!(out, "info string {}", Printable(&message[..message.floor_char_boundary(MAX_LENGTH)]))
}

/// Writes an `info string Error!` line.
pub(super) fn error(out: &mut impl Write, message: impl Display) -> io::Result<()> {
    info(out, format_args!("Error! {message}"))
}

struct Printable<'a>(&'a str);

impl Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            ' '..='~' => f.write_char(c),
            _ => write!(f, "{}", c.escape_default()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(message: &str) -> String {
        let mut out = Vec::new();
        error(&mut out, message).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn messages_are_one_ascii_line_of_bounded_length() {
        assert_eq!(line("`7g7e` is illegal"), "info string Error! `7g7e` is illegal\n");
        assert_eq!(line("歩\u{7f}\r\nbestmove"), "info string Error! \\u{6b69}\\u{7f}\\r\\nbestmove\n");
        assert!(line(&"歩".repeat(100_000)).len() < 5_000);
    }
}

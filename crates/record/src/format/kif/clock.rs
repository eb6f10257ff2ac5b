//! Thinking times of moves.

use crate::text::lines::skip_blanks;
use std::time::Duration;

/// The time in `( 0:12/00:00:12)`, anywhere in the text.
pub(crate) fn elapsed(text: &str) -> Option<Duration> {
    let open = text.bytes().position(|b| b == b'(').map(|at| at + 1);
    let open = open.or_else(|| text.find('（').map(|at| at + '（'.len_utf8()))?;
    clock(&text.as_bytes()[open..]).map(|(time, _)| time)
}

/// `0:12/`: minutes and seconds, or hours as well, with optional blanks; returns the rest as well.
fn clock(text: &[u8]) -> Option<(Duration, &[u8])> {
    let (mut seconds, mut rest) = count(text)?;
    let mut parts = 1;
    while let [b':', after @ ..] = rest {
        let part;
        (part, rest) = count(after)?;
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
        parts += 1;
    }
    let mut millis = 0;
    if let [b'.', after @ ..] = rest {
        let end = after.iter().position(|b| !b.is_ascii_digit())?;
        millis = crate::text::time::fraction_millis(std::str::from_utf8(&after[..end]).ok()?)?;
        rest = skip_blanks(&after[end..]);
    }
    match rest {
        [b'/', after @ ..] if parts > 1 => Some((Duration::new(seconds, millis * 1_000_000), after)),
        _ => None,
    }
}

/// A number of at most nine digits between blanks, and the rest.
#[inline]
fn count(text: &[u8]) -> Option<(u64, &[u8])> {
    let text = skip_blanks(text);
    let (mut value, mut rest) = (0u32, text);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        rest = after;
    }
    let digits = text.len() - rest.len();
    (1..=9).contains(&digits).then(|| (u64::from(value), skip_blanks(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [
            ("( 0:12/00:00:12)", Some(12)),
            ("(12:34/00:12:34)", Some(754)),
            ("(123:04/02:03:04)", Some(7384)),
            ("   (00:01 / 00:00:01)+", Some(1)),
            ("(9999999999:00/0)", None),
            ("(1:02:03/1:02:03)", Some(3723)),
            ("( 0:05/00:00:05) ( 0:00/00:00:00)", Some(5)),
            ("(12/12)", None),
            ("( / )", None),
            ("", None),
        ] {
            assert_eq!(elapsed(text).map(|t| t.as_secs()), seconds, "{text}");
        }
        assert_eq!(elapsed("(0:01.5/0:0:1)"), Some(Duration::from_millis(1500)));
    }
}

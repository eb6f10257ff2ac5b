//! Times in texts.

use std::time::Duration;

/// Digits after a decimal point as thousandths; further digits are ignored.
pub(crate) fn fraction_millis(digits: &str) -> Option<u32> {
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let three = digits.bytes().chain(std::iter::repeat(b'0')).take(3);
    Some(three.fold(0, |millis, digit| millis * 10 + u32::from(digit - b'0')))
}

/// `12`, `12.5`: seconds.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    if (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()) {
        let whole = text.bytes().fold(0, |seconds, digit| 10 * seconds + u64::from(digit - b'0'));
        return Some(Duration::from_secs(whole));
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(Duration::new(whole.parse().ok()?, fraction_millis(fraction)? * 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_with_and_without_fraction() {
        assert_eq!(seconds("12"), Some(Duration::from_secs(12)));
        assert_eq!(seconds("0.25"), Some(Duration::from_millis(250)));
        assert_eq!(seconds("3."), Some(Duration::from_secs(3)));
        assert_eq!(seconds("1.23456"), Some(Duration::from_millis(1234)));
        for bad in ["", ".", "x", "1.x", "-1", "99999999999999999999"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }
}

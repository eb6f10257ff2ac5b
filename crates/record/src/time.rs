//! Times as texts write them.

use std::time::Duration;

/// Digits behind a decimal point, as thousandths; further digits are cut off.
pub(crate) fn fraction_millis(digits: &str) -> Option<u64> {
    if digits.is_empty() {
        return Some(0);
    }
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let three: String = digits.chars().chain("000".chars()).take(3).collect();
    three.parse().ok()
}

/// `12`, `12.5`: seconds.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let millis = whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(fraction_millis(fraction)?)?;
    Some(Duration::from_millis(millis))
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

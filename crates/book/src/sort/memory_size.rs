//! Sizes of memory such as `256M`.

use std::str::FromStr;

/// A number of bytes, at least a megabyte, as in `256M`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemorySize(pub usize);

/// A text that is not a size.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a size such as 256M or 4G, found `{0}`")]
pub struct ParseMemorySizeError(String);

impl FromStr for MemorySize {
    type Err = ParseMemorySizeError;

    fn from_str(text: &str) -> Result<Self, ParseMemorySizeError> {
        let (digits, unit) = match text.char_indices().last() {
            Some((last, 'k' | 'K')) => (&text[..last], 1 << 10),
            Some((last, 'm' | 'M')) => (&text[..last], 1 << 20),
            Some((last, 'g' | 'G')) => (&text[..last], 1 << 30),
            _ => (text, 1),
        };
        let bytes = digits.parse().ok().and_then(|number: usize| number.checked_mul(unit));
        let bytes = bytes.filter(|bytes| *bytes >= 1 << 20).map(Self);
        bytes.ok_or_else(|| ParseMemorySizeError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!("256M".parse(), Ok(MemorySize(256 << 20)));
        assert_eq!("2g".parse(), Ok(MemorySize(2 << 30)));
        assert_eq!("1048576".parse(), Ok(MemorySize(1 << 20)));
        for bad in ["", "M", "1", "12X", "-3M", "99999999999999999999G", "1歩"] {
            assert!(bad.parse::<MemorySize>().is_err(), "{bad}");
        }
    }
}

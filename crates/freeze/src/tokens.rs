//! The tokens that the notation adds: counts and markers.

use crate::error::FreezeError;
use crate::kinds::{kind_text, read_kind};
use shogi::{Color, PieceKind};
use std::fmt;
use std::str::FromStr;

/// The remaining freezes of each player; written `z3Z3`, Black's first.
///
/// ```
/// use freeze::Counts;
/// use shogi::Color;
/// let counts: Counts = "Z2".parse()?;
/// assert_eq!(counts, Counts::new(0, 2));
/// assert_eq!(counts.to_string(), "z0Z2");
/// assert_eq!(counts.of(Color::White), 2);
/// # Ok::<(), freeze::FreezeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counts([u8; 2]);

impl Counts {
    /// Neither side may freeze.
    pub const NONE: Self = Self([0; 2]);
    /// The usual number.
    pub const USUAL: Self = Self([3; 2]);
    /// The largest number that can be written.
    pub const MOST: u8 = 99;

    /// Freezes of Black and White, at most [`Counts::MOST`] each.
    #[must_use]
    pub fn new(black: u8, white: u8) -> Self {
        Self([black.min(Self::MOST), white.min(Self::MOST)])
    }

    /// A player's remaining freezes.
    #[inline]
    #[must_use]
    pub const fn of(self, color: Color) -> u8 {
        self.0[color.index()]
    }

    /// The counts after a freeze by `color`, which must have one left.
    #[inline]
    #[must_use]
    pub(crate) const fn less_one(mut self, color: Color) -> Self {
        self.0[color.index()] -= 1;
        self
    }

    /// The counts before a freeze by `color`, at most [`Counts::MOST`].
    #[must_use]
    pub fn with_one_more(mut self, color: Color) -> Self {
        let count = &mut self.0[color.index()];
        *count = (*count + 1).min(Self::MOST);
        self
    }

    /// The counts before `spent` freezes of each player; `None` if that exceeds [`Counts::MOST`].
    pub(crate) fn before(self, spent: [usize; 2]) -> Option<Self> {
        let sum = |color: usize| {
            let sum = usize::from(self.0[color]) + spent[color];
            u8::try_from(sum).ok().filter(|sum| *sum <= Self::MOST)
        };
        Some(Self([sum(0)?, sum(1)?]))
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white] = self.0;
        write!(f, "z{black}Z{white}")
    }
}

impl FromStr for Counts {
    type Err = FreezeError;

    /// `z3Z3`, either half first; a missing half is 0.
    fn from_str(text: &str) -> Result<Self, FreezeError> {
        let bad = || FreezeError::Counts(quote(text));
        let mut counts = [None; 2];
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let half = match letter {
                'z' => &mut counts[0],
                'Z' => &mut counts[1],
                _ => return Err(bad()),
            };
            let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            // More than two digits are refused.
            let number = rest[1..=digits].parse().ok().filter(|_| digits <= 2);
            if half.is_some() || number.is_none() {
                return Err(bad());
            }
            *half = number;
            rest = &rest[1 + digits..];
        }
        match counts {
            [None, None] => Err(bad()),
            [black, white] => Ok(Self([black.unwrap_or(0), white.unwrap_or(0)])),
        }
    }
}

/// The meaning of a marker for the move that carries it, or for the move that led to a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Marker {
    /// `zG`: the move freezes this kind.
    Freezes(PieceKind),
    /// `ZG`: the move was made while this kind was frozen; a remark.
    Under(PieceKind),
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letter, kind) = match *self {
            Self::Freezes(kind) => ('z', kind),
            Self::Under(kind) => ('Z', kind),
        };
        write!(f, "{letter}{}", kind_text(kind))
    }
}

impl FromStr for Marker {
    type Err = FreezeError;

    fn from_str(text: &str) -> Result<Self, FreezeError> {
        let bad = || FreezeError::Marker(quote(text));
        let name = text.strip_prefix(['z', 'Z']).ok_or_else(bad)?;
        let kind = read_kind(name).ok_or_else(bad)?;
        Ok(if text.starts_with('z') { Self::Freezes(kind) } else { Self::Under(kind) })
    }
}

/// A token of the notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Token {
    /// A marker.
    Marker(Marker),
    /// Counts.
    Counts(Counts),
}

impl Token {
    /// Reads a word that begins like a token, `None` otherwise. The character after `z` or `Z` decides between marker
    /// and counts.
    #[must_use]
    pub fn read(word: &str) -> Option<Result<Self, FreezeError>> {
        let rest = word.strip_prefix(['z', 'Z'])?;
        Some(if rest.starts_with(|c: char| c.is_ascii_digit()) {
            word.parse().map(Self::Counts)
        } else {
            word.parse().map(Self::Marker)
        })
    }
}

/// Quotes the beginning of a word, because input may be of any length.
pub(crate) fn quote(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_every_form() {
        for (text, counts) in [
            ("z3Z3", Some("z3Z3")),
            ("Z3z2", Some("z2Z3")),
            ("z10", Some("z10Z0")),
            ("Z99", Some("z0Z99")),
            ("z00Z05", Some("z0Z5")),
            ("z", None),
            ("zZ", None),
            ("z3Z", None),
            ("z100", None),
            ("z3z3", None),
            ("z3Z3z3", None),
            ("z3 Z3", None),
            ("z3x", None),
            ("z３", None),
            ("", None),
        ] {
            assert_eq!(text.parse::<Counts>().ok().map(|c| c.to_string()).as_deref(), counts, "{text}");
        }
    }

    #[test]
    fn the_next_character_tells_counts_from_markers() {
        let read = |word| Token::read(word).map(Result::ok);
        assert_eq!(read("zG"), Some(Some(Token::Marker(Marker::Freezes(PieceKind::Gold)))));
        assert_eq!(read("Z+b"), Some(Some(Token::Marker(Marker::Under(PieceKind::Horse)))));
        assert_eq!(read("z1"), Some(Some(Token::Counts(Counts::new(1, 0)))));
        assert_eq!(read("z"), Some(None));
        assert_eq!(read("zX"), Some(None));
        assert_eq!(read("7g7f"), None);
    }
}

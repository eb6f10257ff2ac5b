//! Moves, with or without a freeze.

use crate::kinds::{kind_text, read_kind};
use shogi::{ParseMoveError, PieceKind};
use std::fmt;
use std::str::FromStr;

const FREEZE_SHIFT: u32 = 16;

/// A move of shogi and the kind that it freezes, if it does: `7g7f`, `7g7fzG`.
///
/// ```
/// use freeze::Move;
/// use shogi::PieceKind;
/// let m: Move = "8h2b+z+r".parse()?;
/// assert_eq!(m.freezes, Some(PieceKind::Dragon));
/// assert_eq!(m.to_string(), "8h2b+zR+");
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The move of shogi.
    pub base: shogi::Move,
    /// The kind that the opponent must not move on the next turn.
    pub freezes: Option<PieceKind>,
}

impl Move {
    /// A move that freezes nothing.
    #[inline]
    #[must_use]
    pub const fn bare(base: shogi::Move) -> Self {
        Self { base, freezes: None }
    }

    /// A move that freezes `kind`.
    #[inline]
    #[must_use]
    pub const fn freezing(base: shogi::Move, kind: PieceKind) -> Self {
        Self { base, freezes: Some(kind) }
    }

    /// The move in 20 bits: the 16 of shogi, above them the number of the kind.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.freeze_index() << FREEZE_SHIFT | self.base.bits() as u32
    }

    /// Reads [`Move::bits`].
    #[inline]
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        let base = shogi::Move::from_bits(bits as u16)?;
        let freezes = match (bits >> FREEZE_SHIFT) as usize {
            0 => None,
            number => Some(*PieceKind::ALL.get(number - 1)?),
        };
        Some(Self { base, freezes })
    }

    /// The number of the kind, 0 for none.
    #[inline]
    const fn freeze_index(self) -> u32 {
        match self.freezes {
            Some(kind) => kind.index() as u32,
            None => 0,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.base, f)?;
        match self.freezes {
            Some(kind) => write!(f, "z{}", kind_text(kind)),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        match text.split_once('z') {
            Some((base, name)) => {
                let kind = read_kind(name).ok_or(ParseMoveError)?;
                Ok(Self::freezing(base.parse()?, kind))
            }
            None => text.parse().map(Self::bare),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bits_read_back() {
        let kinds = std::iter::once(None).chain(PieceKind::ALL.map(Some));
        for freezes in kinds {
            for base in ["7g7f", "8h2b+", "P*5e"] {
                let m = Move { base: base.parse().unwrap(), freezes };
                assert_eq!(m.to_string().parse(), Ok(m));
                assert_eq!(Move::from_bits(m.bits()), Some(m));
            }
        }
        assert_eq!(size_of::<Option<Move>>(), 4);
        for bad in ["7g7fz", "zG", "7g7fzX", "7g7fzGz", "7g7fzG+", "7g7fZG", "7g7f zG"] {
            assert!(bad.parse::<Move>().is_err(), "{bad}");
        }
        assert!(Move::from_bits(0).is_none() && Move::from_bits(15 << 16 | 0x1e3b).is_none());
    }
}

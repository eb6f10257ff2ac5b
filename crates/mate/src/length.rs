//! Lengths of mates in plies.

use std::fmt;

/// A number of plies; [`Length::NEVER`] is longer than every mate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Length(u16);

impl Length {
    /// Bits of a length in a table.
    pub(crate) const BITS: u32 = 12;
    /// No mate, or a search without a bound.
    pub(crate) const NEVER: Self = Self((1 << Self::BITS) - 1);
    /// Mated already.
    pub(crate) const ZERO: Self = Self(0);
    /// Mated after the next move.
    pub(crate) const ONE: Self = Self(1);

    pub(crate) const fn new(plies: u16) -> Self {
        if plies > Self::NEVER.0 { Self::NEVER } else { Self(plies) }
    }

    pub(crate) const fn plies(self) -> u16 {
        self.0
    }

    pub(crate) fn is_never(self) -> bool {
        self == Self::NEVER
    }

    /// The length one ply earlier.
    pub(crate) fn plus_one(self) -> Self {
        Self::new(self.0 + 1)
    }

    /// The length some plies later; `NEVER` stays.
    pub(crate) fn minus(self, plies: u16) -> Self {
        if self.is_never() { self } else { Self(self.0.saturating_sub(plies)) }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_never() { f.write_str("never") } else { self.0.fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::Length;

    #[test]
    fn never_stays_never() {
        assert!(Length::NEVER.plus_one().is_never());
        assert!(Length::NEVER.minus(1).is_never());
        assert!(Length::new(5000).is_never());
        assert_eq!(Length::new(7).plus_one().minus(2), Length::new(6));
        assert_eq!(Length::ONE.minus(2), Length::ZERO);
    }
}

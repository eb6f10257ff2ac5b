//! Scores.

use std::fmt;
use std::ops::Neg;

/// No line is searched deeper than this.
pub const MAX_PLY: usize = 246;

/// A score from the point of view of the side to move: larger is better.
///
/// Beyond ±[`Value::WORST_MATE`] it is a distance to mate in plies.
///
/// ```
/// use search::Value;
/// assert_eq!(Value::mate_in(3).plies_to_mate(), Some(3));
/// assert_eq!((-Value::mate_in(4)).plies_to_mate(), Some(-4));
/// assert!(Value::mate_in(1) > Value::mate_in(5) && Value::mate_in(5) > Value::new(3000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Value(i32);

impl Value {
    /// Beyond every score.
    pub const INFINITE: Self = Self(32_001);
    /// Mate on the board.
    pub const MATE: Self = Self(32_000);
    /// The longest mate that a search can see.
    pub const WORST_MATE: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// A repetition with more pieces in hand: as good as won, but no mate.
    pub const SUPERIOR: Self = Self(Self::WORST_MATE.0 - 1);
    /// Equal.
    pub const ZERO: Self = Self(0);

    /// An evaluation, kept clear of mate scores.
    #[inline]
    #[must_use]
    pub const fn new(evaluation: i32) -> Self {
        let most = Self::SUPERIOR.0 - 1;
        Self(if evaluation > most {
            most
        } else if evaluation < -most {
            -most
        } else {
            evaluation
        })
    }

    /// The side to move mates with its last of `plies` plies.
    #[inline]
    #[must_use]
    pub const fn mate_in(plies: usize) -> Self {
        Self(Self::MATE.0 - plies as i32)
    }

    /// Plies to mate: positive if the side to move mates, negative if it is mated; `None` for other scores.
    #[must_use]
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.0 >= Self::WORST_MATE.0 {
            Some(Self::MATE.0 - self.0)
        } else if self.0 <= -Self::WORST_MATE.0 {
            Some(-Self::MATE.0 - self.0)
        } else {
            None
        }
    }

    /// As good as won: a mate, or a repetition with more pieces in hand.
    #[inline]
    pub(crate) const fn is_win(self) -> bool {
        self.0 >= Self::SUPERIOR.0
    }

    /// As good as lost.
    #[inline]
    pub(crate) const fn is_loss(self) -> bool {
        self.0 <= -Self::SUPERIOR.0
    }

    /// Won or lost.
    #[inline]
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The raw number.
    #[inline]
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// `self + delta`, clamped to the range of scores.
    #[inline]
    #[must_use]
    pub fn offset(self, delta: i32) -> Self {
        Self((self.0 + delta).clamp(-Self::INFINITE.0, Self::INFINITE.0))
    }

    /// An evaluation with a correction in 131072ths.
    #[inline]
    pub(crate) fn corrected(self, correction: i32) -> Self {
        Self::new(self.0 + correction / 131_072)
    }

    /// Half way to another value.
    #[inline]
    pub(crate) const fn towards(self, other: Self) -> Self {
        Self(i32::midpoint(self.0, other.0))
    }

    /// As stored in the table: mates count from the node instead of from the root.
    #[inline]
    pub(crate) fn at_node(self, ply: usize) -> Self {
        self.shift_mate(ply as i32)
    }

    /// As used in a search: mates count from the root.
    #[inline]
    pub(crate) fn at_root(self, ply: usize) -> Self {
        self.shift_mate(-(ply as i32))
    }

    #[inline]
    fn shift_mate(self, by: i32) -> Self {
        if self.0 >= Self::WORST_MATE.0 {
            Self(self.0 + by)
        } else if self.0 <= -Self::WORST_MATE.0 {
            Self(self.0 - by)
        } else {
            self
        }
    }

    pub(crate) const fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits as i16 as i32)
    }
}

impl Neg for Value {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_survive_the_table() {
        for ply in [0, 1, 17, 100] {
            for value in [Value::mate_in(ply + 3), -Value::mate_in(ply + 2), Value::new(345), Value::SUPERIOR]
            {
                let kept = Value::from_bits(value.at_node(ply).to_bits());
                assert_eq!(kept.at_root(ply), value);
            }
        }
        assert_eq!(Value::mate_in(5).at_node(2), Value::mate_in(3));
    }

    #[test]
    fn evaluations_never_look_like_mates() {
        for evaluation in [i32::MIN + 1, -40_000, 40_000, i32::MAX] {
            assert_eq!(Value::new(evaluation).plies_to_mate(), None);
        }
        assert_eq!(Value::SUPERIOR.plies_to_mate(), None);
    }
}

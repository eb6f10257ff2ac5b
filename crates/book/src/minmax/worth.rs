//! A value with the length of its line.

/// Values are clamped to this range.
pub(crate) const MAX_VALUE: i16 = 32_000;
/// Longer lines are cycles.
pub(super) const MAX_PLY: u16 = 256;
/// The length of an infinite line.
pub(super) const ENDLESS: u16 = 9999;
/// The lengths of perpetual checks, for the side in check and for the side that checks.
pub(super) const CHECKED: u16 = ENDLESS - 1;
pub(super) const CHECKING: u16 = ENDLESS - 2;

/// The value of a move for the side that plays it, with the length of its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Value.
    pub value: i16,
    /// Moves until the book ends; 9999 for a repetition.
    pub depth: u16,
}

impl Worth {
    pub(super) const DRAW: Self = Self { value: 0, depth: ENDLESS };

    /// Whether it is better than the other. The winner prefers short lines, the loser long ones, and perpetual checks
    /// come last.
    #[inline]
    pub(super) fn beats(self, other: Self) -> bool {
        if self.value != other.value {
            return self.value > other.value;
        }
        match (self.depth, other.depth) {
            (CHECKING, _) => false,
            (_, CHECKING) => true,
            (own, others) if self.value >= 0 => own < others,
            (own, others) => own > others,
        }
    }

    /// The value for the move that leads to the position in which this is the best move.
    #[inline]
    pub(super) fn for_parent(self) -> Self {
        Self { value: self.value.wrapping_neg(), depth: (self.depth + 1).min(ENDLESS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_better() {
        let worth = |value, depth| Worth { value, depth };
        assert!(worth(1, 9).beats(worth(0, 1)));
        assert!(worth(0, 1).beats(worth(0, 2)) && worth(5, 1).beats(worth(5, ENDLESS)));
        assert!(worth(-5, 2).beats(worth(-5, 1)));
        assert!(worth(5, ENDLESS).beats(worth(5, CHECKING)) && !worth(5, CHECKING).beats(worth(5, CHECKING)));
        assert_eq!(worth(7, ENDLESS).for_parent(), worth(-7, ENDLESS));
        assert_eq!(worth(-7, 3).for_parent(), worth(7, 4));
    }
}

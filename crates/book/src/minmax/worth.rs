//! A value with the length of the line that leads to it.

/// More than this no book says; less, nobody knows the value.
pub(crate) const MAX_VALUE: i16 = 32_000;
/// Lines longer than this go round in circles.
pub(super) const MAX_PLY: u16 = 256;
/// The length of a line without end.
pub(super) const ENDLESS: u16 = 9999;
/// Of one that ends in a perpetual check, for the side that is checked and the side that checks.
pub(super) const CHECKED: u16 = ENDLESS - 1;
pub(super) const CHECKING: u16 = ENDLESS - 2;

/// What a move is worth: its value for the side that plays it, and how far away that is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Value.
    pub value: i16,
    /// Moves until the book ends; 9999 in a repetition.
    pub depth: u16,
}

impl Worth {
    pub(super) const DRAW: Self = Self { value: 0, depth: ENDLESS };

    /// Whether to choose it rather than the other. Who wins hurries, who loses delays, and nobody chooses to check
    /// for ever.
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

    /// What the position is worth for the move that leads to it, if this is the best move in it.
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

//! Operators, and moves made of a way and an operator.

use crate::way::{Bits, Way};
use std::fmt;

/// A logic operation of two inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Gate {
    /// `a`
    And = 0,
    /// `o`
    Or,
    /// `no`
    Nor,
    /// `xo`
    Xor,
    /// `na`
    Nand,
    /// `xn`
    Xnor,
}

impl Gate {
    /// In the order in which the original generates them.
    pub const ALL: [Self; 6] = [Self::And, Self::Or, Self::Nor, Self::Xor, Self::Nand, Self::Xnor];

    /// Applies it to all squares; the caller masks the relevant ones.
    #[inline]
    pub(crate) const fn apply(self, x: Bits, y: Bits) -> Bits {
        match self {
            Self::And => x & y,
            Self::Or => x | y,
            Self::Nor => !(x | y),
            Self::Xor => x ^ y,
            Self::Nand => !(x & y),
            Self::Xnor => !(x ^ y),
        }
    }
}

/// The operation of a move on its way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// `s1` to `s6`: rotates the stones of the way by this many places, towards f or 7.
    Shift(u8),
    /// `n`: a new way from the NOT of its neighbour.
    Not,
    /// `nL`: in place, the NOT of the lower neighbour.
    NotLower,
    /// `nH`: in place, the NOT of the higher neighbour.
    NotHigher,
    /// Two inputs: both neighbours if the way has stones, the two next ways on one side if it is empty.
    Gate(Gate),
}

/// The operators by their code in a [`Move`], in the order of generation.
const OPERATORS: [Operator; 15] = [
    Operator::Shift(1),
    Operator::Shift(2),
    Operator::Shift(3),
    Operator::Shift(4),
    Operator::Shift(5),
    Operator::Shift(6),
    Operator::Not,
    Operator::NotLower,
    Operator::NotHigher,
    Operator::Gate(Gate::And),
    Operator::Gate(Gate::Or),
    Operator::Gate(Gate::Nor),
    Operator::Gate(Gate::Xor),
    Operator::Gate(Gate::Nand),
    Operator::Gate(Gate::Xnor),
];
const FIRST_GATE: u8 = 9;

impl Operator {
    /// All operators of the game, in the order in which the original generates moves.
    pub const ALL: [Self; 15] = OPERATORS;

    const fn code(self) -> u8 {
        match self {
            Self::Shift(places) => places - 1,
            Self::Not => 6,
            Self::NotLower => 7,
            Self::NotHigher => 8,
            Self::Gate(gate) => FIRST_GATE + gate as u8,
        }
    }

    /// The operator of a text such as `s1`, `nH` or `xo`.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        OPERATORS.into_iter().find(|operator| operator.text() == text)
    }

    /// Its text in a move.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Shift(1) => "s1",
            Self::Shift(2) => "s2",
            Self::Shift(3) => "s3",
            Self::Shift(4) => "s4",
            Self::Shift(5) => "s5",
            Self::Shift(_) => "s6",
            Self::Not => "n",
            Self::NotLower => "nL",
            Self::NotHigher => "nH",
            Self::Gate(Gate::And) => "a",
            Self::Gate(Gate::Or) => "o",
            Self::Gate(Gate::Nor) => "no",
            Self::Gate(Gate::Xor) => "xo",
            Self::Gate(Gate::Nand) => "na",
            Self::Gate(Gate::Xnor) => "xn",
        }
    }
}

/// A move of the game: a way and an operator in one byte.
///
/// ```
/// use binarsi::Move;
/// let m = Move::from_text("4nH").unwrap();
/// assert_eq!((m.way().letter(), m.operator().text()), ('4', "nH"));
/// assert!(Move::from_text("4s7").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u8);

impl Move {
    /// Different values of [`Move::index`].
    pub const COUNT: usize = Way::COUNT << 4;

    /// The operator on the way.
    #[inline]
    #[must_use]
    pub const fn new(way: Way, operator: Operator) -> Self {
        Self((way.index() as u8) << 4 | operator.code())
    }

    /// The move of an index, if there is one.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        let code = u8::try_from(index).ok()?;
        (usize::from(code >> 4) < Way::COUNT && usize::from(code & 15) < OPERATORS.len())
            .then_some(Self(code))
    }

    /// A number below [`Move::COUNT`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The way it changes.
    #[inline]
    #[must_use]
    pub const fn way(self) -> Way {
        Way::from_index(self.0 >> 4)
    }

    /// The operator.
    #[inline]
    #[must_use]
    pub const fn operator(self) -> Operator {
        OPERATORS[(self.0 & 15) as usize]
    }

    /// Parses a code such as `4n`; `None` if it is not a move in any position.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let way = Way::from_letter(letters.next()?)?;
        Some(Self::new(way, Operator::from_text(letters.as_str())?))
    }

    /// Its place in the original's order of generation: by operator, then by way; the two NOTs in place are adjacent.
    #[must_use]
    pub const fn generation_rank(self) -> u16 {
        let (way, code) = ((self.0 >> 4) as u16, (self.0 & 15) as u16);
        match self.operator() {
            Operator::Shift(_) => way << 4 | code,
            Operator::Not | Operator::NotLower | Operator::NotHigher => 1 << 8 | way << 4 | code,
            Operator::Gate(gate) => (2 + gate as u16) << 8 | way,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() {
            return f.pad(&format!("{}{}", self.way(), self.operator().text()));
        }
        write!(f, "{}{}", self.way(), self.operator().text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_moves_survive_their_text_and_index() {
        let mut count = 0;
        for way in Way::all() {
            for operator in Operator::ALL {
                let m = Move::new(way, operator);
                assert_eq!((m.way(), m.operator()), (way, operator));
                assert_eq!(Move::from_text(&m.to_string()), Some(m));
                assert_eq!(Move::from_index(m.index()), Some(m));
                count += 1;
            }
        }
        assert_eq!((0..=300).filter_map(Move::from_index).count(), count);
        for text in ["", "4", "4S1", "gn", "4n#", "&4n", "4ze", "4s0", "4nh", "４n", "4é"] {
            assert_eq!(Move::from_text(text), None, "{text}");
        }
    }
}

//! Moves and their text, which is the same for every board.

use crate::board::kind::Kind;
use crate::board::square::Square;
use game::Color;
use std::fmt;
use std::str::FromStr;

/// Whether the moving piece promotes or demotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// Neither.
    Stay,
    /// It promotes, or is dropped promoted (`+`).
    Promote,
    /// It demotes (`-`).
    Demote,
}

/// A move.
///
/// ```
/// use fairy::Move;
/// for text in ["7g7f", "10c10b+", "3d3e-", "P*5e", "+P*5e"] {
///     assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u32);

/// `to` in bits 0 to 6, `from` or the kind in hand in 7 to 13, then drop, promote, demote; never 0.
impl Move {
    const DROP: u32 = 1 << 14;
    const PROMOTE: u32 = 1 << 15;
    const DEMOTE: u32 = 1 << 16;
    /// Set in every move, so that no move is 0 in tables.
    const SOME: u32 = 1 << 17;

    /// A move on the board.
    #[inline]
    #[must_use]
    pub const fn board(from: Square, to: Square, turn: Turn) -> Self {
        let bits = (from.index() as u32) << 7 | to.index() as u32;
        Self(Self::SOME | bits | Self::turn_bits(turn))
    }

    /// A drop; promoted, if the variant allows that.
    #[inline]
    #[must_use]
    pub const fn drop(kind: Kind, to: Square, turn: Turn) -> Self {
        let bits = (kind.index() as u32) << 7 | to.index() as u32;
        Self(Self::SOME | Self::DROP | bits | Self::turn_bits(turn))
    }

    const fn turn_bits(turn: Turn) -> u32 {
        match turn {
            Turn::Stay => 0,
            Turn::Promote => Self::PROMOTE,
            Turn::Demote => Self::DEMOTE,
        }
    }

    /// Target square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 & 127) as usize)
    }

    /// Origin square; `None` for a drop.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Option<Square> {
        if self.0 & Self::DROP == 0 { Some(Square::from_index((self.0 >> 7 & 127) as usize)) } else { None }
    }

    /// The dropped kind; `None` for a move on the board.
    #[inline]
    #[must_use]
    pub const fn dropped(self) -> Option<Kind> {
        if self.0 & Self::DROP == 0 { None } else { Some(Kind::from_letter((self.0 >> 7 & 127) as u8)) }
    }

    /// Whether the piece promotes or demotes.
    #[inline]
    #[must_use]
    pub const fn turn(self) -> Turn {
        match self.0 & (Self::PROMOTE | Self::DEMOTE) {
            0 => Turn::Stay,
            Self::PROMOTE => Turn::Promote,
            _ => Turn::Demote,
        }
    }

    /// As a number, never 0.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move with these [`Move::bits`], if they are valid.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        let (to, from) = ((bits & 127) as usize, (bits >> 7 & 127) as usize);
        let most = if bits & Self::DROP == 0 { Square::COUNT } else { Kind::COUNT };
        let turns = bits & Self::PROMOTE == 0 || bits & Self::DEMOTE == 0;
        let good = bits >> 17 == 1 && to < Square::COUNT && from < most && turns;
        good.then_some(Self(bits))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = self.to();
        match (self.from(), self.dropped(), self.turn()) {
            (Some(from), _, Turn::Stay) => write!(f, "{from}{to}"),
            (Some(from), _, Turn::Promote) => write!(f, "{from}{to}+"),
            (Some(from), _, Turn::Demote) => write!(f, "{from}{to}-"),
            (None, Some(kind), Turn::Promote) => write!(f, "+{}*{to}", kind.letter(Color::Black)),
            (None, Some(kind), _) => write!(f, "{}*{to}", kind.letter(Color::Black)),
            (None, None, _) => unreachable!("a move comes from the board or from the hand"),
        }
    }
}

impl FromStr for Move {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if let Some((piece, to)) = text.split_once('*') {
            let (turn, piece) = match piece.strip_prefix('+') {
                Some(piece) => (Turn::Promote, piece),
                None => (Turn::Stay, piece),
            };
            let mut letters = piece.chars();
            let kind = letters.next().and_then(Kind::of).filter(|_| letters.next().is_none()).ok_or(())?;
            return Ok(Self::drop(kind, to.parse()?, turn));
        }
        let (squares, turn) = match text.strip_suffix(['+', '-']) {
            Some(squares) if text.ends_with('+') => (squares, Turn::Promote),
            Some(squares) => (squares, Turn::Demote),
            None => (text, Turn::Stay),
        };
        let end = squares.find(|c: char| c.is_ascii_lowercase()).ok_or(())? + 1;
        let (from, to) = squares.split_at(end);
        Ok(Self::board(from.parse()?, to.parse()?, turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bits() {
        for text in ["1a1b", "12j11i", "10c10b+", "3d3e-", "P*5e", "+P*12a", "Z*1a"] {
            let m: Move = text.parse().unwrap();
            assert_eq!(m.to_string(), text);
            assert_eq!(Move::from_bits(m.bits()), Some(m));
        }
        for text in
            ["", "1a", "1a1", "1a1b++", "1a1b=", "*5e", "PP*5e", "P*5k", "-P*5e", "7g7f7e", "歩*5e", "1歩1b"]
        {
            assert_eq!(text.parse::<Move>(), Err(()), "{text}");
        }
        for bits in [0, 1, u32::MAX, 1 << 17 | 127, 1 << 17 | 127 << 7, 1 << 17 | 1 << 14 | 26 << 7, 7 << 15]
        {
            assert_eq!(Move::from_bits(bits), None, "{bits:x}");
        }
    }
}

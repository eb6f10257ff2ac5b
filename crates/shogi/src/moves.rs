//! Moves in the field's 16-bit form.

use crate::{HandPiece, Square};
use std::fmt::{self, Write};
use std::num::NonZeroU16;
use std::str::FromStr;

const FROM_SHIFT: u16 = 7;
const DROP: u16 = 1 << 14;
const PROMOTE: u16 = 1 << 15;
const SQUARE: u16 = 0x7f;

/// A move in 16 bits: bits 0–6 target, 7–13 origin or dropped kind, 14 drop, 15 promotion.
///
/// Any value is a well-formed move (squares on the board, origin and target different, a droppable kind, no
/// promotion on a drop). Whether it is legal depends on the position. `Option<Move>` has the same size.
///
/// ```
/// use shogi::{HandPiece, Move, Square};
/// let push: Move = "7g7f".parse()?;
/// assert_eq!(push, Move::board(Square::Sq77, Square::Sq76, false));
/// let drop: Move = "P*5e".parse()?;
/// assert_eq!(drop, Move::drop(HandPiece::Pawn, Square::Sq55));
/// assert_eq!(drop.to_string(), "P*5e");
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

/// Where the moving piece comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A square of the board.
    Board(Square),
    /// The hand.
    Hand(HandPiece),
}

impl Move {
    /// A move on the board.
    ///
    /// # Panics
    /// When `from` equals `to`.
    #[inline]
    #[must_use]
    pub const fn board(from: Square, to: Square, promote: bool) -> Self {
        assert!(from as u8 != to as u8, "a move must go somewhere");
        let promotion = if promote { PROMOTE } else { 0 };
        Self(
            NonZeroU16::new((from as u16) << FROM_SHIFT | to as u16 | promotion)
                .expect("1a to 1a was refused"),
        )
    }

    /// A drop.
    #[inline]
    #[must_use]
    pub const fn drop(piece: HandPiece, to: Square) -> Self {
        Self(NonZeroU16::new(DROP | (piece as u16) << FROM_SHIFT | to as u16).expect("the drop bit is set"))
    }

    /// Reads the 16-bit form; `None` if it is not a well-formed move (0, `win`, `resign` and the like).
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let to = bits & SQUARE;
        let from = bits >> FROM_SHIFT & SQUARE;
        let well_formed = to < 81
            && if bits & DROP == 0 {
                from < 81 && from != to
            } else {
                from >= 1 && from <= 7 && bits & PROMOTE == 0
            };
        if !well_formed {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The 16-bit form.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Target square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index_unchecked((self.bits() & SQUARE) as u8)
    }

    /// Where the piece comes from.
    #[inline]
    #[must_use]
    pub const fn origin(self) -> Origin {
        let from = self.origin_number();
        if self.is_drop() {
            Origin::Hand(HandPiece::from_index_unchecked(from))
        } else {
            Origin::Board(Square::from_index_unchecked(from))
        }
    }

    /// The number of the square that the piece comes from, or of the kind that is dropped.
    #[inline(always)]
    pub(crate) const fn origin_number(self) -> u8 {
        (self.bits() >> FROM_SHIFT & SQUARE) as u8
    }

    /// Whether a piece is dropped.
    #[inline]
    #[must_use]
    pub const fn is_drop(self) -> bool {
        self.bits() & DROP != 0
    }

    /// Whether the piece promotes.
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.bits() & PROMOTE != 0
    }

    /// The same move on the board rotated by 180°.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self.origin() {
            Origin::Board(from) => Self::board(from.flip(), self.to().flip(), self.is_promotion()),
            Origin::Hand(piece) => Self::drop(piece, self.to().flip()),
        }
    }

    /// The same move in a mirror.
    #[must_use]
    pub const fn mirror(self) -> Self {
        match self.origin() {
            Origin::Board(from) => Self::board(from.mirror(), self.to().mirror(), self.is_promotion()),
            Origin::Hand(piece) => Self::drop(piece, self.to().mirror()),
        }
    }
}

/// USI: `7g7f`, `8h2b+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Written piece by piece: files of records and books have millions of moves, and formatting is slow.
        match self.origin() {
            Origin::Board(from) => from.fmt(f)?,
            Origin::Hand(piece) => {
                f.write_char(piece.kind().letter())?;
                f.write_char('*')?;
            }
        }
        self.to().fmt(f)?;
        if self.is_promotion() { f.write_char('+') } else { Ok(()) }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a move looks like 7g7f, 8h2b+ or P*5e")]
pub struct ParseMoveError;

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let (text, promote) = match text.strip_suffix('+') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (first, second) = text.split_at_checked(2).ok_or(ParseMoveError)?;
        let to: Square = second.parse().map_err(|_| ParseMoveError)?;
        if let Some(letter) = first.strip_suffix('*') {
            let kind = letter.chars().next().and_then(crate::PieceKind::from_letter).ok_or(ParseMoveError)?;
            let piece = kind.to_hand().ok_or(ParseMoveError)?;
            return if promote { Err(ParseMoveError) } else { Ok(Self::drop(piece, to)) };
        }
        let from: Square = first.parse().map_err(|_| ParseMoveError)?;
        if from == to { Err(ParseMoveError) } else { Ok(Self::board(from, to, promote)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_refused_or_round_trips() {
        let mut well_formed = 0;
        for bits in 0..=u16::MAX {
            let Some(m) = Move::from_bits(bits) else { continue };
            well_formed += 1;
            assert_eq!(m.bits(), bits);
            assert_eq!(m.to_string().parse(), Ok(m));
            assert_eq!(m.flip().flip(), m);
            assert_eq!(m.mirror().mirror(), m);
        }
        assert_eq!(well_formed, 81 * 80 * 2 + 7 * 81);
    }

    #[test]
    fn the_fields_bit_layout() {
        assert_eq!("7g7f".parse::<Move>().unwrap().bits(), (60 << 7) + 59);
        assert_eq!("8h2b+".parse::<Move>().unwrap().bits(), (70 << 7) + 10 + (1 << 15));
        assert_eq!("G*1a".parse::<Move>().unwrap().bits(), (7 << 7) + (1 << 14));
    }

    #[test]
    fn junk_is_refused() {
        for bad in [
            "", "7g", "7g7", "7g7g", "7g7f++", "K*5e", "p*5e", "P*5e+", "P*5", "77776", "resign", "歩*5e",
            "7g７f",
        ] {
            assert_eq!(bad.parse::<Move>(), Err(ParseMoveError), "{bad}");
        }
    }
}

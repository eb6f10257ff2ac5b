//! How a game ended, for one side.

use crate::Color;

/// How the game ended for the side to move.
///
/// ```
/// use shogi::{Color, GameResult};
/// let result = GameResult::for_side(Color::White, Some(Color::Black));
/// assert_eq!(result, GameResult::Loss);
/// assert_eq!(result.winner(Color::White), Some(Color::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(i8)]
pub enum GameResult {
    /// It lost.
    Loss = -1,
    /// Neither side won.
    Draw = 0,
    /// It won.
    Win = 1,
}

impl GameResult {
    /// The result for `side` of a game with this winner.
    #[must_use]
    pub fn for_side(side: Color, winner: Option<Color>) -> Self {
        match winner {
            None => Self::Draw,
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    /// The winner, if this is the result for `side`.
    #[must_use]
    pub fn winner(self, side: Color) -> Option<Color> {
        match self {
            Self::Loss => Some(!side),
            Self::Draw => None,
            Self::Win => Some(side),
        }
    }

    /// −1, 0 or 1.
    #[must_use]
    pub const fn code(self) -> i8 {
        self as i8
    }

    /// The result with this [`GameResult::code`].
    #[must_use]
    pub const fn from_code(code: i8) -> Option<Self> {
        match code {
            -1 => Some(Self::Loss),
            0 => Some(Self::Draw),
            1 => Some(Self::Win),
            _ => None,
        }
    }
}

/// A record with this byte in the place of its game's result, which says neither win nor draw nor loss.
///
/// ```
/// use shogi::{HcpeRecord, ResultCodeError, PackedSfenValue};
/// assert_eq!(PackedSfenValue::from_bytes(&[2; 40]), Err(ResultCodeError(2)));
/// assert_eq!(HcpeRecord::from_bytes(&[3; 38]), Err(ResultCodeError(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:#04x} is no result of a game")]
pub struct ResultCodeError(pub u8);

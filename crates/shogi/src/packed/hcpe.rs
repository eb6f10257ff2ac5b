//! The training record of Apery, cshogi and dlshogi, and the form of moves in it.

use super::{HuffmanCodedPos, ResultCodeError};
use crate::{Color, HandPiece, Move, Origin, Square};

const FROM_SHIFT: u16 = 7;
const PROMOTE: u16 = 1 << 14;
const UNUSED: u16 = 1 << 15;
const SQUARE: u16 = 0x7f;
/// A drop comes from the "square" of this number plus that of the piece.
const HAND: u8 = Square::COUNT as u8 - 1;

impl Move {
    /// The 16 bits that Apery's books and records have for the move: bits 0–6 target, 7–13 origin, 81 and more of
    /// which are pieces in hand, 14 promotion.
    ///
    /// ```
    /// use shogi::Move;
    /// let drop: Move = "P*5e".parse()?;
    /// assert_eq!(drop.apery_bits(), 81 << 7 | 40);
    /// assert_eq!(Move::from_apery_bits(81 << 7 | 40), Some(drop));
    /// # Ok::<(), shogi::ParseMoveError>(())
    /// ```
    #[must_use]
    pub fn apery_bits(self) -> u16 {
        let from = match self.origin() {
            Origin::Board(square) => square as u8,
            Origin::Hand(piece) => HAND + piece as u8,
        };
        let promotion = if self.is_promotion() { PROMOTE } else { 0 };
        self.to() as u16 | u16::from(from) << FROM_SHIFT | promotion
    }

    /// Reads [`Move::apery_bits`]; `None` if they are no well-formed move (0 and the like).
    #[must_use]
    pub fn from_apery_bits(bits: u16) -> Option<Self> {
        let to = Square::from_index((bits & SQUARE) as u8)?;
        let from = (bits >> FROM_SHIFT & SQUARE) as u8;
        let promote = bits & PROMOTE != 0;
        if bits & UNUSED != 0 {
            return None;
        }
        if let Some(from) = Square::from_index(from) {
            return (from != to).then(|| Self::board(from, to, promote));
        }
        let piece = HandPiece::ALL.into_iter().find(|piece| HAND + *piece as u8 == from)?;
        (!promote).then(|| Self::drop(piece, to))
    }
}

/// A position with the score and the move of a search and the winner of the game: cshogi's
/// `HuffmanCodedPosAndEval` (`hcpe`), 38 bytes.
///
/// All bytes are kept: a record that is read and written again does not change.
///
/// ```
/// use shogi::{Color, HcpeRecord, HuffmanCodedPos, Move, Position};
/// let push: Move = "7g7f".parse()?;
/// let record = HcpeRecord {
///     position: HuffmanCodedPos::try_from(&Position::startpos())?,
///     score: 52,
///     move_bits: push.apery_bits(),
///     winner: Some(Color::White),
///     reason: 0,
///     padding: 0,
/// };
/// let read = HcpeRecord::from_bytes(&record.to_bytes())?;
/// assert_eq!(read, record);
/// assert_eq!(read.best_move(), Some(push));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HcpeRecord {
    /// The position; it has no move number.
    pub position: HuffmanCodedPos,
    /// Value for the side to move.
    pub score: i16,
    /// The move found, as [`Move::apery_bits`] or a code that is no move; see [`HcpeRecord::best_move`].
    pub move_bits: u16,
    /// Who won; `None` after a draw.
    pub winner: Option<Color>,
    /// Why the game ended, if the writer recorded it: the upper six bits of the result byte (dlshogi: 1 repetition, 2
    /// declaration).
    pub reason: u8,
    /// Unused.
    pub padding: u8,
}

impl HcpeRecord {
    /// Size of a record in a file.
    pub const BYTES: usize = 38;

    /// Reads a record; its position and its move are not checked.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, ResultCodeError> {
        let [position @ .., s0, s1, m0, m1, result, padding] = *bytes;
        Ok(Self {
            position: HuffmanCodedPos::from(position),
            score: i16::from_le_bytes([s0, s1]),
            move_bits: u16::from_le_bytes([m0, m1]),
            winner: match result & 3 {
                0 => None,
                1 => Some(Color::Black),
                2 => Some(Color::White),
                _ => return Err(ResultCodeError(result)),
            },
            reason: result >> 2,
            padding,
        })
    }

    /// The bytes of the record.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(self.position.bytes());
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34..36].copy_from_slice(&self.move_bits.to_le_bytes());
        bytes[36] = self.reason << 2 | self.winner.map_or(0, |winner| winner as u8 + 1);
        bytes[37] = self.padding;
        bytes
    }

    /// The move found; `None` for codes that are no move, such as 0.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        Move::from_apery_bits(self.move_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_refused_or_round_trips() {
        let moves = (0..=u16::MAX).filter_map(|bits| Some((bits, Move::from_apery_bits(bits)?)));
        let count = moves.inspect(|(bits, m)| assert_eq!(m.apery_bits(), *bits)).count();
        assert_eq!(count, (0..=u16::MAX).filter_map(Move::from_bits).count());
    }
}

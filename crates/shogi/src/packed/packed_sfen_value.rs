//! `PackedSfenValue`: `YaneuraOu`'s training record.

use super::{GameResult, PackedSfen, ResultCodeError, UnpackError};
use crate::{Move, Setup};

/// A position with the score and the move of a search and the result of the game:
/// 40 bytes, as `YaneuraOu` writes them.
///
/// All bytes are kept: a record that is read and written again does not change.
///
/// ```
/// use shogi::{GameResult, Move, PackedSfen, Position, PackedSfenValue};
/// let push: Move = "7g7f".parse()?;
/// let record = PackedSfenValue {
///     position: PackedSfen::try_from(&Position::startpos())?,
///     score: 52,
///     move_bits: push.bits(),
///     ply: 1,
///     result: GameResult::Win,
///     padding: 0,
/// };
/// let read = PackedSfenValue::from_bytes(&record.to_bytes())?;
/// assert_eq!(read, record);
/// assert_eq!(read.best_move(), Some(push));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedSfenValue {
    /// The position, without its move number.
    pub position: PackedSfen,
    /// Value for the side to move.
    pub score: i16,
    /// The move found, as [`Move::bits`] or a code that is no move; see [`PackedSfenValue::best_move`].
    pub move_bits: u16,
    /// Number of the next move.
    pub ply: u16,
    /// How the game ended for the side to move.
    pub result: GameResult,
    /// Unused.
    pub padding: u8,
}

impl PackedSfenValue {
    /// Size of a record in a file.
    pub const BYTES: usize = 40;

    /// Reads a record; its position and its move are not checked.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, ResultCodeError> {
        let [position @ .., s0, s1, m0, m1, p0, p1, result, padding] = *bytes;
        Ok(Self {
            position: PackedSfen::from(position),
            score: i16::from_le_bytes([s0, s1]),
            move_bits: u16::from_le_bytes([m0, m1]),
            ply: u16::from_le_bytes([p0, p1]),
            result: GameResult::from_code(result as i8).ok_or(ResultCodeError(result))?,
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
        bytes[36..38].copy_from_slice(&self.ply.to_le_bytes());
        bytes[38] = self.result.code() as u8;
        bytes[39] = self.padding;
        bytes
    }

    /// The move found; `None` for codes such as 0 (none) or resignation.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        Move::from_bits(self.move_bits)
    }

    /// Reads the position, with its move number.
    pub fn setup(&self) -> Result<Setup, UnpackError> {
        Ok(Setup { ply: u32::from(self.ply).max(1), ..self.position.unpack()? })
    }
}

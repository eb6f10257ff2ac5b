//! The encoding of games: each move by its index among the legal ones, each score by its difference from the last.

use crate::{Ending, ScoredMove, TrainingGame};
use shogi::{Color, Move, PackedSfen, Position, Setup};

/// Why bytes are not a valid game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// They end too early.
    #[error("the data ends inside a game")]
    Short,
    /// A number longer than any valid one.
    #[error("a number of more than 64 bits")]
    LongNumber,
    /// An invalid start position.
    #[error("game {index}: its start is not a position: {reason}")]
    Start {
        /// The game.
        index: u64,
        /// Why.
        reason: String,
    },
    /// An invalid ending or winner.
    #[error("game {index}: unknown ending {code:#04x}")]
    Ending {
        /// The game.
        index: u64,
        /// The code found.
        code: u8,
    },
    /// A move index beyond the legal moves.
    #[error("game {index}, move {number}: legal move {rank} of {count}")]
    Move {
        /// The game.
        index: u64,
        /// Counted from 1.
        number: usize,
        /// The index.
        rank: u64,
        /// Number of legal moves.
        count: usize,
    },
    /// A score that exceeds 16 bits.
    #[error("game {index}, move {number}: score {score}")]
    Score {
        /// The game.
        index: u64,
        /// Counted from 1.
        number: usize,
        /// The score.
        score: i64,
    },
}

/// Set in the byte of the ending if the game begins in the start position.
const FROM_STARTPOS: u8 = 0x80;
/// Bit offset of the winner.
const WINNER_SHIFT: u32 = 4;

/// The legal moves in the order of their indices.
fn ordered(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|m| m.bits());
    moves
}

fn put(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Appends a game, whose moves must be legal.
pub(super) fn encode(game: &TrainingGame, bytes: &mut Vec<u8>) {
    put(game.index, bytes);
    let winner = match game.winner {
        None => 0,
        Some(Color::Black) => 1,
        Some(Color::White) => 2,
    };
    let packed = PackedSfen::try_from(&game.start).ok().filter(|_| game.start != Position::startpos());
    bytes.push(game.ending as u8 | winner << WINNER_SHIFT | if packed.is_none() { FROM_STARTPOS } else { 0 });
    if let Some(packed) = packed {
        bytes.extend_from_slice(packed.bytes());
        put(u64::from(game.start.ply()), bytes);
    }
    put(game.moves.len() as u64, bytes);
    let mut position = game.start.clone();
    for scored in &game.moves {
        let moves = ordered(&position);
        let rank = moves.iter().position(|m| *m == scored.played).unwrap_or(moves.len());
        put(rank as u64, bytes);
        position.do_move(scored.played);
    }
    let mut expected = 0;
    for scored in &game.moves {
        put(zigzag(i64::from(scored.score) - expected), bytes);
        expected = -i64::from(scored.score);
    }
}

/// Games as bytes, one after another, for sending them; packs compress them and add checksums.
#[must_use]
pub fn encode_games(games: &[TrainingGame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        encode(game, &mut bytes);
    }
    bytes
}

/// The games of [`encode_games`]; their moves are legal.
pub fn decode_games(bytes: &[u8]) -> Result<Vec<TrainingGame>, DecodeError> {
    let mut decoder = Decoder(bytes);
    let mut games = Vec::new();
    while !decoder.is_empty() {
        games.push(decoder.game()?);
    }
    Ok(games)
}

/// Decodes games from the front of bytes.
pub(super) struct Decoder<'a>(pub(super) &'a [u8]);

impl Decoder<'_> {
    fn byte(&mut self) -> Result<u8, DecodeError> {
        let (first, rest) = self.0.split_first().ok_or(DecodeError::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(DecodeError::LongNumber)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn game(&mut self) -> Result<TrainingGame, DecodeError> {
        let index = self.number()?;
        let code = self.byte()?;
        let winner = match code >> WINNER_SHIFT & 0x7 {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => return Err(DecodeError::Ending { index, code }),
        };
        let ending = Ending::ALL.get(usize::from(code & 0xF)).copied();
        let ending = ending.ok_or(DecodeError::Ending { index, code })?;
        let start = if code & FROM_STARTPOS == 0 { self.start(index)? } else { Position::startpos() };
        let count = self.number()?;
        // Every move takes at least one byte, and one for its score.
        if count > self.0.len() as u64 {
            return Err(DecodeError::Short);
        }
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(count as usize);
        for number in 1..=count as usize {
            let (rank, legal) = (self.number()?, ordered(&position));
            let count = legal.len();
            let played = usize::try_from(rank).ok().and_then(|rank| legal.get(rank).copied());
            let played = played.ok_or(DecodeError::Move { index, number, rank, count })?;
            position.do_move(played);
            moves.push(ScoredMove { played, score: 0 });
        }
        let mut expected = 0_i64;
        for (number, scored) in (1..).zip(&mut moves) {
            let score = unzigzag(self.number()?).wrapping_add(expected);
            scored.score = i16::try_from(score).map_err(|_| DecodeError::Score { index, number, score })?;
            expected = -i64::from(scored.score);
        }
        Ok(TrainingGame { index, start, moves, winner, ending })
    }

    fn start(&mut self, index: u64) -> Result<Position, DecodeError> {
        let (packed, rest) = self.0.split_first_chunk::<32>().ok_or(DecodeError::Short)?;
        self.0 = rest;
        let ply = self.number()?;
        let bad = |reason: String| DecodeError::Start { index, reason };
        let setup = PackedSfen::from(*packed).unpack().map_err(|error| bad(error.to_string()))?;
        let ply = u32::try_from(ply).map_err(|_| bad(format!("move number {ply}")))?;
        Position::try_from(Setup { ply: ply.max(1), ..setup }).map_err(|error| bad(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_sizes() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put(number, &mut bytes);
            assert_eq!(Decoder(&bytes).number(), Ok(number));
        }
        for number in [0, 1, -1, 40, -32_000, i64::MAX, i64::MIN] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!(Decoder(&[0xFF; 12]).number(), Err(DecodeError::LongNumber));
    }

    #[test]
    fn bad_bytes_are_told() {
        let game = |bytes: &[u8]| Decoder(bytes).game().unwrap_err();
        assert_eq!(game(&[]), DecodeError::Short);
        assert_eq!(game(&[3, 0x8F]), DecodeError::Ending { index: 3, code: 0x8F });
        assert_eq!(
            game(&[3, 0x80, 1, 200, 1]),
            DecodeError::Move { index: 3, number: 1, rank: 200, count: 30 }
        );
        assert_eq!(game(&[3, 0x80, 1, 5]), DecodeError::Short);
        assert!(matches!(
            game(&[[3, 0].as_slice(), &[255; 32], &[1]].concat()),
            DecodeError::Start { index: 3, .. }
        ));
    }
}

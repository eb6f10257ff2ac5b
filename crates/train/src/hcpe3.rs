//! dlshogi's games (`hcpe3`): a start position followed by moves with values.
//!
//! | bytes | content |
//! |---|---|
//! | 32 | the start position, as [`HuffmanCodedPos`] |
//! | 2 | number of moves |
//! | 1 | 0 draw, 1 Black won, 2 White won; and 4 by repetition, 8 by declaration, 16 by length |
//! | 1 | the players |
//!
//! and for each move 2 bytes of the move in Apery's form, 2 bytes of its value for the side that played it, 2 bytes
//! with the number of candidates, and 4 bytes for each candidate: its move and its visits. Our searches have no visits,
//! so we write no candidates, and ignore those of others. The start position has no move number; it is taken to be 1.

use crate::{Ending, ScoredMove, TrainingGame};
use shogi::{Color, HuffmanCodedPos, Move, Position};
use std::io::{self, Read, Write};

const BY_REPETITION: u8 = 4;
const BY_DECLARATION: u8 = 8;
const BY_LENGTH: u8 = 16;

/// Size of a game's header.
const HEAD: usize = 36;
/// Bytes of a move without its candidates.
const MOVE: usize = 6;
/// Bytes of a candidate.
const CANDIDATE: u64 = 4;

/// Why a game cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Hcpe3Error {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An invalid game.
    #[error("game {game} at byte {offset}: {reason}")]
    Game {
        /// Counted from 1.
        game: u64,
        /// Its offset.
        offset: u64,
        /// Why.
        reason: String,
    },
}

/// Reads the games of a file; stops after the first invalid one.
///
/// ```
/// use train::{Ending, Hcpe3Reader, ScoredMove, TrainingGame, write_hcpe3};
/// let game = TrainingGame {
///     index: 0,
///     start: shogi::Position::startpos(),
///     moves: vec![ScoredMove { played: "7g7f".parse().unwrap(), score: 30 }],
///     winner: None,
///     ending: Ending::Repetition,
/// };
/// let mut bytes = Vec::new();
/// write_hcpe3(&game, &mut bytes)?;
/// assert_eq!(Hcpe3Reader::new(bytes.as_slice()).next().unwrap()?, game);
/// # Ok::<(), train::Hcpe3Error>(())
/// ```
pub struct Hcpe3Reader<R> {
    input: R,
    game: u64,
    /// The offset of the next byte.
    offset: u64,
    failed: bool,
}

impl<R: Read> Hcpe3Reader<R> {
    /// Reads from `input`, which should be buffered.
    pub fn new(input: R) -> Self {
        Self { input, game: 0, offset: 0, failed: false }
    }

    /// Fills the buffer; returns `false` at the end of the input.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool, Fault> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(false),
                Ok(0) => return Err(Fault::Reason(ENDS_INSIDE.to_owned())),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Fault::Io(error)),
            }
        }
        self.offset += filled as u64;
        Ok(true)
    }

    fn game(&mut self) -> Result<Option<TrainingGame>, Fault> {
        let mut head = [0; HEAD];
        if !self.fill(&mut head)? {
            return Ok(None);
        }
        let [start @ .., m0, m1, result, _opponent] = head;
        let setup = HuffmanCodedPos::from(start).unpack().map_err(|error| error.to_string())?;
        let start = Position::try_from(setup).map_err(|error| error.to_string())?;
        let winner = match result & 3 {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => return Err(Fault::Reason(format!("unknown result {result}"))),
        };
        let ending = match result & !3 {
            BY_REPETITION if winner.is_some() => Ending::PerpetualCheck,
            BY_REPETITION => Ending::Repetition,
            BY_DECLARATION => Ending::Declaration,
            BY_LENGTH => Ending::MoveLimit,
            _ => Ending::Adjudicated,
        };
        let count = usize::from(u16::from_le_bytes([m0, m1]));
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(count);
        for number in 1..=count {
            let mut bytes = [0; MOVE];
            if !self.fill(&mut bytes)? {
                return Err(Fault::Reason(ENDS_INSIDE.to_owned()));
            }
            let [m0, m1, s0, s1, c0, c1] = bytes;
            let bits = u16::from_le_bytes([m0, m1]);
            let played = Move::from_apery_bits(bits).filter(|m| position.is_legal(*m)).ok_or_else(|| {
                format!("move {number}: {bits:#06x} is no legal move in {}", position.sfen())
            })?;
            moves.push(ScoredMove { played, score: i16::from_le_bytes([s0, s1]) });
            position.do_move(played);
            self.pass_over(u64::from(u16::from_le_bytes([c0, c1])) * CANDIDATE)?;
        }
        Ok(Some(TrainingGame { index: self.game, start, moves, winner, ending }))
    }

    fn pass_over(&mut self, bytes: u64) -> Result<(), Fault> {
        let passed = io::copy(&mut (&mut self.input).take(bytes), &mut io::sink()).map_err(Fault::Io)?;
        self.offset += passed;
        if passed == bytes { Ok(()) } else { Err(Fault::Reason(ENDS_INSIDE.to_owned())) }
    }
}

const ENDS_INSIDE: &str = "the file ends inside of it";

/// A fault without its place.
enum Fault {
    Io(io::Error),
    Reason(String),
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Reason(reason)
    }
}

impl<R: Read> Iterator for Hcpe3Reader<R> {
    type Item = Result<TrainingGame, Hcpe3Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let offset = self.offset;
        let read = self.game();
        self.failed = read.is_err();
        match read {
            Ok(game) => {
                self.game += 1;
                game.map(Ok)
            }
            Err(Fault::Io(error)) => Some(Err(error.into())),
            Err(Fault::Reason(reason)) => Some(Err(Hcpe3Error::Game { game: self.game + 1, offset, reason })),
        }
    }
}

/// Appends a game; it is cut after 65,535 moves.
pub fn write_hcpe3(game: &TrainingGame, out: &mut impl Write) -> Result<(), Hcpe3Error> {
    let start = HuffmanCodedPos::try_from(&game.start).map_err(|error| Hcpe3Error::Game {
        game: game.index + 1,
        offset: 0,
        reason: error.to_string(),
    })?;
    let count = u16::try_from(game.moves.len()).unwrap_or(u16::MAX);
    let winner = game.winner.map_or(0, |winner| winner as u8 + 1);
    let ending = match game.ending {
        Ending::Mate | Ending::Adjudicated => 0,
        Ending::Repetition | Ending::PerpetualCheck => BY_REPETITION,
        Ending::Declaration => BY_DECLARATION,
        Ending::MoveLimit => BY_LENGTH,
    };
    out.write_all(start.bytes())?;
    out.write_all(&count.to_le_bytes())?;
    out.write_all(&[winner | ending, 0])?;
    for scored in &game.moves[..usize::from(count)] {
        out.write_all(&scored.played.apery_bits().to_le_bytes())?;
        out.write_all(&scored.score.to_le_bytes())?;
        out.write_all(&0_u16.to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> TrainingGame {
        let scored = |(played, score): (&str, i16)| ScoredMove { played: played.parse().unwrap(), score };
        TrainingGame {
            index: 0,
            start: Position::startpos(),
            moves: [("7g7f", 31), ("3c3d", -20), ("8h2b+", 5)].map(scored).to_vec(),
            winner: Some(Color::White),
            ending: Ending::PerpetualCheck,
        }
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        write_hcpe3(&game(), &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn games_have_the_layout_of_dlshogi() {
        let bytes = bytes();
        assert_eq!(bytes.len(), 36 + 3 * 6);
        assert_eq!(bytes[32..36], [3, 0, 2 | 4, 0]);
        let push: Move = "7g7f".parse().unwrap();
        assert_eq!(bytes[36..38], push.apery_bits().to_le_bytes());
        assert_eq!(bytes[38..42], [31, 0, 0, 0]);
    }

    #[test]
    fn candidates_are_passed_over() {
        let mut bytes = bytes();
        bytes[40] = 2;
        bytes.splice(42..42, [1, 2, 3, 4, 5, 6, 7, 8]);
        bytes.extend_from_slice(&self::bytes());
        let games: Vec<TrainingGame> = Hcpe3Reader::new(bytes.as_slice()).map(Result::unwrap).collect();
        assert_eq!(games, [game(), TrainingGame { index: 1, ..game() }]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let message = |bytes: &[u8]| match Hcpe3Reader::new(bytes).next() {
            Some(Err(error)) => error.to_string(),
            found => panic!("{found:?}"),
        };
        assert_eq!(message(&bytes()[..40]), "game 1 at byte 0: the file ends inside of it");
        assert_eq!(message(&bytes()[..42]), "game 1 at byte 0: the file ends inside of it");
        let mut changed = bytes();
        changed[34] = 3;
        assert_eq!(message(&changed), "game 1 at byte 0: unknown result 3");
        let mut changed = bytes();
        changed[36..38].fill(0xff);
        assert!(
            message(&changed).starts_with("game 1 at byte 0: move 1: 0xffff is no legal move in lnsgkgsnl/")
        );
    }
}

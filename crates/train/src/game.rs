//! A self-play game with scores.

use shogi::{Color, GameResult, Move, PackError, PackedSfen, PackedSfenValue, Position};

/// A move of a [`TrainingGame`] with its score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScoredMove {
    /// The move played.
    pub played: Move,
    /// Its value for the side that played it.
    pub score: i16,
}

/// How a [`TrainingGame`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Ending {
    /// By mate on the board, or no legal move.
    Mate = 0,
    /// The scores were one-sided for long enough, or a search found the mate.
    Adjudicated,
    /// By declaration.
    Declaration,
    /// Repetition.
    Repetition,
    /// Perpetual check.
    PerpetualCheck,
    /// The move limit was reached.
    MoveLimit,
}

impl Ending {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Mate,
        Self::Adjudicated,
        Self::Declaration,
        Self::Repetition,
        Self::PerpetualCheck,
        Self::MoveLimit,
    ];
}

/// The points of a result: 0, ½ or 1.
pub(crate) fn points(result: GameResult) -> f32 {
    f32::from(result.code() + 1) / 2.0
}

/// A game with a score for every move.
///
/// ```
/// use train::{Ending, ScoredMove, TrainingGame};
/// use shogi::{Color, GameResult, Position};
/// let moves = ["7g7f", "3c3d"].map(|m| ScoredMove { played: m.parse().unwrap(), score: 30 });
/// let game = TrainingGame {
///     index: 7,
///     start: Position::startpos(),
///     moves: moves.to_vec(),
///     winner: Some(Color::Black),
///     ending: Ending::Adjudicated,
/// };
/// let records = game.records()?;
/// assert_eq!(records.len(), 2);
/// assert_eq!((records[1].ply, records[1].result), (2, GameResult::Loss));
/// # Ok::<(), shogi::PackError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingGame {
    /// Its number in the series.
    pub index: u64,
    /// The start position, after any random moves.
    pub start: Position,
    /// The moves.
    pub moves: Vec<ScoredMove>,
    /// The winner.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
}

impl TrainingGame {
    /// Its positions as records; fails if a position has too many pieces.
    pub fn records(&self) -> Result<Vec<PackedSfenValue>, PackError> {
        let mut position = self.start.clone();
        self.moves
            .iter()
            .map(|scored| {
                let record = PackedSfenValue {
                    position: PackedSfen::try_from(&position)?,
                    score: scored.score,
                    move_bits: scored.played.bits(),
                    ply: position.ply().min(u32::from(u16::MAX)) as u16,
                    result: GameResult::for_side(position.side(), self.winner),
                    padding: 0,
                };
                position.do_move(scored.played);
                Ok(record)
            })
            .collect()
    }
}

//! A game played for its positions.

use shogi::{Color, GameResult, Move, PackError, PackedSfen, Position, TeacherRecord};

/// A move of a [`TrainingGame`] with what the search thought of it.
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
    /// The scores had been one-sided for long enough, or a search saw the mate.
    Adjudicated,
    /// By declaration.
    Declaration,
    /// The same position came up too often.
    Repetition,
    /// The same with checks all the way.
    PerpetualCheck,
    /// It lasted too long.
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

/// What a result counts: 0, ½ or 1.
pub(crate) fn points(result: GameResult) -> f32 {
    f32::from(result.code() + 1) / 2.0
}

/// A game with a value for every move: where it began, what was played, who won.
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
    /// Its number in its series.
    pub index: u64,
    /// Where the moves with values begin.
    pub start: Position,
    /// The moves.
    pub moves: Vec<ScoredMove>,
    /// Who won.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
}

impl TrainingGame {
    /// Its positions as records of the field; fails where a position has pieces that do not fit.
    pub fn records(&self) -> Result<Vec<TeacherRecord>, PackError> {
        let mut position = self.start.clone();
        self.moves
            .iter()
            .map(|scored| {
                let record = TeacherRecord {
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

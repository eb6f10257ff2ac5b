//! Positions beside the games. A search looks at far more silly moves than sensible ones; a network that has seen only
//! positions of games does not know what they are worth.

use platform::Random;
use shogi::{GameResult, PackedSfen, Position, TeacherRecord};

/// Leads positions astray by a few random moves. Nobody knows their scores: a teacher that judges positions has to give
/// them some.
///
/// ```
/// use train::Stray;
/// use shogi::{GameResult, PackedSfen, Position, TeacherRecord};
/// let position = PackedSfen::try_from(&Position::startpos())?;
/// let record = TeacherRecord { position, score: 50, move_bits: 0, ply: 1, result: GameResult::Win, padding: 0 };
/// let beside = Stray::new(1, 7).lead(&record).expect("there are moves");
/// assert_eq!((beside.ply, beside.score, beside.result), (2, 0, GameResult::Draw));
/// assert_ne!(beside.position, record.position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stray {
    most_moves: usize,
    random: Random,
}

impl Stray {
    /// By one to `most_moves` random moves, the same again for the same seed.
    #[must_use]
    pub const fn new(most_moves: usize, seed: u64) -> Self {
        Self { most_moves, random: Random::new(seed) }
    }

    /// A position beside the record's; `None` if there is none to be had.
    pub fn lead(&mut self, record: &TeacherRecord) -> Option<TeacherRecord> {
        let mut position = Position::try_from(record.setup().ok()?).ok()?;
        let moves = 1 + self.random.below(self.most_moves.max(1));
        for _ in 0..moves {
            let legal = position.legal_moves();
            let chosen = *legal.get(self.random.below(legal.len()))?;
            position.do_move(chosen);
        }
        // Who is to move can be told from the ply.
        unjudged(&position, record.ply.saturating_add(moves as u16))
    }
}

/// A position that nobody has judged; `None` where there are more pieces than fit.
pub(crate) fn unjudged(position: &Position, ply: u16) -> Option<TeacherRecord> {
    Some(TeacherRecord {
        position: PackedSfen::try_from(position).ok()?,
        score: 0,
        move_bits: 0,
        ply,
        result: GameResult::Draw,
        padding: 0,
    })
}

//! Positions beside those of games. A search looks at far more bad moves than good ones; a network that has learned from
//! positions of games only does not know their values.
//!
//! The positions have no scores, results or best moves: a teacher network has to score them.

mod random;
mod visited;

pub use random::Perturb;
pub use visited::{VisitProgress, Visited, VisitedOfGame};

use shogi::{PackedSfen, Position, TeacherRecord};

/// A record without score, result and best move; `None` where the position has more pieces than fit.
fn unscored(position: &Position, ply: u16) -> Option<TeacherRecord> {
    Some(TeacherRecord {
        position: PackedSfen::try_from(position).ok()?,
        score: 0,
        move_bits: 0,
        ply,
        result: shogi::GameResult::Draw,
        padding: 0,
    })
}

//! Generates positions near those of games. A search evaluates positions after many more bad moves than good ones, and
//! a network trained only on positions of games is inaccurate there.
//!
//! The positions have no scores, results or best moves: another network must score them.

mod random;
mod visited;

pub use random::Perturb;
pub use visited::{VisitProgress, Visited, VisitedOfGame};

use shogi::{PackedSfen, PackedSfenValue, Position};

/// A record without score, result and best move; `None` if the position has too many pieces.
fn unscored(position: &Position, ply: u16) -> Option<PackedSfenValue> {
    Some(PackedSfenValue {
        position: PackedSfen::try_from(position).ok()?,
        score: 0,
        move_bits: 0,
        ply,
        result: shogi::GameResult::Draw,
        padding: 0,
    })
}

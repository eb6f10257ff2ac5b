//! The start of nearly all games, kept ready.

use shogi::{Handicap, Piece, Setup};
use std::sync::LazyLock;

/// An even game.
pub(crate) static EVEN: LazyLock<Setup> = LazyLock::new(|| Handicap::Even.setup());

/// Whether an even game begins so, whatever the number of its first move.
pub(crate) fn is_even(start: &Setup) -> bool {
    let even = &*EVEN;
    // All squares at once instead of one after the other.
    let number = |piece: &Option<Piece>| piece.map_or(0, |piece| piece as u8);
    let others = start.board.iter().zip(&even.board).fold(0, |any, (a, b)| any | (number(a) ^ number(b)));
    others == 0 && start.hands == even.hands && start.side == even.side
}

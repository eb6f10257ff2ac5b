//! Lists of moves that can be compared.

use fairy::Position;
use game::Position as _;

pub fn sorted_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

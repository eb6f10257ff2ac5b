//! Selects positions of games to be searched.

use crate::GameLine;
use shogi::{Color, Position};

/// The positions of a game to search: from the `first`th to the `last`th, or only those of `side`. A shorter game also
/// contributes its last position, unless it ends with a word.
#[must_use]
pub fn positions_of_game(game: &GameLine, first: usize, last: usize, side: Option<Color>) -> Vec<Position> {
    let mut position = game.start.clone();
    let mut positions = Vec::new();
    for m in game.moves.iter().take(last) {
        positions.push(position.clone());
        position.do_move(*m);
    }
    if game.moves.len() < last && game.bad_word.is_none() && !game.resigned {
        positions.push(position);
    }
    let wanted = |position: &Position| side.is_none_or(|side| side == position.side());
    positions.into_iter().skip(first.saturating_sub(1)).filter(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_positions_are_thought_about() {
        let plies = |line: &str, first, last, side| -> Vec<u32> {
            let game = GameLine::parse(line, last).unwrap();
            positions_of_game(&game, first, last, side).iter().map(Position::ply).collect()
        };
        assert_eq!(plies("7g7f 3c3d 2g2f", 1, 16, None), [1, 2, 3, 4]);
        assert_eq!(plies("7g7f 3c3d 2g2f", 1, 3, None), [1, 2, 3]);
        assert_eq!(plies("7g7f 3c3d 2g2f", 2, 2, None), [2]);
        assert_eq!(plies("7g7f 3c3d resign", 1, 9, None), [1, 2]);
        assert_eq!(plies("7g7f 3c3d 2g2f", 1, 16, Some(Color::White)), [2, 4]);
    }
}

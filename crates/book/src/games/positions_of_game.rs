//! Positions of games that are worth a thought.

use crate::GameLine;
use shogi::{Color, Position};
use std::path::Path;

/// The positions of a game that are to be thought about: from the `first`th to the `last`th, those of `side` only if
/// one is given. A game that is shorter gives its last position, too, unless it ends with a word.
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

/// The message that there is nothing to think about.
#[must_use]
pub fn no_positions(games: &Path, first: usize, last: usize) -> String {
    format!("{}: no game has a position from move {first} to move {last}", games.display())
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

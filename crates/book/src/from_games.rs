//! A book from games (`from_sfen`).

use crate::{BookError, BookMove, Collection, GameLine, read_game_lines};
use shogi::{Color, Position};
use std::path::Path;

/// What the reference program says of moves that were played, not searched.
const DEPTH: i32 = 32;

/// Enters the first moves of a game: each with the reply that was played, so the last move is only a reply. Only
/// those of `side`, if one is given.
pub fn insert_game(book: &mut Collection, game: &mut GameLine, most: usize, side: Option<Color>) {
    let position = &mut game.start;
    let pairs = game.moves.windows(2).take(most);
    let played = pairs.len();
    for pair in pairs {
        if side.is_none_or(|side| side == position.side()) {
            let m = BookMove { reply: Some(pair[1]), depth: DEPTH, ..BookMove::new(pair[0]) };
            book.insert(position, m);
        }
        position.do_move(pair[0]);
    }
    for _ in 0..played {
        position.undo_move();
    }
}

/// Reads a list of games into a book. `complain` hears of moves that are none; they end their game.
pub fn insert_games(
    book: &mut Collection,
    list: &Path,
    most: usize,
    side: Option<Color>,
    complain: &mut dyn FnMut(u64, &str, &str),
) -> Result<(), BookError> {
    read_game_lines(list, most + 1, |number, line, mut game| {
        if let Some(word) = &game.bad_word {
            complain(number, line, word);
        }
        insert_game(book, &mut game, most, side);
        Ok(())
    })
}

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

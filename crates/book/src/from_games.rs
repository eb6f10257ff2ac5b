//! A book from games (`from_sfen`).

use crate::{BookError, BookMove, Collection, GameLine, read_game_lines};
use shogi::Color;
use std::path::Path;

/// What the reference program says of moves that were played, not searched.
const DEPTH: i32 = 32;

/// Enters the first moves of a game: each with the reply that was played, so the last move is only a reply. Only
/// those of `side`, if one is given.
pub fn insert_game(book: &mut Collection, game: &GameLine, most: usize, side: Option<Color>) {
    let mut position = game.start.clone();
    for pair in game.moves.windows(2).take(most) {
        if side.is_none_or(|side| side == position.side()) {
            let m = BookMove { reply: Some(pair[1]), depth: DEPTH, ..BookMove::new(pair[0]) };
            book.insert(&position, m);
        }
        position.do_move(pair[0]);
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
    read_game_lines(list, most + 1, |number, line, game| {
        if let Some(word) = &game.bad_word {
            complain(number, line, word);
        }
        insert_game(book, &game, most, side);
        Ok(())
    })
}

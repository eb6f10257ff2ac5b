//! Lists of games, and the books made from them.

pub(crate) mod game_lines;
pub(crate) mod played_book;
pub(crate) mod positions_of_game;

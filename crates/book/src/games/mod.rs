//! Lists of games, and books made from games.

pub(crate) mod game_lines;
pub(crate) mod import;
pub(crate) mod played_book;
pub(crate) mod positions_of_game;

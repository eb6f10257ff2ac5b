//! Positions and moves of books, and their file formats.

pub(crate) mod apery;
pub(crate) mod blocks;
pub(crate) mod board_text;
pub(crate) mod book_format;
pub(crate) mod book_move;
pub(crate) mod bytes;
pub(crate) mod db;
pub(crate) mod entry;
pub(crate) mod lines;
pub(crate) mod overwrite;
pub(crate) mod sbk;
pub(crate) mod sfen_line;
pub(crate) mod usi_bytes;
pub(crate) mod ybb;

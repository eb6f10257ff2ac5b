//! Encodings, lines, and Japanese words for squares and pieces.

pub mod encoding;
pub(crate) mod kanji;
pub(crate) mod lines;
pub(crate) mod time;

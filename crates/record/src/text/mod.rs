//! Bytes to text, and the words of Japanese notation.

pub mod encoding;
pub(crate) mod kanji;
pub(crate) mod lines;
pub(crate) mod time;

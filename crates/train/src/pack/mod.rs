//! Packs: training games in two or three bytes per position.
//!
//! A pack is a file of compressed blocks of games with checksums; an incomplete block left by a kill is detected and
//! removed. The packs of a series are named `NAME-0000.pack`, `NAME-0001.pack`, and so on, and are limited to about 4
//! MiB, so that many threads can share them.

mod code;
mod file;

pub use code::{DecodeError, decode_games, encode_games};
pub use file::{BLOCK_GAMES, Block, LARGEST, PackError, PackFile, PackReader, PackWriter, Resumed};

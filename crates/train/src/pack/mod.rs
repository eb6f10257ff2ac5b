//! Packs: games for training in two or three bytes a position.
//!
//! A pack is a file of blocks, each of some games, compressed and with a checksum; what a killed writer leaves
//! unfinished is found and cut off. Packs of a series are called `NAME-0000.pack`, `NAME-0001.pack`, and so on, and are
//! kept near 4 MiB: many make work for many threads.

mod code;
mod file;

pub use code::DecodeError;
pub use file::{BLOCK_GAMES, Block, LARGEST, PackError, PackFile, PackReader, PackWriter, Resumed};

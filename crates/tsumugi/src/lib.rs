//! The program: a console that speaks USI.
//!
//! | module | what it holds |
//! |---|---|
//! | [`console`] | reading commands and answering them, written once for all games |
//!
//! The command line itself is in the binary (`cli.rs`); nothing is decided there.

pub mod console;

//! The program: a console that speaks USI, and the games it can play.
//!
//! | module | what it holds |
//! |---|---|
//! | [`console`] | reading commands and answering them, written once for all games |
//! | [`games`] | the games of this program, each with the few extras that the console asks for |
//!
//! The command line itself is in the binary (`cli.rs`); nothing is decided there.

pub mod console;
pub mod games;

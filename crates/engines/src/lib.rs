//! The engines of all games behind USI.
//!
//! | item | what it is |
//! |---|---|
//! | [`Catalogue`], [`Visitor`] | all games, and operations on one of them |
//! | [`ShogiEngine`] | shogi: evaluation files, books, mate threads, console commands |
//! | [`FreezeEngine`] | Freeze shogi: shogi's files with its own search |
//! | [`swindle`] | Freeze shogi: playing in lost positions |
//! | [`BinarsiEngine`] | Binarsi: search and solver in turns |
//! | [`Level`], [`Rank`] | levels of play, and their names |
//! | [`UsiThinker`] | searches for books by any USI engine |
//!
//! Other games, defined in a file of variants, are played by [`usi::SearchEngine`] with `fairy`'s evaluation.

mod binarsi_console;
mod binarsi_engine;
mod catalogue;
mod freeze_engine;
mod freeze_swindle;
mod shogi_engine;
mod usi_thinker;

pub use binarsi_console::run_binarsi_console;
pub use binarsi_engine::{BinarsiEngine, PLAYERS};
pub use catalogue::{Catalogue, Visitor, read_variants_file};
pub use freeze_engine::FreezeEngine;
pub use freeze_swindle::swindle;
pub use shogi_engine::ShogiEngine;
pub use usi::{Level, Rank};
pub use usi_thinker::{UsiThinker, UsiThinkerError};

/// The engine's name.
pub const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"));
/// The authors.
pub const AUTHOR: &str = "the Tsumugi contributors";

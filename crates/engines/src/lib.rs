//! How each game is played through USI.
//!
//! | item | what it is |
//! |---|---|
//! | [`Catalogue`], [`Visitor`] | all games, and something to do with one of them |
//! | [`ShogiEngine`] | shogi: evaluation files, books, mate threads, console commands |
//! | [`FreezeEngine`] | Freeze shogi: shogi's files with its own search |
//! | [`swindle`] | Freeze shogi: playing on in lost positions |
//! | [`BinarsiEngine`] | Binarsi: search and solver in turns |
//!
//! Every other game, read from a file of variants, is played by [`usi::SearchEngine`] with `fairy`'s evaluation.

mod binarsi_engine;
mod catalogue;
mod freeze_engine;
mod freeze_swindle;
mod shogi_engine;

pub use binarsi_engine::{BinarsiEngine, PLAYERS};
pub use catalogue::{Catalogue, Visitor, read_variants_file};
pub use freeze_engine::FreezeEngine;
pub use freeze_swindle::swindle;
pub use shogi_engine::ShogiEngine;

/// The name that hosts show.
pub const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"));
/// Who made it.
pub const AUTHOR: &str = "the Tsumugi contributors";

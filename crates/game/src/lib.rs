//! The traits of a game: rules, positions, and what a search needs.
//!
//! Tsumugi's search, USI session, arena, book and web board are written once, against the traits of this
//! crate, and compiled separately for each game: shogi, Freeze shogi, any `variants.ini` game, Binarsi.
//!
//! | item | what it says |
//! |---|---|
//! | [`Game`] | the rules: start position, reading positions from text |
//! | [`Position`] | one position: legal moves, do and undo, key, outcome, text |
//! | [`Searchable`] | what the search needs beyond the rules: sets of moves, table slots, fast tests |
//! | [`DropBatch`], [`NoDrops`] | drops that are ranked as vectors, and the stand-in for games without them |
//! | [`Evaluation`] | a value for a position, kept up to date move by move |
//! | [`MoveList`] | moves in a fixed buffer, without heap allocation |
//! | [`MoveSet`], [`Promotions`] | which moves to generate |
//! | [`Outcome`], [`EndReason`], [`Repetition`], [`Declaration`] | who won, and why |
//! | [`perft`], [`divide`] | counting the tree, the same for every game |
//! | [`GameOption`] | an option that only one game has |
//! | [`PositionCommandError`] | why a `position …` line was refused |
//!
//! `tests/tic_tac_toe.rs` is a game in some fifty lines, by its rules alone: start there to add one.

mod color;
mod drop_batch;
mod evaluation;
mod game;
mod game_option;
mod move_list;
mod move_set;
mod outcome;
mod perft;
mod position;
mod position_command;
mod searchable;

pub use color::Color;
pub use drop_batch::{DropBatch, NoDrops};
pub use evaluation::Evaluation;
pub use game::{Game, Script};
pub use game_option::{GameOption, OptionKind};
pub use move_list::MoveList;
pub use move_set::{MoveSet, Promotions};
pub use outcome::{Declaration, EndReason, Outcome, Repetition};
pub use perft::{divide, perft, perft_making_leaves};
pub use position::{MoveTextError, Position};
pub use position_command::{PositionCommandError, split_moves};
pub use searchable::{Searchable, Structure};

//! Freeze shogi (フリーズ将棋): shogi in which a move may freeze a kind of piece, which the opponent must not move on the
//! next turn.
//!
//! ```
//! use freeze::{Counts, Position};
//! use game::Position as _;
//! let mut position = Position::startpos(Counts::new(3, 3));
//! assert_eq!(position.legal_moves().len(), 270);
//! position.do_move(position.parse_move("7g7fzG")?);
//! assert!(position.to_text().ends_with(" w - 2 zG z2Z3"));
//! assert!(position.parse_move("4a3b").is_err(), "gold is frozen");
//! # Ok::<(), game::MoveTextError>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | name kinds, counts and markers | [`KindSet`], [`kind_text`], [`Counts`], [`Marker`] |
//! | move | [`Move`], [`Position`] |
//! | read `position` commands | [`Freeze`], [`Acceptance`] |
//! | evaluate positions | [`FreezeEvaluation`] |
//!
//! The rules are those of the game's inventor; `docs/freeze.md` states them, with our decisions where they are silent.

mod command;
mod error;
mod evaluation;
mod exchange;
mod freeze_game;
mod kinds;
mod legality;
mod mate_in_one;
mod mate_in_three;
mod movegen;
mod moves;
mod play;
mod position;
mod repetition;
mod state;
mod tokens;

pub use error::FreezeError;
pub use evaluation::{FreezeEvaluation, stock_value};
pub use freeze_game::{Acceptance, Drops, Freeze};
pub use kinds::{KindSet, kind_text, read_kind};
pub use movegen::MoveList;
pub use moves::Move;
pub use position::{Handling, Position};
pub use tokens::{Counts, Marker, Token};

//! The rules of shogi: positions, legal moves, repetition, declaration, SFEN, packed positions.
//!
//! ```
//! use shogi::{Move, Position};
//! let mut position = Position::startpos();
//! let push: Move = "7g7f".parse()?;
//! assert!(position.is_legal(push));
//! position.do_move(push);
//! for m in &position.legal_moves() {
//!     println!("{m}");
//! }
//! # Ok::<(), shogi::ParseMoveError>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | name squares, pieces, hands, moves | [`Square`], [`Piece`], [`PieceKind`], [`Hand`], [`Move`] |
//! | handle sets of squares and attacks | [`Bitboard`], [`attacks`] |
//! | read and write positions | [`Setup`], [`Handicap`], [`Position::from_sfen`], [`Position::sfen`] |
//! | play | [`Position::do_move`], [`Position::undo_move`], [`Position::outcome`] |
//! | keep positions by the million | [`Position::snapshot`], [`Position::restore`] |
//! | generate moves | [`Position::legal_moves`], [`Position::generate`] with [`MoveSet`] and [`Promotions`] |
//! | examine moves | [`Position::is_legal`], [`Position::gives_check`], [`Position::exchange_at_least`],
//! [`Position::mate_in_one`] |
//! | follow moves with an evaluation | [`Position::do_move_observed`], [`Change`] |
//! | end games | [`Position::repetition`], [`Position::fourfold`], [`Position::declaration`], [`Rules`] |
//! | draw boards | [`Position::ascii`], [`Position::kanji`] |
//! | read training data | [`PackedSfen`], [`PackedSfenValue`], [`HuffmanCodedPos`], [`HcpeRecord`] |
//! | write code for all games | [`Shogi`], the [`game::Game`] |
//!
//! All generated moves are legal; there are no pseudo-legal moves.

pub mod attacks;
mod bitboard;
mod display;
mod hand;
mod handicap;
mod movegen;
mod moves;
mod packed;
mod piece;
mod position;
mod setup;
mod sfen;
mod shogi_game;
mod square;
mod value;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use display::{AsciiBoard, KanjiBoard};
pub use game::{Color, Declaration, EndReason, MoveSet, Outcome, Promotions, Repetition};
pub use hand::Hand;
pub use handicap::Handicap;
pub use movegen::MoveList;
pub use moves::{Move, Origin, ParseMoveError};
pub use packed::{
    Apery, GameResult, HcpeRecord, HuffmanCodedPos, PackError, Packed, PackedFormat, PackedSfen,
    PackedSfenValue, PlainError, PlainFault, PlainReader, ResultCodeError, UnpackError, Yaneuraou,
};
pub use piece::{HandPiece, Piece, PieceKind};
pub use position::{Change, Checks, DeclarationRule, ParseDeclarationRuleError, Position, Rules, Snapshot};
pub use setup::{Setup, SetupError};
pub use sfen::{STARTPOS_SFEN, SfenError};
pub use shogi_game::{Drops, Shogi};
pub use square::{File, ParseSquareError, Rank, Square};
pub use value::{hand_value, piece_value};

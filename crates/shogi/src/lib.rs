//! Shogi.

pub mod attacks;
mod bitboard;
mod display;
mod hand;
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
pub use game::{Color, EndReason, MoveSet, Outcome, Promotions, Repetition};
pub use hand::Hand;
pub use movegen::MoveList;
pub use moves::{Move, Origin, ParseMoveError};
pub use packed::{
    Apery, GameResult, HcpeRecord, HuffmanCodedPos, PackError, Packed, PackedFormat, PackedSfen, PlainError,
    PlainFault, PlainReader, ResultCodeError, TeacherRecord, UnpackError, Yaneuraou,
};
pub use piece::{HandPiece, Piece, PieceKind};
pub use position::{Change, Declaration, DeclarationRule, ParseDeclarationRuleError, Position, Rules};
pub use setup::{Handicap, Setup, SetupError};
pub use sfen::{STARTPOS_SFEN, SfenError};
pub use shogi_game::Shogi;
pub use square::{File, ParseSquareError, Rank, Square};
pub use value::{hand_value, piece_value};

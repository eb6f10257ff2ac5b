//! Reads and writes game records: KIF, KI2, CSA, JKF, USI, USEN, BOD, and records of other games.
//!
//! ```
//! use record::{Format, ReadOptions, WriteOptions};
//! let kif = "手合割：平手\n   1 ７六歩(77)   ( 0:05/00:00:05)\n   2 投了\n";
//! let loaded = record::read(kif.as_bytes(), &ReadOptions::default())?;
//! let written = record::write(&loaded.record, &WriteOptions::new(Format::Csa));
//! assert!(written.losses.is_empty());
//! assert_eq!(String::from_utf8_lossy(&written.bytes), "V2.2\nPI\n+\n+7776FU\nT5\n%TORYO\n");
//! # Ok::<(), record::ReadError>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | read bytes | [`read()`], [`ReadOptions`], [`Loaded`] |
//! | read files with many games | [`read_all`], [`Games`] |
//! | look at a record | [`Record`], [`Header`], [`Tree`], [`Ending`] |
//! | check its moves | [`legality`] |
//! | read engine analysis in comments | [`analysis`] |
//! | read and write Freeze shogi | [`freeze`] |
//! | read and write games of a variants.ini | [`variant`] |
//! | exchange moves with CSA servers | [`csa`] |
//! | show it to people | [`show()`], [`ShowOptions`], [`speak`] |
//! | write bytes | [`write()`], [`WriteOptions`], [`Loss`] |
//! | detect formats and encodings | [`Format`], [`detect`], [`encoding`] |
//! | convert files, folders and archives | [`convert`] |

#![allow(clippy::doc_markdown, reason = "names of programs and encodings are not code")]

pub mod convert;
pub mod csa;
mod format;
pub mod legality;
mod model;
pub mod notation;
mod text;

pub use format::csa::csa_position;
pub use format::games::{Games, read_all};
pub use format::kif::spoken_move;
pub use format::read::{IllegalMoves, Loaded, ReadOptions, read};
pub use format::show::{ShowOptions, show};
pub use format::spoken::{speak, western};
pub use format::write::{Loss, WriteOptions, Written, write};
pub use format::{Format, ParseFormatError, analysis, detect};
pub use model::board::{Board, Undo};
pub use model::ending::{Ending, GameResult};
pub use model::error::{Fault, FaultReason, Illegality, ReadError};
pub use model::header::{Field, Header};
pub use model::note::{Lines, LinesRef, Note, NoteRef};
pub use model::record::{GameRecord, Record};
pub use model::tree::{Node, NodeId, Step, Tree, Walk};
pub use notation::{freeze, variant};
pub use text::encoding;

//! Game records: every file a shogi player has, read from raw bytes and written without loss.
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
//! | judge its moves | [`legality`] |
//! | understand what engines noted | [`analysis`] |
//! | read and write Freeze shogi | [`freeze`] |
//! | read and write games of a variants.ini | [`variant`] |
//! | show it to people | [`show()`], [`ShowOptions`] |
//! | write bytes | [`write()`], [`WriteOptions`], [`Loss`] |
//! | know formats and encodings | [`Format`], [`detect`], [`encoding`] |
//! | convert files, folders and archives | [`convert`] |

#![allow(clippy::doc_markdown, reason = "names of programs and encodings are not code")]

pub mod analysis;
mod board;
pub mod convert;
mod csa;
pub mod encoding;
mod ending;
mod error;
mod filter;
mod format;
mod games;
mod header;
mod jkf;
mod kanji;
mod kif;
pub mod legality;
mod lines;
pub mod notation;
mod note;
mod read;
mod record;
mod show;
mod spoken;
mod time;
mod tree;
mod usen;
mod usi;
mod write;

pub use board::{Board, Undo};
pub use ending::{Ending, GameResult};
pub use error::{Fault, FaultReason, Illegality, ReadError};
pub use format::{Format, ParseFormatError, detect};
pub use games::{Games, read_all};
pub use header::{Field, Header};
pub use notation::{freeze, variant};
pub use note::{Lines, LinesRef, Note, NoteRef};
pub use read::{IllegalMoves, Loaded, ReadOptions, read};
pub use record::{GameRecord, Record};
pub use show::{ShowOptions, show};
pub use tree::{Node, NodeId, Step, Tree, Walk};
pub use write::{Loss, WriteOptions, Written, write};

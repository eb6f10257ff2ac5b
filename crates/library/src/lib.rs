//! A library of one's own games: one file that knows where each game is, and finds games by position, header, opening and
//! pattern.
//!
//! | to | see |
//! |---|---|
//! | make a library, add what is new | [`add`], [`AddJob`] |
//! | read one | [`Library`], [`GameInfo`] |
//! | ask what was played in a position | [`Library::explore`], [`Library::tree`], [`Library::games_at`] |
//! | find games | [`GameFilter`], [`Library::list`], [`Library::games_like`], [`Pattern`] |
//! | find games that were added twice | [`Library::duplicates`] |
//! | count | [`Library::stats`] |
//! | write records | [`export()`], [`FileNames`] |
//! | look for damage | [`check_files`], [`Library::check`] |
//! | name openings and castles | [`recognise`] |
//!
//! # What is kept
//!
//! The records stay where they are: a library keeps players, dates, results and so on, the moves, and an index of positions. Games of
//! every kind that [`record`] reads can be added; openings and castles are named in shogi only.
//!
//! # Why a file of our own
//!
//! A table of a database with a row for each position costs a search of a tree for each insertion. What this crate writes is
//! sorted in memory and written once; `BENCHMARKS.md` has figures.

mod change;
mod check;
mod error;
mod export;
mod format;
mod info;
mod openings;
mod query;
mod rules;
mod store;

pub use change::{AddJob, AddSummary, STEP, add, reindex};
pub use check::{FileFault, check_files};
pub use error::LibraryError;
pub use export::{ExportError, ExportJob, Exported, FileNames, FileNamesError, export};
pub use info::GameInfo;
pub use openings::{Named, OPENING_PLIES, recognise};
pub use query::{
    Copies, Count, Counts, DuplicateGroup, Explored, GameFilter, HandWish, Hit, Pattern, PatternError,
    Played, SquareWish, Stats, TreeMove,
};
pub use rules::{Place, Rules};
pub use store::{GameNumber, Library};

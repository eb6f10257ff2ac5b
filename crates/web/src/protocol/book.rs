//! Books.

use super::{NamedMove, Words};
use serde::{Deserialize, Serialize};

/// Answer to `book.list`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Books {
    pub books: Vec<BookEntry>,
}

/// A file below the folder of books.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookEntry {
    /// Relative to the folder, with `/` between names.
    pub path: String,
    pub bytes: u64,
}

/// Answer to `book.open`, `book.save`, `book.minmax`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct BookOpened {
    /// The path; requests name the book by it.
    pub book: String,
    /// `db`, `ybb`, `apery`, `sbk`.
    pub format: String,
    pub positions: u64,
    /// Whether it has changes that were not saved.
    pub changed: bool,
    /// Whether it can be changed and saved.
    pub writable: bool,
    /// How far it is, if it grows.
    pub mining: Option<MiningProgress>,
}

/// How far a book is that grows by `book.mine`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MiningProgress {
    pub book: String,
    /// `running`, `done`, `stopped`, `failed`.
    pub state: String,
    /// Positions that were thought about.
    pub done: u32,
    pub total: u32,
    /// Why it failed.
    pub text: String,
}

/// Answer to `book.show` and `book.edit`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookMoves {
    pub node: u32,
    /// As the book has them.
    pub moves: Vec<BookLine>,
    /// Whether the book has changes that are not saved.
    pub changed: bool,
}

/// A move of a book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct BookLine {
    #[serde(flatten)]
    pub name: NamedMove,
    /// The move expected next.
    pub reply: Option<NamedMove>,
    /// For the side to move, in centipawns.
    pub value: Option<i32>,
    /// The value by min-max over the book, after `book.minmax`.
    pub minmax: Option<i32>,
    pub depth: Option<i32>,
    pub count: Option<u64>,
    /// The move leads to a position that the book has.
    pub known: bool,
    /// The move leads back to a position of the line.
    pub repetition: Option<Words>,
    pub comment: String,
}

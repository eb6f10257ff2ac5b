//! Opening books: their formats, playing from them, and the workshop that makes them.
//!
//! | to | see |
//! |---|---|
//! | hold moves and positions of a book | [`BookMove`], [`Entry`], [`SfenLine`] |
//! | read and write `.db` | [`DbReader`], [`DbWriter`] |
//! | read and write `.ybb` and `book.bin` | [`Ybb`], [`write_ybb`], [`AperyBook`], [`write_apery`] |
//! | handle books larger than memory | [`EntryStream`], [`EntrySorter`], [`SortLimits`] |
//! | write files that are never torn, and replace only our own | [`create_book`], [`Output`], [`check_overwrite`] |

#![allow(clippy::doc_markdown, reason = "names of programs and formats are not code")]

mod apery;
mod blocks;
mod board_text;
mod book_move;
mod bytes;
mod collection;
mod db;
mod edit;
mod embedded;
mod entry;
mod error;
mod format;
mod from_games;
mod game_lines;
mod journal;
mod key_table;
mod leaves;
mod library;
mod lines;
mod lock;
mod merge;
mod minmax;
mod overwrite;
mod parts;
mod played_book;
mod reference_order;
mod render_parts;
mod sbk;
mod selection;
mod sfen_line;
mod sorter;
mod stats;
mod stera;
mod stream;
mod synth;
mod text_book;
mod think;
mod tree;
mod usi_bytes;
mod workshop;
mod ybb;

pub use apery::{AperyBook, AperyWalk, apery_key, write_apery};
pub use book_move::{BookMove, PLAYED_DEPTH, insert_move, sort_moves};
pub use collection::{Collection, Plies};
pub use db::{DbReader, DbWriter, HEADER, LineEnd, Problems};
pub use edit::{Edit, Edited, edit_book};
pub use embedded::{embedded_book, has_embedded_book};
pub use entry::Entry;
pub use error::{BookError, LineFault};
pub use format::BookFormat;
pub use from_games::positions_of_game;
pub use game_lines::{GameLine, read_game_lines};
pub use journal::{Journal, journal_path};
pub use leaves::{LeafPolicy, choose_leaves};
pub use library::{Library, Loading, OpenBook, book_files, changed_at};
pub use lock::{BookLock, create_book};
pub use merge::{MergePolicy, MergeSummary, Merged};
pub use minmax::{Leaf, MinMaxOptions, MinMaxSummary, Noise, SolvedBook, Worth, minmax};
pub use overwrite::{Output, check_overwrite};
pub use played_book::{PlayedBook, PlayedEntries};
pub use sbk::{read_sbk, read_sbk_bytes, write_sbk};
pub use selection::{Choice, Lots, OptionNames, SelectionRules, Selector};
pub use sfen_line::{SfenLine, split_ply};
pub use sorter::{SortLimits, Sorted, Sorter};
pub use stats::{BookStats, Difference, Repaired, diff};
pub use stera::{SteraOptions, SteraTree};
pub use stream::{Entries, EntrySorter, EntryStream, SortedEntries};
pub use synth::{SynthOptions, synthesize};
pub use text_book::TextBook;
pub use think::{Cluster, GrowingBook, Pace, ThinkError, Thinker, Wanted, positions_to_think, think_all};
pub use tree::{
    BUILD_PLIES, Contempt, ExtendOptions, build_tree, build_tree_from, extend_tree, parse_root,
    start_positions,
};
pub use workshop::{
    ConvertSummary, WorkOptions, convert_book, merge_books, open_stream, sort_book, sorted_stream, write_any,
    write_db, write_played,
};
pub use ybb::{Ybb, YbbLosses, YbbStream, write_ybb};

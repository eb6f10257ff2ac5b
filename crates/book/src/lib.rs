//! Opening books: formats, move selection, and making books from games, searches and other books.
//!
//! | to | see |
//! |---|---|
//! | represent positions and moves of a book | [`BookMove`], [`Entry`], [`SfenLine`] |
//! | read and write `.db` | [`DbReader`], [`DbWriter`] |
//! | read and write `.ybb` and `book.bin` | [`Ybb`], [`write_ybb`], [`AperyBook`], [`write_apery`] |
//! | handle books larger than memory | [`EntryStream`], [`EntrySorter`], [`SortLimits`] |
//! | write files atomically, replacing only our own | [`create_book`], [`Output`] |

#![allow(clippy::doc_markdown, reason = "names of programs and formats are not code")]

mod error;
mod format;
mod games;
mod grow;
mod makebook;
mod minmax;
mod play;
mod reference_order;
mod sort;

pub use error::{BookError, LineFault};
pub use format::apery::{AperyBook, AperyWalk, apery_key, write_apery};
pub use format::book_format::BookFormat;
pub use format::book_move::{BookMove, PLAYED_DEPTH, insert_move, sort_moves};
pub use format::db::{DbReader, DbWriter, HEADER, Problems};
pub use format::entry::Entry;
pub use format::overwrite::Output;
pub use format::sbk::{read_sbk, read_sbk_bytes, write_sbk};
pub use format::sfen_line::{SfenLine, split_ply};
pub use format::ybb::{Ybb, YbbLosses, YbbStream, write_ybb};
pub use games::game_lines::{GameLine, read_game_lines, read_games};
pub use games::import::{Import, ImportError, Imported, KnownGame};
pub use games::played_book::{PlayedBook, PlayedEntries};
pub use games::positions_of_game::positions_of_game;
pub use grow::collection::{Collection, Plies};
pub use grow::edit::{Edit, Edited, edit_book};
pub use grow::journal::{Journal, journal_path};
pub use grow::leaves::{LeafPolicy, choose_leaves};
pub use grow::lists::{
    ExportFilter, export_positions, extend, read_collection, read_roots, write_entries, write_lines,
};
pub use grow::lock::{BookLock, create_book};
pub use grow::mine::{MineEnd, Mining, Think};
pub use grow::own_thinker::{Effort, OwnThinker, version_count};
pub use grow::stera_tree::{SteraOptions, SteraTree};
pub use grow::think::{
    Cluster, GrowingBook, Pace, ParseClusterError, ThinkError, Thinker, Wanted, positions_of_lists,
    positions_to_think, think_all,
};
pub use grow::tree::{
    BUILD_PLIES, Contempt, ExtendOptions, build_tree, build_tree_from, extend_tree, parse_root,
    start_positions,
};
pub use makebook::{Makebook, MakebookError};
pub use minmax::{Leaf, MinMaxOptions, MinMaxSummary, Noise, SolvedBook, Worth, minmax};
pub use play::embedded::{embedded_book, has_embedded_book};
pub use play::library::{BookMerge, Library, Loading, OpenBook, book_files, book_names, changed_at};
pub use play::selection::{Choice, Lots, OptionNames, SelectionRules, Selector};
pub use play::text_book::TextBook;
pub use record::encoding::LineEnd;
pub use sort::entry_stream::{Entries, EntrySorter, EntryStream, SortedEntries};
pub use sort::memory_size::{MemorySize, ParseMemorySizeError};
pub use sort::merge::{MergePolicy, MergeSummary, Merged};
pub use sort::sorter::{SortLimits, Sorted, Sorter};
pub use sort::stats::{BookFaults, BookStats, DiffCounts, Difference, Repaired, diff};
pub use sort::synth::{SynthOptions, synthesize, write_synth};
pub use sort::whole_books::{
    ConvertSummary, WorkOptions, convert_book, merge_books, open_stream, repair_book, sort_book,
    sorted_stream, sorted_streams, write_any, write_db, write_played,
};

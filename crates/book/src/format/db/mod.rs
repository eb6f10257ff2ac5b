//! `.db`: YANEURAOU-DB2016, the standard text format of books.

mod problems;
mod reader;
mod writer;

pub use problems::Problems;
pub(crate) use problems::check_text_book;
pub use reader::DbReader;
pub use writer::DbWriter;
pub(crate) use writer::push_entry;

/// The first line of a book.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

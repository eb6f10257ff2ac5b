//! `.db`: YANEURAOU-DB2016, the text book of the field.

mod problems;
mod reader;
mod writer;

pub use problems::Problems;
pub(crate) use problems::check_text_book;
pub use reader::DbReader;
pub(crate) use writer::push_entry;
pub use writer::{DbWriter, LineEnd};

/// The first line of a book.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

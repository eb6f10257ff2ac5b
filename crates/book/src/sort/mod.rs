//! Books larger than memory: streams, external sorting, merging and converting.

pub(crate) mod entry_stream;
pub(crate) mod memory_size;
pub(crate) mod merge;
pub(crate) mod parts;
pub(crate) mod render_parts;
pub(crate) mod sorter;
pub(crate) mod stats;
pub(crate) mod synth;
pub(crate) mod whole_books;

//! Looking positions up and selecting a move.

pub(crate) mod embedded;
pub(crate) mod library;
pub(crate) mod selection;
pub(crate) mod text_book;

//! The data model of records.

pub(crate) mod board;
pub(crate) mod ending;
pub(crate) mod error;
pub(crate) mod filter;
pub(crate) mod header;
pub(crate) mod note;
pub(crate) mod record;
pub(crate) mod tree;

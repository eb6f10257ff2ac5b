//! Network files.

pub(in crate::nnue) mod error;
pub(in crate::nnue) mod facts;
pub(in crate::nnue) mod leb128;
pub(in crate::nnue) mod read;
pub(in crate::nnue) mod source;
pub(in crate::nnue) mod write;

//! The architecture of a network and its text in file headers.

pub(in crate::nnue) mod architecture;
pub(in crate::nnue) mod header_text;

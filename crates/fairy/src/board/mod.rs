//! Squares, pieces and moves: the vocabulary of all variants.

pub(crate) mod kind;
pub(crate) mod move_list;
pub(crate) mod moves;
pub(crate) mod square;

//! Text for people: boards and moves.

pub(crate) mod notation;
pub(crate) mod picture;

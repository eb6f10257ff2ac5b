//! Kakinoki's formats: KIF with numbered moves, KI2 with spoken ones, BOD diagrams.
//!
//! They share header, diagram, comments and branches, so one reader reads all three.

mod line;
mod position;
mod read;
mod write;

pub(crate) use line::is_move_line;
pub(crate) use read::read;
pub(crate) use write::{
    diagram, ki2_keeps, kif_word, marked_move, spoken_moves, write_bod, write_ki2, write_kif,
};

/// What tells KIF and KI2 apart besides the form of the moves: where the ending is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// The ending is a numbered line.
    Kif,
    /// The ending is the `まで…` line.
    Ki2,
}

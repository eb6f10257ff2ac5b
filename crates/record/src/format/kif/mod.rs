//! Kakinoki's formats: KIF with numbered moves, KI2 with moves in words, BOD diagrams.
//!
//! They share header, diagram, comments and branches, so one reader reads all three.

mod border;
mod clock;
mod line;
mod position;
mod read;
mod write;

pub(crate) use border::{begins_game, is_move};
pub(crate) use clock::elapsed;
pub(crate) use line::{Line, classify, is_any_field, is_move_line, is_of_records};
pub(crate) use read::read;
pub use write::spoken_move;
pub(crate) use write::{
    Clocks, KIF_DECLARATION, diagram, ki2_keeps, kif_move, kif_word, marked_move, spoken_moves, write_bod,
    write_header, write_ki2, write_kif, write_note, write_step,
};

/// The difference of KIF and KI2 besides the form of moves: where the ending is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// The ending is a numbered line.
    Kif,
    /// The ending is the `まで…` line.
    Ki2,
}

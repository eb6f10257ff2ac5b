//! Games of Freeze shogi for people to read.

use super::write::play;
use super::{FreezeRecord, NoteStyle, notes, with_notes};
use crate::ShowOptions;
use ::freeze::Marker;

/// As [`crate::show`], with the notes on freezes among the comments; below a single diagram what is frozen and left.
#[must_use]
pub fn show(record: &FreezeRecord, options: &ShowOptions) -> String {
    let text = crate::show(&with_notes(record, NoteStyle::Comments), options);
    let (Some(ply), Ok(mut position)) = (options.ply, record.start.position()) else { return text };
    for m in record.moves().take(ply as usize) {
        play(&mut position, m);
    }
    let state = notes::start_text(position.frozen().map(Marker::Freezes), position.left());
    format!("{}\n{state}\n", text.trim_end())
}

//! Shows games of Freeze shogi as text for people.

use super::{FreezeRecord, NoteStyle, main_line, notes, with_notes};
use crate::ShowOptions;
use ::freeze::Marker;

/// Like [`crate::show`], with the notes on freezes among the comments; below a single diagram the frozen kind and the
/// counts.
#[must_use]
pub fn show(record: &FreezeRecord, options: &ShowOptions) -> String {
    let text = crate::show(&with_notes(record, NoteStyle::Comments), options);
    let line = main_line(record);
    let at = |ply: u32| line.get(ply as usize).or(line.last());
    let Some(position) = options.ply.and_then(at) else { return text };
    let state = notes::start_text(position.frozen().map(Marker::Freezes), position.left());
    format!("{}\n{state}\n", text.trim_end())
}

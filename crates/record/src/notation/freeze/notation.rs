//! Freeze shogi behind the common trait.

use super::{FreezeLoaded, NoteStyle, positions, read, show, with_notes, write};
use crate::model::filter::Filter;
use crate::notation::{LoadedGame, Notation, NotationError, Notice, ReadGame};
use crate::text::encoding::LineEnd;
use crate::{ReadOptions, ShowOptions, WriteOptions, Written};

/// Freeze shogi with its notes in a style.
impl Notation for NoteStyle {
    fn read(&self, game: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        let loaded = read(game, options.format);
        vec![loaded.map(|loaded| Box::new(FreezeGame { loaded, style: *self }) as _).map_err(Into::into)]
    }
}

struct FreezeGame {
    loaded: FreezeLoaded,
    style: NoteStyle,
}

impl LoadedGame for FreezeGame {
    fn passes(&self, filter: &Filter) -> bool {
        filter.passes(&with_notes(&self.loaded.record, self.style))
    }

    fn move_count(&self) -> usize {
        self.loaded.record.moves().count()
    }

    fn notices(&self) -> Vec<Notice> {
        let warnings = self.loaded.warnings.iter();
        let odd = warnings.map(|warning| Notice { kind: warning.kind(), text: warning.to_string() });
        self.loaded.faults.iter().map(Notice::from).chain(odd).collect()
    }

    fn write(&self, options: &WriteOptions) -> Result<Written, NotationError> {
        Ok(write(&self.loaded.record, options, self.style))
    }

    fn positions(&self, line_end: LineEnd) -> String {
        positions(&self.loaded.record, line_end)
    }

    fn show(&self, options: &ShowOptions) -> String {
        show(&self.loaded.record, options)
    }
}

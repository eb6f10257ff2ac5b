//! Shogi, in every format.

use super::{LoadedGame, Notation, NotationError, Notice, ReadGame};
use crate::model::filter::Filter;
use crate::text::encoding::LineEnd;
use crate::{Loaded, ReadOptions, ShowOptions, WriteOptions, Written, read, read_all, show, write};

/// The notation of shogi.
pub struct ShogiNotation;

impl Notation for ShogiNotation {
    fn read(&self, game: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        vec![boxed(read(game, options))]
    }

    fn read_file(&self, file: &[u8], options: &ReadOptions) -> Vec<ReadGame> {
        read_all(file, *options).map(boxed).collect()
    }

    fn keeps_illegal(&self) -> bool {
        true
    }
}

fn boxed(loaded: Result<Loaded, crate::ReadError>) -> ReadGame {
    Ok(Box::new(loaded?))
}

impl LoadedGame for Loaded {
    fn passes(&self, filter: &Filter) -> bool {
        filter.passes(&self.record)
    }

    fn move_count(&self) -> usize {
        self.record.moves().count()
    }

    fn notices(&self) -> Vec<Notice> {
        let text = || format!("some bytes are no {} text", self.encoding);
        let damaged = self.damaged.then(|| Notice { kind: "damaged text", text: text() });
        self.faults.iter().map(Notice::from).chain(damaged).collect()
    }

    fn write(&self, options: &WriteOptions) -> Result<Written, NotationError> {
        Ok(write(&self.record, options))
    }

    fn positions(&self, line_end: LineEnd) -> String {
        self.record.positions().map(|position| position.to_string() + line_end.as_str()).collect()
    }

    fn show(&self, options: &ShowOptions) -> String {
        show(&self.record, options)
    }
}

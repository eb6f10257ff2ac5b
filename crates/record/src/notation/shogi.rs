//! Shogi, in every format.

use super::{LoadedGame, Notation, NotationError, Notice, PlayedLine, ReadGame};
use crate::model::filter::{Filter, rating};
use crate::text::encoding::LineEnd;
use crate::{
    Ending, GameResult, Header, Loaded, Note, ReadOptions, ShowOptions, WriteOptions, Written, read,
    read_all, show, write,
};
use ::shogi::{Color, Position, SetupError};

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

    fn game_name(&self) -> &'static str {
        "shogi"
    }

    fn header(&self) -> &Header {
        &self.record.header
    }

    fn header_mut(&mut self) -> &mut Header {
        &mut self.record.header
    }

    fn line(&self) -> Result<PlayedLine, SetupError> {
        let start = Position::with_room(&self.record.start, self.record.tree.len())?;
        Ok(PlayedLine::play(start, &Position::startpos(), self.record.moves()))
    }

    fn rating(&self, color: Color) -> Option<f64> {
        rating(&self.record, color)
    }

    fn ending(&self) -> Option<&Ending> {
        self.record.ending()
    }

    fn result(&self) -> GameResult {
        self.record.result()
    }

    fn note_mut(&mut self, moves: usize) -> Option<&mut Note> {
        self.record.note_mut(moves)
    }
}

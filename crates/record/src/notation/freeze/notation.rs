//! Freeze shogi as a [`Notation`].

use super::{FreezeLoaded, NoteStyle, main_line, positions, read, show, with_notes, write};
use crate::model::filter::{Filter, rating};
use crate::notation::{LoadedGame, Notation, NotationError, Notice, PlayedLine, ReadGame};
use crate::text::encoding::LineEnd;
use crate::{Ending, GameResult, Header, Note, ReadOptions, ShowOptions, WriteOptions, Written};
use ::freeze::Freeze;
use game::{Color, Game, Position};
use shogi::SetupError;

/// Freeze shogi, with notes in this style.
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

    fn game_name(&self) -> &'static str {
        "freeze"
    }

    fn header(&self) -> &Header {
        &self.loaded.record.header
    }

    fn header_mut(&mut self) -> &mut Header {
        &mut self.loaded.record.header
    }

    fn line(&self) -> Result<PlayedLine, SetupError> {
        let start = self.loaded.record.start.position()?;
        let ordinary = Freeze::default().startpos();
        let mut line = PlayedLine::play(start, &ordinary, std::iter::empty());
        // Counts of freezes may change on the way by the word of the record.
        let played = main_line(&self.loaded.record);
        line.keys = played.iter().map(Position::key).collect();
        let moves: Vec<_> =
            self.loaded.record.moves().take(played.len() - 1).map(|m| m.to_string()).collect();
        line.moves = moves.join(" ");
        Ok(line)
    }

    fn rating(&self, color: Color) -> Option<f64> {
        rating(&self.loaded.record, color)
    }

    fn ending(&self) -> Option<&Ending> {
        self.loaded.record.ending()
    }

    fn result(&self) -> GameResult {
        with_notes(&self.loaded.record, self.style).result()
    }

    fn note_mut(&mut self, moves: usize) -> Option<&mut Note> {
        self.loaded.record.note_mut(moves)
    }
}

//! The moves and edits since the position was set.

use crate::board::Board;
use crate::edit::{Code, EditError, EditOperator, Refusal};
use crate::moves::{Move, Operator};
use crate::picture::{self, Last};

/// A move of the game or an edit.
pub(super) struct Entry {
    pub(super) code: String,
    pub(super) is_edit: bool,
    /// The stones that it overwrote; `-` if the inverse does not need them.
    pub(super) overwritten: String,
    /// Whether it is the computer's answer to the entry before.
    is_answer: bool,
    before: Board,
}

/// A start position with the moves and edits since.
pub(super) struct Record {
    start: Board,
    board: Board,
    entries: Vec<Entry>,
}

impl Record {
    pub(super) fn new(start: Board) -> Self {
        Self { start, board: start, entries: Vec::new() }
    }

    pub(super) fn start(&self) -> &Board {
        &self.start
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Plays a move, if it is legal.
    pub(super) fn play(&mut self, m: Move) -> Result<(), Refusal> {
        if let Some(refusal) = self.board.refusal(m) {
            return Err(refusal);
        }
        let overwritten = if self.board.state().is_occupied(Some(m.way())) {
            self.board.stones_before(m)
        } else {
            "-".to_owned()
        };
        self.push(m.to_string(), false, overwritten, self.board.after(m));
        Ok(())
    }

    /// Plays the computer's answer to the last move: `undo` takes both back together.
    pub(super) fn answer(&mut self, m: Move) -> Result<(), Refusal> {
        self.play(m)?;
        if let Some(entry) = self.entries.last_mut() {
            entry.is_answer = true;
        }
        Ok(())
    }

    /// Edits the board.
    pub(super) fn edit(&mut self, code: &Code) -> Result<(), EditError> {
        let after = self.board.edited(code)?;
        let overwritten = match code.operator {
            EditOperator::Game(Operator::Shift(_) | Operator::Not) => "-".to_owned(),
            _ => self.board.way_text(code.way),
        };
        self.push(code.to_string(), true, overwritten, after);
        Ok(())
    }

    fn push(&mut self, code: String, is_edit: bool, overwritten: String, after: Board) {
        self.entries.push(Entry { code, is_edit, overwritten, is_answer: false, before: self.board });
        self.board = after;
    }

    /// Takes back the last entry, an answer of the computer together with the move before; `false` if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(entry) = self.entries.pop() else { return false };
        self.board = entry.before;
        // In games of the computer against itself all entries are answers.
        if entry.is_answer && self.entries.last().is_some_and(|before| !before.is_answer) {
            self.undo();
        }
        true
    }

    /// Whether the last entry cleared a target.
    pub(super) fn has_just_cleared(&self) -> bool {
        self.entries.last().is_some_and(|entry| entry.before.clears() != self.board.clears())
    }

    pub(super) fn picture(&self) -> String {
        let last = match self.entries.last() {
            None => Last::Init,
            Some(entry) if entry.is_edit => Last::Edited(entry.code.clone()),
            Some(entry) => Last::Moved(entry.code.clone()),
        };
        let edited = self.entries.iter().any(|entry| entry.is_edit);
        picture::board(&self.board, &last, edited.then_some(self.entries.len()))
    }
}

//! Reading CSA.

use super::position::{Start, kind_of};
use super::transcript;
use crate::model::error::quote;
use crate::model::header::csa_to_kif;
use crate::model::record::{Cursor, Told};
use crate::text::encoding::is_declaration;
use crate::text::kanji::square;
use crate::{Board, Ending, Fault, FaultReason, Header, Note, ReadError, Record, Step};
use shogi::{Color, Handicap, Move};

/// Reads one game, of a file or of a server's log, up to a line `/`.
pub(crate) fn read(text: &str) -> Result<Told, ReadError> {
    match transcript::server_mark(text) {
        Some(mark) => transcript::read(text, mark),
        None => read_file(text),
    }
}

fn read_file(text: &str) -> Result<Told, ReadError> {
    let mut reader = Reader::default();
    for (index, line) in crate::text::lines::lines(text).take_while(|line| *line != "/").enumerate() {
        let number = index + 1;
        // Except in lines of free text, commas separate statements.
        let free_text = matches!(line.as_bytes().first(), Some(b'\'' | b'N' | b'$'));
        if free_text || !line.as_bytes().contains(&b',') {
            reader.statement(number, line)?;
        } else {
            line.split(',').try_for_each(|statement| reader.statement(number, statement))?;
        }
    }
    Ok(reader.finish())
}

#[derive(Default)]
pub(super) struct Reader {
    header: Header,
    start: Start,
    /// Notes before the first move.
    note: Note,
    /// Set once the side to move is known.
    moves: Option<Cursor>,
    faults: Vec<Fault>,
}

impl Reader {
    pub fn statement(&mut self, line: usize, text: &str) -> Result<(), ReadError> {
        let Some(first) = text.bytes().next() else { return Ok(()) };
        match first {
            b'\'' => self.comment(&text[1..]),
            b'N' => self.name(text),
            b'$' => {
                if let Some((keyword, value)) = text[1..].split_once(':') {
                    self.field(csa_to_kif(keyword), value);
                }
            }
            b'P' if self.moves.is_none() => {
                self.start.line(text, line)?;
            }
            b'+' | b'-' => self.side_or_move(line, text),
            b'%' => self.ending(&text[1..]),
            b'T' => self.time(&text[1..]),
            _ => {}
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let comment = text.strip_prefix('*').filter(|comment| !comment.is_empty() || self.commented());
        match (comment, &mut self.moves) {
            (Some(comment), Some(cursor)) => cursor.note_mut().comments.push(comment),
            (Some(comment), None) => self.note.comments.push(comment),
            (None, _) if text.is_empty() || is_declaration(text) => {}
            (None, Some(cursor)) => cursor.note_mut().remarks.push(text),
            (None, None) => self.note.remarks.push(text),
        }
    }

    /// Whether the last node has a comment that an empty line would continue.
    fn commented(&self) -> bool {
        let note = self.moves.as_ref().map_or_else(|| self.note.view(), Cursor::note);
        !note.comments.is_empty()
    }

    /// `N+name`, or `Name+:name` in messages of servers.
    fn name(&mut self, text: &str) {
        for (prefix, field) in [("N+", "先手"), ("N-", "後手"), ("Name+:", "先手"), ("Name-:", "後手")]
        {
            if let Some(name) = text.strip_prefix(prefix) {
                self.field(field, name);
            }
        }
    }

    /// A field after the moves (end times of broadcasts) counts if the header does not have it.
    pub fn field(&mut self, name: &str, value: &str) {
        if !value.is_empty() && (self.moves.is_none() || self.header.named(name).is_none()) {
            self.header.set(name, value);
        }
    }

    fn side_or_move(&mut self, line: usize, text: &str) {
        let side = if text.starts_with('+') { Color::Black } else { Color::White };
        let body = text.get(1..7).and_then(|body| body.as_bytes().first_chunk::<6>().copied());
        let Some(body) = body.filter(|body| body[..4].iter().all(u8::is_ascii_digit)) else {
            if text.trim_end().len() == 1 {
                self.begin_if_not_begun(side);
            }
            return;
        };
        if !self.start.given {
            // Moves without a position: an even game.
            self.start.given = true;
            self.start.setup = Handicap::Even.setup();
            let note = self.moves.take().map(|mut cursor| std::mem::take(cursor.note_mut()));
            self.note = note.unwrap_or_else(|| std::mem::take(&mut self.note));
        }
        self.begin_if_not_begun(side);
        let Some(cursor) = &mut self.moves else { return };
        if self.faults.is_empty()
            && let Err(reason) = play(cursor, side, body)
        {
            let ply = cursor.ply() + 1;
            self.faults.push(Fault { line: Some(line), ply, text: quote(text), reason });
        }
    }

    pub fn begin_if_not_begun(&mut self, side: Color) {
        if self.moves.is_none() {
            self.moves = Some(self.begun(side));
        }
    }

    fn begun(&mut self, side: Color) -> Cursor {
        self.start.setup.side = side;
        let mut cursor = Cursor::new(Record::new(self.start.setup.clone()));
        if self.note != Note::EMPTY {
            *cursor.note_mut() = std::mem::take(&mut self.note);
        }
        cursor
    }

    fn ending(&mut self, text: &str) {
        let end = text.find(|c: char| !(c.is_ascii_uppercase() || "+-_".contains(c))).unwrap_or(text.len());
        let word = &text[..end];
        if let Some(side) = self.side_to_move().filter(|_| !word.is_empty() && self.faults.is_empty()) {
            self.end(Ending::from_csa(word, side));
        }
    }

    /// The side to move after the moves read so far, if known.
    pub fn side_to_move(&self) -> Option<Color> {
        self.moves.as_ref().map(|cursor| cursor.board().side())
    }

    /// Ends the game.
    pub fn end(&mut self, ending: Ending) {
        if let Some(cursor) = &mut self.moves {
            cursor.append(Step::End(ending));
        }
    }

    pub fn time(&mut self, text: &str) {
        let end = text.bytes().position(|b| !(b.is_ascii_digit() || b == b'.')).unwrap_or(text.len());
        if let (Some(time), Some(cursor)) = (crate::text::time::seconds(&text[..end]), &mut self.moves)
            && self.faults.is_empty()
            && cursor.ply() > 0
        {
            cursor.node().time = Some(time);
        }
    }

    pub fn finish(mut self) -> Told {
        let moves = self.moves.take().unwrap_or_else(|| self.begun(self.start.setup.side));
        let mut told = moves.told(self.faults);
        told.record.header = self.header;
        told
    }
}

fn play(cursor: &mut Cursor, side: Color, body: [u8; 6]) -> Result<(), FaultReason> {
    cursor.leave_ending();
    if cursor.board().side() != side {
        return Err(FaultReason::WrongSide);
    }
    let m = parse_move(cursor.board(), body)?;
    if cursor.append(Step::Move(m)) { Ok(()) } else { Err(FaultReason::NoPiece) }
}

/// `7776FU`: the kind is the one after the move, so the board determines whether it promotes.
pub(crate) fn parse_move(board: &Board, body: [u8; 6]) -> Result<Move, FaultReason> {
    let [from_file, from_rank, to_file, to_rank, name @ ..] = body;
    let kind = std::str::from_utf8(&name).ok().and_then(kind_of).ok_or(FaultReason::NotAMove)?;
    let [from_file, from_rank, to_file, to_rank] =
        [from_file, from_rank, to_file, to_rank].map(|digit| digit.wrapping_sub(b'0'));
    let to = square(to_file, to_rank).ok_or(FaultReason::NotAMove)?;
    if (from_file, from_rank) == (0, 0) {
        let piece = kind.to_hand().filter(|_| !kind.is_promoted()).ok_or(FaultReason::NotAMove)?;
        return Ok(Move::drop(piece, to));
    }
    let from = square(from_file, from_rank).filter(|from| *from != to).ok_or(FaultReason::NotAMove)?;
    let before = board.piece_at(from).ok_or(FaultReason::NoPiece)?.kind();
    if before == kind {
        Ok(Move::board(from, to, false))
    } else if before.promoted() == Some(kind) {
        Ok(Move::board(from, to, true))
    } else {
        Err(FaultReason::NoPiece)
    }
}

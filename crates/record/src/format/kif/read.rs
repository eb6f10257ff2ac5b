//! Reading KIF, KI2 and BOD.

use super::Style;
use super::clock::elapsed;
use super::line::{Line, classify};
use super::position::Start;
use crate::format::spoken::{self, Spoken, Unclear, is_mark};
use crate::model::error::quote;
use crate::model::record::{Cursor, Told};
use crate::text::encoding::is_declaration;
use crate::{Ending, Fault, FaultReason, Header, Note, ReadError, Record, Step};
use shogi::{Move, Square};

/// Reads a text; faults are moves that were left out.
pub(crate) fn read(text: &str, style: Style) -> Result<Told, ReadError> {
    let mut reader = Reader::new(style);
    for (index, line) in crate::text::lines::lines(text).enumerate() {
        reader.line(index + 1, line)?;
    }
    Ok(reader.finish())
}

struct Reader {
    style: Style,
    header: Header,
    start: Start,
    /// Notes before the first move.
    note: Note,
    moves: Option<Moves>,
    faults: Vec<Fault>,
}

/// The part of a file from the first move on.
struct Moves {
    cursor: Cursor,
    /// Number of the first move minus one: excerpts begin with any number.
    offset: Option<u32>,
    /// After a fault, moves from this ply on are skipped until a branch begins before it.
    broken: Option<u32>,
}

impl Reader {
    fn new(style: Style) -> Self {
        Self {
            style,
            header: Header::default(),
            start: Start::new(),
            note: Note::EMPTY,
            moves: None,
            faults: Vec::new(),
        }
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        match classify(line) {
            Line::Field(name, value) => self.header.set(name, value),
            Line::Remark(text) if is_declaration(text) => {}
            Line::Remark(text) => self.note(|note| note.remarks.push(text)),
            Line::Comment(text) => self.note(|note| note.comments.push(text)),
            Line::Bookmark(text) => self.note(|note| note.bookmark = Some(text.to_owned())),
            Line::Numbered(ply, text) => self.numbered(number, ply, text),
            Line::Spoken(text) => self.spoken(number, text),
            Line::Branch(ply) => self.branch(number, ply, line),
            Line::Until(text) => self.until(text),
            Line::Decoration | Line::Unknown => {}
            // A diagram among the moves shows a later position, not the start.
            _ if self.moves.is_some() => {}
            Line::Handicap(name) => self.start.handicap(name),
            Line::Hand(color, text) => self.start.hand(color, text, number)?,
            Line::Row(text) => self.start.row(text, number)?,
            Line::Turn(color) => self.start.turn(color),
            Line::Played(count) => self.start.played(count),
        }
        Ok(())
    }

    fn note(&mut self, change: impl FnOnce(&mut Note)) {
        match &mut self.moves {
            None => change(&mut self.note),
            Some(moves) if moves.broken.is_none() => change(moves.cursor.note_mut()),
            Some(_) => {}
        }
    }

    /// The moves; creates them if there were none.
    fn moves(&mut self) -> &mut Moves {
        if self.moves.is_none() {
            self.moves = Some(self.begun());
        }
        self.moves.as_mut().expect("they have begun")
    }

    fn begun(&mut self) -> Moves {
        let mut cursor = Cursor::new(Record::new(self.start.setup()));
        if self.note != Note::EMPTY {
            *cursor.note_mut() = std::mem::take(&mut self.note);
        }
        Moves { cursor, offset: None, broken: None }
    }

    fn fault(&mut self, line: usize, text: &str, reason: FaultReason) {
        let moves = self.moves();
        let ply = moves.cursor.ply() + 1;
        moves.broken = Some(ply);
        self.faults.push(Fault { line: Some(line), ply, text: quote(text), reason });
    }

    /// Moves the cursor to where the move with this number belongs; `None` after a move that was not understood.
    fn go_to_number(&mut self, number: u32) -> Option<&mut Moves> {
        let moves = self.moves();
        let offset = *moves.offset.get_or_insert(number.saturating_sub(1));
        let ply = number.saturating_sub(offset).max(1);
        if moves.broken.is_some_and(|broken| ply > broken) {
            return None;
        }
        moves.broken = None;
        moves.cursor.go_to(ply - 1);
        Some(moves)
    }

    fn numbered(&mut self, line: usize, number: u32, text: &str) {
        let Some(moves) = self.go_to_number(number) else { return };
        match spoken::parse(text) {
            Some((spoken, rest)) => {
                if let Err(reason) = moves.play(spoken) {
                    return self.fault(line, text, reason);
                }
                self.time(rest);
            }
            None if looks_like_a_move(text) => self.fault(line, text, FaultReason::NotAMove),
            None => {
                let (word, rest) = word_and_time(text);
                // A plus means that branches follow.
                let word = word.trim_end_matches('+');
                if !word.is_empty() {
                    moves.cursor.append(Step::End(Ending::from_kif(word)));
                    self.time(rest);
                }
            }
        }
    }

    fn time(&mut self, rest: &str) {
        if let (Some(time), Some(moves)) = (elapsed(rest), &mut self.moves) {
            moves.cursor.node().time = Some(time);
        }
    }

    fn spoken(&mut self, line: usize, text: &str) {
        self.moves();
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace());
            if rest.is_empty() || self.moves().broken.is_some() {
                return;
            }
            if let Some((spoken, after)) = spoken::parse(rest) {
                if let Err(reason) = self.moves().play(spoken) {
                    return self.fault(line, &rest[..rest.len() - after.len()], reason);
                }
                // Skips everything between this move and the next mark.
                rest = &after[after.find(is_mark).unwrap_or(after.len())..];
            } else {
                let word = rest.trim_start_matches(is_mark);
                let word = word.split(char::is_whitespace).next().unwrap_or_default();
                // Some programs write the ending like a move; the まで line repeats it.
                if matches!(Ending::from_kif(word), Ending::Other(_)) {
                    self.fault(line, rest, FaultReason::NotAMove);
                }
                return;
            }
        }
    }

    /// Branches in KIF need no keyword: the numbers of their moves determine where they begin.
    fn branch(&mut self, line: usize, ply: Option<u32>, text: &str) {
        if self.style == Style::Kif {
            return;
        }
        let Some(moves) = &mut self.moves else { return };
        match ply {
            Some(ply) if ply > 0 => {
                moves.cursor.leave_ending();
                if moves.broken.is_some_and(|broken| ply > broken) || ply > moves.cursor.ply() + 1 {
                    return self.fault(line, text, FaultReason::NoBranchPoint);
                }
                moves.broken = None;
                moves.cursor.go_to(ply - 1);
            }
            _ => self.fault(line, text, FaultReason::NoBranchPoint),
        }
    }

    fn until(&mut self, text: &str) {
        if self.style == Style::Kif {
            return;
        }
        let words: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        // Text that looks like a move is not an ending, whatever precedes it.
        if words.is_empty() || looks_like_a_move(&words) {
            return;
        }
        let moves = self.moves();
        if moves.broken.is_none() {
            moves.cursor.append(Step::End(ending(&words)));
        }
    }

    fn finish(mut self) -> Told {
        let moves = self.moves.take().unwrap_or_else(|| self.begun());
        let mut told = moves.cursor.told(self.faults);
        told.record.header = self.header;
        told
    }
}

impl Moves {
    fn last_square(&self) -> Option<Square> {
        self.cursor.last_move().map(Move::to)
    }

    fn play(&mut self, spoken: Spoken) -> Result<(), FaultReason> {
        self.cursor.leave_ending();
        let m = spoken.resolve(self.cursor.board(), self.last_square()).map_err(|unclear| match unclear {
            Unclear::NothingBefore => FaultReason::NothingBefore,
            Unclear::Unreachable => FaultReason::Unreachable,
            Unclear::Several => FaultReason::Ambiguous,
            Unclear::Nonsense => FaultReason::NotAMove,
        })?;
        if self.cursor.append(Step::Move(m)) { Ok(()) } else { Err(FaultReason::NoPiece) }
    }
}

/// Splits a word for an ending from what follows it; some programs write the time without a blank between.
fn word_and_time(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\u{3000}', '\t']).unwrap_or(text.len());
    let bracket = text[..end].find('(').filter(|at| elapsed(&text[*at..]).is_some());
    text.split_at(bracket.unwrap_or(end))
}

/// Whether the text contains a square, as moves do and words for endings do not.
fn looks_like_a_move(text: &str) -> bool {
    let mut chars = text.trim_start_matches(is_mark).chars();
    match (chars.next(), chars.next()) {
        (Some('同'), _) => true,
        (Some(file), Some(rank)) => {
            let rest = chars.next();
            crate::text::kanji::digit(file).is_some()
                && crate::text::kanji::digit(rank).is_some()
                && rest.is_some_and(|c| crate::text::kanji::piece(c).is_some() || c == '成')
        }
        _ => false,
    }
}

/// The ending in a `まで…` line.
pub(super) fn ending(words: &str) -> Ending {
    /// The first match counts: 勝ち ends many of them.
    const ENDS: [(&str, Ending); 5] = [
        ("反則勝ち", Ending::IllegalBefore),
        ("反則負け", Ending::IllegalHere),
        ("入玉勝ち", Ending::Declaration),
        ("不戦勝ち", Ending::WinByDefault),
        ("勝ち", Ending::Resign),
    ];
    if words.starts_with("時間切れ") {
        return Ending::Timeout;
    }
    match Ending::from_kif(words) {
        Ending::Other(_) => {}
        known => return known,
    }
    let told = ENDS.iter().find(|(end, _)| words.ends_with(end)).map(|(_, ending)| ending.clone());
    told.unwrap_or_else(|| Ending::from_kif(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn words_and_times() {
        for (text, parts) in [
            ("投了         ( 0:05/00:00:05)", ("投了", "         ( 0:05/00:00:05)")),
            ("投了( 0:05/00:00:05)", ("投了", "( 0:05/00:00:05)")),
            ("反則(二歩) ( 0:05/00:00:05)", ("反則(二歩)", " ( 0:05/00:00:05)")),
            ("中断", ("中断", "")),
        ] {
            assert_eq!(word_and_time(text), parts);
        }
    }

    #[test]
    fn endings_of_until_lines() {
        for (words, ending_) in [
            ("先手の勝ち", Ending::Resign),
            ("時間切れにより先手の勝ち", Ending::Timeout),
            ("後手の反則負け", Ending::IllegalHere),
            ("後手の反則勝ち", Ending::IllegalBefore),
            ("先手の入玉勝ち", Ending::Declaration),
            ("千日手", Ending::Repetition),
            ("不戦勝", Ending::WinByDefault),
            ("49手詰", Ending::Other("49手詰".into())),
        ] {
            assert_eq!(ending(words), ending_, "{words}");
        }
    }
}

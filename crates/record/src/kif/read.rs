//! Reading KIF, KI2 and BOD.

use super::Style;
use super::border::begins_game;
use super::clock::elapsed;
use super::line::{Line, classify, numbered};
use super::position::Start;
use super::usual::{self, Due, Form, LONGEST, UsualLine, Words, field, time_and_end};
use crate::encoding::{Encoding, first_wide, is_declaration, without_marks};
use crate::error::quote;
use crate::format::{ENOUGH_LINES, ENOUGH_MOVES, is_plain, plain_kif_moves};
use crate::lines::line_end;
use crate::read::Extent;
use crate::record::{Cursor, Told};
use crate::script::{Script, ShiftJis, Utf8};
use crate::spoken::{self, Spoken, Unclear, is_mark};
use crate::{Ending, Fault, FaultReason, Header, Note, ReadError, Step};
use memchr::memmem::Finder;
use shogi::{HandPiece, Move, Square};
use std::cell::Cell;
use std::sync::LazyLock;

/// Reads a text; faults are moves that could not be taken over.
pub(crate) fn read(text: &str, style: Style) -> Result<Told, ReadError> {
    read_with(text, style, Reader::usual_lines)
}

/// The same with another way to take lines of the usual form; the tests have one that takes none.
#[inline(always)]
fn read_with<'a>(
    text: &'a str,
    style: Style,
    take: impl Fn(&mut Reader, &'a str) -> (usize, &'a str),
) -> Result<Told, ReadError> {
    let mut reader = Reader::new(style, text.len());
    let mut lines = crate::lines::lines(text);
    let mut number = 1;
    loop {
        number += lines.take_with(|text| take(&mut reader, text));
        let Some(line) = lines.next() else { break };
        reader.line(number, line)?;
        number += 1;
    }
    Ok(reader.finish())
}

/// Reads a file of which the first bytes plainly say that it is KIF, without decoding more of it than need be. `None` leaves it
/// to those who look longer: they read nothing else in what is taken here.
pub(crate) fn read_bytes(bytes: &[u8], extent: Extent) -> Option<(Told, Encoding)> {
    let rest = without_marks(bytes);
    let marked = rest.len() < bytes.len();
    match first_wide(rest)? {
        0xc2..=0xf4 => {
            let encoding = if marked { Encoding::Utf8Bom } else { Encoding::Utf8 };
            Some((read_script::<Utf8>(rest, extent)?, encoding))
        }
        _ if marked => None,
        _ => Some((read_script::<ShiftJis>(rest, extent)?, Encoding::ShiftJis)),
    }
}

fn read_script<S: Script>(bytes: &[u8], extent: Extent) -> Option<Told> {
    static FIRST: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n   1 "));
    let first = if Due::FIRST.begins(bytes) { 0 } else { FIRST.find(bytes)? + 1 };
    let mut rest = &bytes[first..];
    let mut reader = Reader::new(Style::Kif, bytes.len());
    // Two lines more, for fields are looked at as if a text went on behind them.
    let seen = (0..2).try_fold(first, |at, _| Some(at + line_end(&bytes[at..])? + 1))?;
    let mut number = reader.head(&S::text(&bytes[..seen])?)?;
    let (lines, length) = reader.usual_moves::<S>(rest);
    // So many moves leave no doubt: it is KIF, and what is a usual move in one encoding is nothing in the other.
    if reader.moves().due.ply() < ENOUGH_MOVES as u32 {
        return None;
    }
    // A few lines are not looked at again.
    if lines > ENOUGH_LINES / 2 {
        plain_kif_moves::<S>(rest, ENOUGH_LINES / 2)?;
    }
    (number, rest) = (number + lines, &rest[length..]);
    while !reader.spoilt {
        let end = line_end(rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.is_empty() {
            // Usual lines begin no game.
            if extent == Extent::OneGame && begins_game(line) {
                return None;
            }
            let text = S::text(line)?;
            // The words for the end have no meaning in KIF.
            if !line.starts_with(S::UNTIL) {
                reader.line(number, &text).ok()?;
            }
        }
        let Some(end) = end else { return Some(reader.finish()) };
        (number, rest) = (number + 1, &rest[end + 1..]);
        let (lines, length) = reader.usual_moves::<S>(rest);
        (number, rest) = (number + lines, &rest[length..]);
    }
    None
}

/// Most lines are shorter.
const SHORT: usize = 64;

/// A line with a move takes no less.
const BYTES_OF_A_MOVE: usize = 16;

/// Few games are longer; what makes larger files are comments.
const USUAL_MOVES: usize = 400;

struct Reader {
    style: Style,
    header: Header,
    start: Start,
    /// What is noted before the first move.
    note: Note,
    /// For how many moves, at a guess.
    room: usize,
    /// In a box, for it is large, and readers move about.
    moves: Option<Box<Moves>>,
    faults: Vec<Fault>,
    /// Whether something was taken for a comment that is no text.
    spoilt: bool,
}

/// The part of a file that begins with the first move.
struct Moves {
    cursor: Cursor,
    due: Due,
    /// Number of the first move less one: excerpts count from where they begin.
    offset: Option<u32>,
    /// After a fault nothing from this ply on is read until a branch begins before it.
    broken: Option<u32>,
}

impl Reader {
    /// For a file of so many bytes.
    fn new(style: Style, length: usize) -> Self {
        Self {
            style,
            header: Header::default(),
            start: Start::new(),
            note: Note::EMPTY,
            room: (length / BYTES_OF_A_MOVE).min(USUAL_MOVES),
            moves: None,
            faults: Vec::new(),
            spoilt: false,
        }
    }

    /// Reads the lines before the first move, and says which number that line has in the file. `None` if they do not plainly
    /// belong to KIF, or if the first number is not written in the usual form.
    fn head(&mut self, text: &str) -> Option<usize> {
        self.header.reserve(text.len());
        let (mut number, mut rest) = (1, text);
        while number < ENOUGH_LINES / 2 {
            let (lines, after) = self.usual_fields(rest);
            number += lines;
            if Due::FIRST.begins(after.as_bytes()) {
                return Some(number);
            }
            let end = line_end(after.as_bytes()).filter(|_| is_plain::<Utf8>(after.as_bytes()[0]))?;
            let line = &after[..end];
            let line = line.strip_suffix('\r').unwrap_or(line);
            // Behind a lone end of a line of old systems may stand anything.
            if line.starts_with('\r') {
                return None;
            }
            if !self.usual_head_line(line) {
                self.line(number, line).ok()?;
            }
            (number, rest) = (number + 1, &after[end + 1..]);
        }
        None
    }

    /// Reads a line that stands in nearly every head; false if it is another one.
    #[inline]
    fn usual_head_line(&mut self, line: &str) -> bool {
        if let Some(comment) = line.strip_prefix('*') {
            self.note.comments.push(comment);
            return true;
        }
        if let Some(blanks) = line.strip_prefix("手合割：平手") {
            let is_even = blanks.chars().all(|c| matches!(c, ' ' | '\u{3000}'));
            if is_even {
                self.start.even();
            }
            return is_even;
        }
        line.starts_with("手数--")
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        match classify(line) {
            Line::Field(name, value) => self.header.set(name, value),
            Line::Remark(text) if is_declaration(text) => {}
            Line::Remark(text) => self.note(|note| note.remarks.push(text)),
            Line::Comment(text) => self.comment(text),
            Line::Bookmark(text) => self.note(|note| note.bookmark = Some(text.to_owned())),
            Line::Numbered(ply, text) => self.numbered(number, ply, text),
            Line::Spoken(text) => self.spoken(number, text),
            Line::Branch(ply) => self.branch(number, ply, line),
            Line::Until(text) => self.until(text),
            Line::Decoration | Line::Unknown => {}
            // A diagram among the moves shows a position on the way, not the start.
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

    fn comment(&mut self, text: &str) {
        match &mut self.moves {
            None => self.note.comments.push(text),
            Some(moves) if moves.broken.is_none() => moves.cursor.add_comment(text),
            Some(_) => {}
        }
    }

    /// The moves, begun if they have not yet.
    #[inline]
    fn moves(&mut self) -> &mut Moves {
        if self.moves.is_none() {
            self.moves = Some(self.begun());
        }
        self.moves.as_mut().expect("they have begun")
    }

    fn begun(&mut self) -> Box<Moves> {
        let (start, room) = (self.start.setup(), self.room);
        let mut moves = match SPARE.take() {
            Some(mut moves) => {
                moves.cursor.renew(start, room);
                (moves.due, moves.offset, moves.broken) = (Due::NONE, None, None);
                moves
            }
            None => Box::new(Moves {
                cursor: Cursor::at_start(start, room),
                due: Due::NONE,
                offset: None,
                broken: None,
            }),
        };
        if self.note != Note::EMPTY {
            moves.cursor.begin_with(std::mem::take(&mut self.note));
        }
        moves
    }

    fn fault(&mut self, line: usize, text: &str, reason: FaultReason) {
        let moves = self.moves();
        let ply = moves.cursor.ply() + 1;
        moves.broken = Some(ply);
        self.faults.push(Fault { line: Some(line), ply, text: quote(text), reason });
    }

    /// Goes to where the move with this number belongs; `None` behind a move that was not understood.
    #[inline(always)]
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

    /// Takes fields, moves and comments of the usual form off the start of a text: how many lines, and what follows them.
    fn usual_lines<'a>(&mut self, text: &'a str) -> (usize, &'a str) {
        let (fields, text) = if self.moves.is_none() { self.usual_fields(text) } else { (0, text) };
        let (moves, length) = self.usual_moves::<Utf8>(text.as_bytes());
        (fields + moves, &text[length..])
    }

    /// Takes moves and comments of the usual form off the start of a file: how many lines, and how many bytes.
    fn usual_moves<S: Script>(&mut self, bytes: &[u8]) -> (usize, usize) {
        let (mut lines, mut at) = (0, 0);
        loop {
            if self.moves.is_none() && Due::FIRST.begins(&bytes[at..]) {
                let moves = self.moves();
                (moves.due, moves.offset) = (Due::FIRST, Some(0));
            }
            if let Some(moves) = &mut self.moves {
                match moves.usual_lines::<S>(&bytes[at..]) {
                    Some((taken, length)) => (lines, at) = (lines + taken, at + length),
                    None => self.spoilt = true,
                }
            }
            let Some(length) = self.numbered_usual_line::<S>(&bytes[at..]) else { return (lines, at) };
            (lines, at) = (lines + 1, at + length);
        }
    }

    /// Takes fields of the usual form off the start of a text: how many lines, and what follows them.
    #[inline(never)]
    fn usual_fields<'a>(&mut self, text: &'a str) -> (usize, &'a str) {
        let (mut lines, mut rest) = (0, text);
        while let Some((value, end)) = field(rest.as_bytes()) {
            let line = &rest[..end];
            self.header.set_line(line.strip_suffix('\r').unwrap_or(line), value - '：'.len_utf8(), value);
            (lines, rest) = (lines + 1, &rest[end + 1..]);
        }
        (lines, rest)
    }

    /// The length of a usual line that begins with any number, once it is read; `None` leaves it to [`Self::line`].
    #[inline]
    fn numbered_usual_line<S: Script>(&mut self, text: &[u8]) -> Option<usize> {
        if !matches!(text.first(), Some(b' ' | b'\t' | b'0'..=b'9')) {
            return None;
        }
        let (number, rest) = numbered(text)?;
        let line = UsualLine::parse::<S>(rest.first_chunk()?)?;
        let length = text.len() - rest.len() + line.length;
        match self.go_to_number(number) {
            None => Some(length),
            Some(moves) => {
                let ply = moves.cursor.ply();
                moves.due = Due::new(moves.offset.unwrap_or(0).saturating_add(ply + 1), ply);
                moves.unusual(&line).then_some(length)
            }
        }
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
                // A plus says that branches follow.
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
                // Whatever stands between this move and the next mark.
                rest = &after[after.find(is_mark).unwrap_or(after.len())..];
            } else {
                let word = rest.trim_start_matches(is_mark);
                let word = word.split(char::is_whitespace).next().unwrap_or_default();
                // Some write the ending like a move; the まで line tells it again.
                if matches!(Ending::from_kif(word), Ending::Other(_)) {
                    self.fault(line, rest, FaultReason::NotAMove);
                }
                return;
            }
        }
    }

    /// Branches of KIF need no word: the numbers of their moves say where they begin.
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
        // What reads like a move is no ending, whatever stands before it.
        if words.is_empty() || looks_like_a_move(&words) {
            return;
        }
        let moves = self.moves();
        if moves.broken.is_none() {
            moves.cursor.append(Step::End(ending(&words)));
        }
    }

    fn finish(mut self) -> Told {
        let mut moves = self.moves.take().unwrap_or_else(|| self.begun());
        let told = moves.cursor.tell(self.header, self.faults);
        if moves.cursor.memory() <= MOST_SPARE {
            SPARE.set(Some(moves));
        }
        told
    }
}

thread_local! {
    /// What the last reader on this thread needed for moves: it is large, and files are many and small.
    static SPARE: Cell<Option<Box<Moves>>> = const { Cell::new(None) };
}

/// More bytes are given back.
const MOST_SPARE: usize = 1 << 16;

impl Moves {
    /// Takes what follows the last move in the usual form off the start of a file: how many lines, and how many bytes; `None` if
    /// a comment is no text.
    fn usual_lines<S: Script>(&mut self, bytes: &[u8]) -> Option<(usize, usize)> {
        if self.broken.is_some() {
            return Some((0, 0));
        }
        let (mut lines, mut end) = self.usual_run::<S>(bytes)?;
        let rest = &bytes[end..];
        if (1..SHORT).contains(&rest.len()) && matches!(rest[0], b'*' | b' ' | b'0'..=b'9') {
            // The last lines, as if a text went on behind them.
            let mut longer = [0; 2 * SHORT];
            longer[..rest.len()].copy_from_slice(rest);
            let (more, length) = self.usual_run::<S>(&longer)?;
            (lines, end) = (lines + more, end + length);
        }
        Some((lines, end))
    }

    /// The same as far as there are `SHORT` bytes of the file.
    #[inline(never)]
    fn usual_run<S: Script>(&mut self, bytes: &[u8]) -> Option<(usize, usize)> {
        let is_due = self.due.ply() == self.cursor.ply() && self.cursor.is_open();
        let (mut others, mut at) = (0, 0);
        let (mut due, mut last) = (self.due, self.last_square());
        let mut comments = self.cursor.draft_comments();
        while let Some(line) = bytes.get(at..).and_then(|rest| rest.first_chunk::<SHORT>()) {
            if is_due && due.begins(line) {
                let said = line[Due::LENGTH..].first_chunk().unwrap_or(&[0; LONGEST]);
                let Some((length, to)) = self.usual_move::<S>(said, last) else {
                    let length = self.usual_end::<S>(said).unwrap_or(0);
                    (others, at) = (others + usize::from(length > 0), at + length);
                    break;
                };
                (due, last, at) = (due.next(), Some(to), at + length);
            } else if line[0] == b'*'
                && let Some(length) = self.cursor.take_comment::<S>(&mut comments, &bytes[at + 1..])
            {
                (others, at) = (others + 1, at + 1 + length);
            } else {
                break;
            }
        }
        let lines = others + due.number.wrapping_sub(self.due.number) as usize;
        self.due = due;
        self.cursor.keep_comments(comments).then_some((lines, at))
    }

    /// Plays the move that is due where it can be made, and says how long its line is and where it goes.
    #[inline(always)]
    fn usual_move<S: Script>(
        &mut self,
        text: &[u8; LONGEST],
        last: Option<Square>,
    ) -> Option<(usize, Square)> {
        let words = Words::<S>::parse(text)?;
        let to = words.to.resolve(last)?;
        if words.is_drop() {
            return self.usual_drop(text, Words::<S>::DROP_END, words.dropped()?, to);
        }
        let (from, form) = words.moved()?;
        let promotes = form == Form::Promotes;
        let (time, length) = time_and_end(text, form.end::<S>())?;
        let legal = from != to
            && self.cursor.go_on(Move::board(from, to, promotes), time, |judge| {
                judge.move_if_legal(from, to, promotes)
            });
        legal.then_some((Due::LENGTH + length, to))
    }

    /// The same for a drop.
    #[inline(never)]
    fn usual_drop(
        &mut self,
        text: &[u8; LONGEST],
        end: usize,
        piece: HandPiece,
        to: Square,
    ) -> Option<(usize, Square)> {
        let (time, length) = time_and_end(text, end)?;
        let legal = self.cursor.go_on(Move::drop(piece, to), time, |judge| judge.drop_if_legal(piece, to));
        legal.then_some((Due::LENGTH + length, to))
    }

    /// Ends the game as nearly all games end, and says how long that line is.
    #[inline(never)]
    fn usual_end<S: Script>(&mut self, text: &[u8; LONGEST]) -> Option<usize> {
        let (ending, time, length) = usual::ending::<S>(text)?;
        self.cursor.append(Step::End(ending));
        if time.is_some() {
            self.cursor.node().time = time;
        }
        Some(Due::LENGTH + length)
    }

    /// Plays a move that perhaps is not new, or not legal. False if it cannot be made; [`Reader::line`] says why.
    fn unusual(&mut self, line: &UsualLine) -> bool {
        self.cursor.leave_ending();
        let m = line.said.resolve(self.last_square());
        let played = m.is_some_and(|m| self.cursor.append(Step::Move(m)));
        // A move that stands there twice may have its time only once.
        if played && line.time.is_some() {
            self.cursor.node().time = line.time;
        }
        if played {
            self.due = self.due.next();
        }
        played
    }

    #[inline(always)]
    fn last_square(&self) -> Option<Square> {
        self.cursor.last_move().map(Move::to)
    }

    fn play(&mut self, spoken: Spoken) -> Result<(), FaultReason> {
        self.cursor.leave_ending();
        let m = spoken.resolve(self.cursor.board(), self.last_square()).map_err(|unclear| match unclear {
            Unclear::NothingBefore => FaultReason::NothingBefore,
            Unclear::Nobody => FaultReason::Nobody,
            Unclear::Several => FaultReason::Ambiguous,
            Unclear::Nonsense => FaultReason::NotAMove,
        })?;
        if self.cursor.append(Step::Move(m)) { Ok(()) } else { Err(FaultReason::NoPiece) }
    }
}

/// The word for an ending and what follows it; some write the time without a blank between.
fn word_and_time(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\u{3000}', '\t']).unwrap_or(text.len());
    let bracket = text[..end].find('(').filter(|at| elapsed(&text[*at..]).is_some());
    text.split_at(bracket.unwrap_or(end))
}

/// A square where a move begins: then it is no word for an ending.
fn looks_like_a_move(text: &str) -> bool {
    let mut chars = text.trim_start_matches(is_mark).chars();
    match (chars.next(), chars.next()) {
        (Some('同'), _) => true,
        (Some(file), Some(rank)) => {
            let rest = chars.next();
            crate::notation::digit(file).is_some()
                && crate::notation::digit(rank).is_some()
                && rest.is_some_and(|c| crate::notation::piece(c).is_some() || c == '成')
        }
        _ => false,
    }
}

/// The ending that a `まで…` line tells.
pub(super) fn ending(words: &str) -> Ending {
    /// The first that fits counts: 勝ち ends many of them.
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
    use crate::encoding::{decode, encode};
    use crate::record::tests::{Change, spoilt, texts, told_parts};
    use crate::{Format, ReadOptions, detect};
    use proptest::prelude::*;

    /// Whatever the quick reader of usual lines takes, it makes of it what the other one makes.
    fn compare(text: &str) {
        for style in [Style::Kif, Style::Ki2] {
            let slowly = told_parts(read_with(text, style, |_, text| (0, text)));
            assert_eq!(told_parts(read(text, style)), slowly, "{text}");
        }
    }

    fn games(bytes: &[u8]) -> usize {
        crate::Games::new(bytes, ReadOptions::default()).expect("memory does not fail").count()
    }

    /// Whatever is read without being decoded first is what the slow reader makes of it once it is decoded.
    fn compare_bytes(bytes: &[u8]) -> bool {
        let quickly = read_bytes(bytes, Extent::All);
        let taken = quickly.is_some();
        if let Some((told, encoding)) = quickly {
            let decoded = decode(bytes);
            assert_eq!((encoding, false), (decoded.encoding, decoded.damaged), "{}", decoded.text);
            assert_eq!(detect(&decoded.text, None), Some(Format::Kif), "{}", decoded.text);
            let slowly = told_parts(read_with(&decoded.text, Style::Kif, |_, text| (0, text)));
            assert_eq!(told_parts(Ok(told)), slowly, "{}", decoded.text);
            if read_bytes(bytes, Extent::OneGame).is_some() {
                assert_eq!(games(bytes), 1, "{}", decoded.text);
            }
        } else {
            assert!(read_bytes(bytes, Extent::OneGame).is_none());
        }
        taken
    }

    /// The same for a text in every encoding, and with bytes changed.
    fn compare_encodings(text: &str, changes: &[(prop::sample::Index, u8)]) -> [bool; 3] {
        [Encoding::Utf8, Encoding::Utf8Bom, Encoding::ShiftJis].map(|encoding| {
            let mut bytes = encode(text, encoding).bytes;
            for (at, byte) in changes.iter().filter(|_| !text.is_empty()) {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            compare_bytes(&bytes)
        })
    }

    #[test]
    fn usual_lines_of_files_are_no_special_case() {
        let mut taken = [0; 3];
        for text in texts("record_kif") {
            compare(&text);
            for (count, is_taken) in taken.iter_mut().zip(compare_encodings(&text, &[])) {
                *count += usize::from(is_taken);
            }
        }
        assert!(taken.iter().all(|taken| *taken > 0), "{taken:?}");
    }

    /// A game with branches, drops, promotions, notes and an ending, to be spoilt.
    const WORDS: &str = "[ -:(/)+0-9一二九１-９同　成打歩銀龍\\r\\n\\t]{0,3}|\n手合割：平手\n|\n#KIF\n|\r 3 ";
    const GAME: [&str; 17] = [
        "手合割：平手\n",
        "手数----指手---------消費時間--\n",
        "   1 ７六歩(77)   ( 0:16/00:00:16)\n",
        "*よい手\n",
        "   2 ３四歩(33)   ( 0:00/00:00:00)\r\n",
        "   3 ２二角成(88) (12:34/00:12:50)+\n",
        "   4 同　銀(31)   ( 1:01/00:01:01)\n",
        "   5 ５五角打     ( 0:05/00:12:55)\n",
        "&栞\n",
        "   6 投了         ( 0:05/00:01:06)\n",
        "まで5手で先手の勝ち\n",
        "変化：3手\n",
        "   3 ２六歩(27)\n",
        "   4 ８四歩(83)   ( 0:10/00:00:10)\n",
        "   5 ２五歩(26)   ( 0:10/00:00:26)\n",
        "変化：2手\n",
        "   2 ８四歩(83)\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn usual_lines_that_were_spoilt(
            changes in Change::some(WORDS),
            start in any::<prop::sample::Index>(),
        ) {
            compare(&spoilt(&GAME[start.index(GAME.len())..], changes));
        }

        #[test]
        fn bytes_that_were_spoilt(
            changes in Change::some(WORDS),
            start in 0..2usize,
            bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        ) {
            let text = spoilt(&GAME[start..], changes);
            compare_encodings(&text, &[]);
            compare_encodings(&text, &bytes);
            compare_encodings(&spoilt(&GAME[start..], Vec::new()), &bytes);
        }
    }

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

//! Writing KIF, KI2 and BOD.

use super::line::{Line, classify};
use super::position::{handicap_of, write_diagram};
use super::read::ending as ending_of_words;
use crate::format::spoken;
use crate::text::encoding::Encoding;
use crate::text::kanji::{piece_in_move, square_digits, square_name};
use crate::text::lines::one_line;
use crate::{Board, Ending, GameResult, Header, NodeId, NoteRef, Record, Step};
use shogi::{Color, Handicap, Move, Origin, Setup};
use std::fmt::Write;
use std::time::Duration;

/// The word for an ending in KIF; the format has none for draws by agreement or by number of moves.
pub(crate) fn kif_word(ending: &Ending) -> &str {
    match ending {
        Ending::Draw | Ending::MaxMoves => Ending::Impasse.kif(),
        ending => ending.kif(),
    }
}

pub(crate) fn write_header(out: &mut String, header: &Header, end: &str) {
    for (name, value) in header.iter() {
        let line = format!("{}：{}", one_line(name), one_line(value));
        // A name that would be read as something else is omitted.
        if matches!(classify(&line), Line::Field(..)) {
            out.push_str(&line);
            out.push_str(end);
        }
    }
}

fn write_start(out: &mut String, record: &Record, end: &str) {
    if let Some(handicap) = handicap_of(&record.start) {
        let _ = write!(out, "手合割：{}{end}", handicap.name());
    } else {
        write_diagram(out, &record.start, end);
        if record.start.ply != 1 {
            let _ = write!(out, "手数＝{}　まで{end}", record.start.ply - 1);
        }
    }
}

pub(crate) fn write_note(out: &mut String, note: NoteRef<'_>, end: &str) {
    let comments = note.comments.iter().map(|line| ('*', line));
    let bookmark = note.bookmark.iter().map(|line| ('&', *line));
    let remarks = note.remarks.iter().map(|line| ('#', line));
    for (mark, line) in comments.chain(bookmark).chain(remarks) {
        out.push(mark);
        out.push_str(&one_line(line));
        out.push_str(end);
    }
}

/// Walks through a tree with a board.
struct Walker<'a> {
    record: &'a Record,
    board: Board,
    path: Vec<(NodeId, Option<crate::Undo>)>,
}

impl<'a> Walker<'a> {
    fn new(record: &'a Record) -> Self {
        Self { record, board: Board::from(&record.start), path: Vec::new() }
    }

    /// Moves the board to where the step of `id` is made; returns the move before.
    fn before(&mut self, id: NodeId) -> Option<Move> {
        let parent = self.record.tree.parent(id);
        while self.path.last().map(|(last, _)| *last) != parent.filter(|p| *p != NodeId::ROOT) {
            match self.path.pop() {
                Some((_, Some(undo))) => self.board.take_back(undo),
                Some(_) => {}
                None => break,
            }
        }
        parent.and_then(|parent| self.record.tree[parent].played().copied())
    }

    fn make(&mut self, id: NodeId, m: Move) {
        let undo = self.board.play(m);
        self.path.push((id, undo));
    }
}

/// The names of the players: 下手 and 上手 in handicap games.
fn side_name(record: &Record, color: Color) -> &'static str {
    let handicap = handicap_of(&record.start).is_some_and(|h| h != Handicap::Even);
    match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

/// The text after `まで…手で`.
fn until_words(ending: &Ending, record: &Record, ply: u32) -> String {
    let side = record.side_after(ply - 1);
    let next = side_name(record, side);
    let winner = match ending.result(side) {
        GameResult::Win(color) => side_name(record, color),
        _ => "",
    };
    match ending {
        Ending::Resign => format!("{winner}の勝ち"),
        Ending::Timeout => format!("時間切れにより{winner}の勝ち"),
        Ending::Declaration => format!("{next}の入玉勝ち"),
        Ending::IllegalBefore => format!("{next}の反則勝ち"),
        Ending::IllegalHere => format!("{next}の反則負け"),
        other => kif_word(other).to_owned(),
    }
}

/// Whether KI2 writes an ending so that it is read back unchanged.
pub(crate) fn ki2_keeps(ending: &Ending, record: &Record, ply: u32) -> bool {
    ending_of_words(&until_words(ending, record, ply)) == *ending
}

/// The width in columns: 2 for Japanese characters, 1 for others.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// ７六歩(77), 同　銀成(31), ５五角打
pub(crate) fn kif_move(board: &Board, m: Move, last: Option<Move>) -> String {
    let mut text = String::with_capacity("２二成銀成(88)".len());
    if last.is_some_and(|last| last.to() == m.to()) {
        text.push_str("同　");
    } else {
        text.extend(square_name(m.to()));
    }
    text.push_str(board.moving(m).map_or("", |piece| piece_in_move(piece.kind())));
    if m.is_promotion() {
        text.push('成');
    }
    match m.origin() {
        Origin::Board(from) => {
            text.push('(');
            text.extend(square_digits(from));
            text.push(')');
        }
        Origin::Hand(_) => text.push('打'),
    }
    text
}

/// ▲７六歩(77)
pub(crate) fn marked_move(board: &Board, m: Move, last: Option<Move>) -> String {
    format!("{}{}", mark(board.side()), kif_move(board, m, last))
}

fn mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

fn clock(time: Duration) -> (u64, u64, u64) {
    let seconds = time.as_secs();
    (seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The first line of KIF in UTF-8.
pub(crate) const KIF_DECLARATION: &str = "#KIF version=2.0 encoding=UTF-8";

/// `   ( 0:05/00:00:12)` behind a move: its time, and that of the player so far.
fn kif_time(step: &str, time: Duration, used: Duration) -> String {
    let (hours, minutes, seconds) = clock(time);
    let (h, m, s) = clock(used);
    let pad = 14usize.saturating_sub(width(step)).max(1);
    let minutes = hours * 60 + minutes;
    format!("{:pad$}({minutes:>2}:{seconds:02}/{h:02}:{m:02}:{s:02})", "")
}

/// The time of a move, and what its player has used up with it.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    time: Duration,
    used: Duration,
}

/// The time used by the player of each ply of the current line.
#[derive(Default)]
pub(crate) struct Clocks(Vec<Duration>);

impl Clocks {
    /// The clocks after a ply, which may be on another line; `None` if its time is unknown.
    pub(crate) fn stop(&mut self, ply: u32, time: Option<Duration>) -> Option<Times> {
        let ply = ply as usize;
        self.0.resize(ply, Duration::ZERO);
        let before = ply.checked_sub(2).map_or(Duration::ZERO, |last| self.0[last]);
        let used = before.saturating_add(time.unwrap_or_default());
        self.0.push(used);
        time.map(|time| Times { time, used })
    }
}

/// The line of a ply without its line end; `+` means that there are branches.
pub(crate) fn write_step(out: &mut String, ply: u32, step: &str, times: Option<Times>, branches: bool) {
    let _ = write!(out, "{ply:>4} {step}");
    if let Some(Times { time, used }) = times {
        *out += &kif_time(step, time, used);
    }
    if branches {
        out.push_str(if times.is_some() { "+" } else { "   +" });
    }
}

/// KIF. As in most programs, a `まで` line repeats the ending of the main line.
pub(crate) fn write_kif(record: &Record, encoding: Encoding, end: &str) -> String {
    let tree = &record.tree;
    let mut out = String::new();
    if encoding != Encoding::ShiftJis {
        let _ = write!(out, "{KIF_DECLARATION}{end}");
    }
    write_header(&mut out, &record.header, end);
    write_start(&mut out, record, end);
    let _ = write!(out, "手数----指手---------消費時間--{end}");
    write_note(&mut out, tree.note(NodeId::ROOT), end);
    let mut walker = Walker::new(record);
    let mut clocks = Clocks::default();
    let mut main_line = true;
    for id in tree.walk() {
        let node = &tree[id];
        let ply = node.ply();
        if !tree.is_first(id) {
            let _ = write!(out, "{end}変化：{ply}手{end}");
            main_line = false;
        }
        let last = walker.before(id);
        let times = clocks.stop(ply, node.time);
        let step = match node.step() {
            Some(Step::Move(m)) => {
                let text = kif_move(&walker.board, *m, last);
                walker.make(id, *m);
                text
            }
            Some(Step::End(ending)) => kif_word(ending).to_owned(),
            None => continue,
        };
        write_step(&mut out, ply, &step, times, tree.sibling(id).is_some());
        out.push_str(end);
        write_note(&mut out, tree.note(id), end);
        if let (Some(ending), true) = (node.ending(), main_line) {
            let _ = write!(out, "まで{}手で{}{end}", ply - 1, until_words(ending, record, ply));
        }
    }
    out
}

/// KI2.
pub(crate) fn write_ki2(record: &Record, end: &str) -> String {
    const MOVES_IN_A_LINE: usize = 6;
    let tree = &record.tree;
    let mut out = String::new();
    write_header(&mut out, &record.header, end);
    write_start(&mut out, record, end);
    out.push_str(end);
    write_note(&mut out, tree.note(NodeId::ROOT), end);
    let mut walker = Walker::new(record);
    let mut in_line = 0;
    let new_line = |out: &mut String, in_line: &mut usize| {
        if std::mem::take(in_line) > 0 {
            out.truncate(out.trim_end_matches(' ').len());
            out.push_str(end);
        }
    };
    for id in tree.walk() {
        let node = &tree[id];
        let ply = node.ply();
        if !tree.is_first(id) {
            new_line(&mut out, &mut in_line);
            let _ = write!(out, "{end}変化：{ply}手{end}");
        }
        let last = walker.before(id);
        match node.step() {
            Some(Step::Move(m)) => {
                let text = spoken_move(&walker.board, *m, last);
                walker.make(id, *m);
                in_line += 1;
                let ends_line = in_line == MOVES_IN_A_LINE || tree.next(id).is_none();
                let pad = if ends_line { 0 } else { 14usize.saturating_sub(width(&text)).max(1) };
                let _ = write!(out, "{text}{:pad$}", "");
                if ends_line {
                    new_line(&mut out, &mut in_line);
                }
            }
            Some(Step::End(ending)) => {
                new_line(&mut out, &mut in_line);
                let _ = write!(out, "まで{}手で{}{end}", ply - 1, until_words(ending, record, ply));
            }
            None => {}
        }
        let note = tree.note(id);
        if !note.is_empty() {
            new_line(&mut out, &mut in_line);
            write_note(&mut out, note, end);
        }
    }
    new_line(&mut out, &mut in_line);
    out
}

/// A diagram with the number of moves played before.
pub(crate) fn diagram(setup: &Setup) -> String {
    let mut text = String::new();
    write_diagram(&mut text, setup, "\n");
    let _ = writeln!(text, "手数＝{}", setup.ply.saturating_sub(1));
    text
}

/// By index of node: its move in Japanese words, with the mark of the player.
pub(crate) fn spoken_moves(record: &Record) -> Vec<String> {
    let mut walker = Walker::new(record);
    let mut spoken = vec![String::new(); record.tree.len() + 1];
    for id in record.tree.walk() {
        let last = walker.before(id);
        if let Some(&m) = record.tree[id].played() {
            spoken[id.index()] = spoken_move(&walker.board, m, last);
            walker.make(id, m);
        }
    }
    spoken
}

/// A move as KI2 writes it, with the mark of the player; `last` is the move before.
///
/// ```
/// let board = record::Board::from(&shogi::Handicap::Even.setup());
/// assert_eq!(record::spoken_move(&board, "4i5h".parse()?, None), "▲５八金右");
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[must_use]
pub fn spoken_move(board: &Board, m: Move, last: Option<Move>) -> String {
    format!("{}{}", mark(board.side()), spoken::speak(board, m, last.map(Move::to)))
}

/// The diagram at the end of the main line.
pub(crate) fn write_bod(record: &Record, end: &str) -> String {
    let mut walker = Walker::new(record);
    let mut last = None;
    let mut text = String::new();
    let mut ply = record.start.ply;
    for id in record.tree.main_line() {
        let before = walker.before(id);
        if let Some(m) = record.tree[id].played() {
            last = Some(marked_move(&walker.board, *m, before));
            walker.make(id, *m);
            ply += 1;
        }
    }
    write_diagram(&mut text, &walker.board.setup(ply), end);
    let last = last.map_or_else(String::new, |last| format!("{last}　"));
    let _ = write!(text, "手数＝{}　{last}まで{end}", ply - 1);
    text
}

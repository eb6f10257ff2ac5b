//! Lists of games, one to a line: `startpos moves …`, `sfen … moves …`, or bare moves from the start position.

use crate::error::{At, BookError, LineFault};
use crate::format::lines::{Line, Lines, MAX_LINE};
use shogi::{Move, Position};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// A game of a list.
pub struct GameLine {
    /// The start position.
    pub start: Position,
    /// Its moves, up to the first invalid one.
    pub moves: Vec<Move>,
    /// The word that ended it, if it is not a legal move.
    pub bad_word: Option<String>,
    /// Whether it ended with a word such as `resign`.
    pub resigned: bool,
}

/// Words that end a game.
const ENDS: [&str; 2] = ["resign", "win"];

impl GameLine {
    /// Reads a line; stops after `most` moves.
    ///
    /// ```
    /// use book::GameLine;
    /// let game = GameLine::parse("startpos moves 7g7f 3c3d 1a1z", 16).unwrap();
    /// assert_eq!((game.moves.len(), game.bad_word.as_deref()), (2, Some("1a1z")));
    /// ```
    pub fn parse(line: &str, most: usize) -> Result<Self, shogi::SfenError> {
        let mut start = None;
        let begins =
            walk_beginning(line, |sfen| Position::from_sfen(sfen).map(|position| start = Some(position)))?;
        let words = line[begins..].split_ascii_whitespace();
        let mut position = start.unwrap_or_else(Position::startpos);
        let mut moves = Vec::new();
        let (mut bad_word, mut resigned) = (None, false);
        for word in words.take(most) {
            match word.parse().ok().filter(|m| position.is_legal(*m)) {
                Some(m) => {
                    position.do_move(m);
                    moves.push(m);
                }
                None if ENDS.contains(&word) => {
                    resigned = true;
                    break;
                }
                None => {
                    bad_word = Some(word.chars().take(40).collect());
                    break;
                }
            }
        }
        // Taking moves back is cheaper than copying the position.
        for _ in &moves {
            position.undo_move();
        }
        Ok(Self { start: position, moves, bad_word, resigned })
    }
}

/// Fails if a line does not begin like a game.
pub(crate) fn check_beginning(line: &str) -> Result<(), shogi::SfenError> {
    walk_beginning(line, |sfen| Position::from_sfen(sfen).map(drop)).map(drop)
}

/// Walks through the part of a line before the moves, passes its SFENs to `each` and returns where the moves begin.
fn walk_beginning<E>(line: &str, mut each: impl FnMut(&str) -> Result<(), E>) -> Result<usize, E> {
    let mut words = Words { line: line.as_bytes(), at: 0 }.peekable();
    let mut has_start = false;
    while let Some(word) = words.peek().cloned() {
        match &line.as_bytes()[word.clone()] {
            b"startpos" | b"moves" | b"position" => drop(words.next()),
            text => {
                let bare = text != b"sfen";
                // A bare SFEN begins with nine rows.
                if bare && (has_start || !text.contains(&b'/')) {
                    return Ok(word.start);
                }
                if !bare {
                    words.next();
                }
                let mut sfen = word.end..word.end;
                for number in 0..4 {
                    let Some(field) = words.next_if(|word| &line.as_bytes()[word.clone()] != b"moves") else {
                        break;
                    };
                    sfen = if number == 0 { field } else { sfen.start..field.end };
                }
                each(&line[sfen])?;
                has_start = true;
            }
        }
    }
    Ok(line.len())
}

/// The words of a line with their places.
struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let rest = &self.line[self.at..];
        let begin = self.at + rest.iter().position(|byte| !is_blank(byte))?;
        let length = self.line[begin..].iter().position(is_blank);
        self.at = length.map_or(self.line.len(), |length| begin + length);
        Some(begin..self.at)
    }
}

/// All games of a list.
pub fn read_games(path: &Path) -> Result<Vec<GameLine>, BookError> {
    let mut games = Vec::new();
    read_game_lines(path, usize::MAX, |_, _, game| {
        games.push(game);
        Ok(())
    })?;
    Ok(games)
}

/// Reads a list; `each` receives the number of the line, its text and the game. A line without a valid start position
/// is an error.
pub fn read_game_lines(
    path: &Path,
    most: usize,
    mut each: impl FnMut(u64, &str, GameLine) -> Result<(), BookError>,
) -> Result<(), BookError> {
    each_line(File::open(path).at(path)?, path, |number, text| {
        let game = GameLine::parse(text, most).map_err(|error| fault_at(path, number, error.into()))?;
        each(number, text, game)
    })?;
    Ok(())
}

/// The lines with games in a part of a list, with their places; or the place of the first faulty line.
pub(crate) fn each_line_of<'t>(
    list: &'t [u8],
    piece: Range<usize>,
    mut each: impl FnMut(usize, &'t str) -> Result<(), LineFault>,
) -> Result<(), (usize, LineFault)> {
    let mut at = piece.start;
    if at == 0 {
        match list {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err((0, LineFault::Utf16)),
            [0xef, 0xbb, 0xbf, ..] => at = 3,
            _ => {}
        }
    }
    while let Some(rest) = list.get(at..piece.end).filter(|rest| !rest.is_empty()) {
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let fault = |fault| (at, fault);
        if length > MAX_LINE {
            return Err(fault(LineFault::TooLong(MAX_LINE)));
        }
        let text = rest[..length].trim_ascii_end();
        if !text.is_empty() {
            let text = std::str::from_utf8(text).map_err(|_| fault(LineFault::NotAscii))?;
            if !text.starts_with('#') {
                each(at, text).map_err(fault)?;
            }
        }
        at += length + if rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    Ok(())
}

/// Splits a list into parts of about `step` bytes at line ends.
pub(crate) fn cut_lines(list: &[u8], step: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    while begin < list.len() {
        let from = (begin + step).min(list.len());
        let end = memchr::memchr(b'\n', &list[from..]).map_or(list.len(), |at| from + at + 1);
        pieces.push(begin..end);
        begin = end;
    }
    pieces
}

/// Converts offsets to line numbers, in ascending order.
pub(crate) struct LineNumbers<'a> {
    list: &'a [u8],
    at: usize,
    number: u64,
}

impl<'a> LineNumbers<'a> {
    pub(crate) fn new(list: &'a [u8]) -> Self {
        Self { list, at: 0, number: 1 }
    }

    /// The number of the line at offset `at`, from 1. Offsets must not decrease from call to call.
    pub(crate) fn number_of(&mut self, at: usize) -> u64 {
        while let Some(end) = memchr::memchr2(b'\n', b'\r', self.list.get(self.at..at).unwrap_or_default()) {
            let end = self.at + end;
            self.at = end + if self.list[end..].starts_with(b"\r\n") { 2 } else { 1 };
            self.number += 1;
        }
        self.number
    }
}

fn fault_at(path: &Path, line: u64, fault: LineFault) -> BookError {
    BookError::Line { path: path.to_owned(), line, fault }
}

fn each_line(
    input: impl Read,
    path: &Path,
    mut each: impl FnMut(u64, &str) -> Result<(), BookError>,
) -> Result<u64, BookError> {
    let mut lines = Lines::new(input);
    while let Some((number, line)) = lines.next_numbered().at(path)? {
        let text = match line {
            Line::Fault(fault) => return Err(fault_at(path, number, fault)),
            Line::Text(text) => {
                std::str::from_utf8(text).map_err(|_| fault_at(path, number, LineFault::NotAscii))?
            }
        };
        if !text.starts_with('#') {
            each(number, text)?;
        }
    }
    Ok(lines.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_begin() {
        for line in ["startpos moves 7g7f", "7g7f", "moves 7g7f", "position startpos moves 7g7f resign"] {
            let game = GameLine::parse(line, 9).unwrap();
            assert_eq!((game.moves.len(), game.bad_word), (1, None), "{line}");
        }
        for line in ["sfen 4k4/9/9/9/9/9/9/9/4K4 b P 7 moves P*5e", "4k4/9/9/9/9/9/9/9/4K4 b P 7 moves P*5e"]
        {
            let game = GameLine::parse(line, 9).unwrap();
            assert_eq!((game.start.ply(), game.moves.len()), (7, 1), "{line}");
        }
        assert_eq!(GameLine::parse("7g7f 3c3d 2g2f", 2).unwrap().moves.len(), 2);
        assert!(GameLine::parse("sfen nonsense", 2).is_err());
    }
}

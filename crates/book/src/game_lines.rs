//! Lists of games, one to a line: `startpos moves …`, `sfen … moves …`, or bare moves from the start position.

use crate::error::{At, BookError, LineFault};
use crate::lines::{Line, Lines};
use shogi::{Move, Position};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A game of a list.
pub struct GameLine {
    /// Where it begins.
    pub start: Position,
    /// Its moves, up to the first that is none.
    pub moves: Vec<Move>,
    /// The word that ended it, if it is no move of the position.
    pub bad_word: Option<String>,
    /// Whether it ended with a word such as `resign`.
    pub resigned: bool,
}

/// Words after which a game goes no further.
pub(crate) const ENDS: [&str; 2] = ["resign", "win"];

impl GameLine {
    /// Reads a line; more than `most` moves are not looked at.
    ///
    /// ```
    /// use book::GameLine;
    /// let game = GameLine::parse("startpos moves 7g7f 3c3d 1a1z", 16).unwrap();
    /// assert_eq!((game.moves.len(), game.bad_word.as_deref()), (2, Some("1a1z")));
    /// ```
    pub fn parse(line: &str, most: usize) -> Result<Self, shogi::SfenError> {
        let mut words = line.split_ascii_whitespace().peekable();
        let mut start = None;
        while let Some(word) = words.peek() {
            match *word {
                "startpos" | "moves" | "position" => drop(words.next()),
                "sfen" => {
                    words.next();
                    start = Some(take_sfen(&mut words)?);
                }
                // A bare SFEN begins with nine rows.
                bare if bare.contains('/') && start.is_none() => start = Some(take_sfen(&mut words)?),
                _ => break,
            }
        }
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
        // Taking moves back is cheaper than keeping a copy.
        for _ in &moves {
            position.undo_move();
        }
        Ok(Self { start: position, moves, bad_word, resigned })
    }
}

fn take_sfen<'a>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Result<Position, shogi::SfenError> {
    let mut fields = Vec::new();
    while fields.len() < 4
        && let Some(word) = words.next_if(|word| *word != "moves")
    {
        fields.push(word);
    }
    Position::from_sfen(&fields.join(" "))
}

/// Reads a list; `each` gets the number of the line, its text and the game. A line that begins with no position is an
/// error.
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

/// The lines of a list that hold games, with their numbers; what `each` finds wrong is told with them. Tells how many
/// lines there are.
pub(crate) fn each_game_line(
    text: &[u8],
    path: &Path,
    mut each: impl FnMut(u64, &str) -> Result<(), LineFault>,
) -> Result<u64, BookError> {
    each_line(text, path, |number, text| each(number, text).map_err(|fault| fault_at(path, number, fault)))
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

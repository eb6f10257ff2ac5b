//! Start positions of games.

use platform::Random;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The order in which openings are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The order of the file.
    #[default]
    Sequential,
    /// Shuffled; the same seed gives the same order.
    Shuffled(u64),
}

/// Why a file of openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// It cannot be read.
    #[error("cannot read the openings: {0}")]
    Read(io::Error),
    /// It has no openings.
    #[error("no opening found; expected lines such as `startpos moves 7g7f 3c3d` or `sfen SFEN`, or a book")]
    None,
    /// No position at this ply.
    #[error("the book holds no position after {0} moves")]
    NoneAtPly(u32),
}

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<io::Error> for OpeningError {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

/// The beginning of a book's first line.
const BOOK_HEADER: &str = "#YANEURAOU-DB2016";

/// Reads openings: one per line in the syntax of `position`, or the positions of a book (`.db`).
///
/// With `ply`, lists of moves are cut after that many moves, and only the positions of a book after that many moves are
/// used. Openings that become equal are used once: otherwise a match would repeat games and appear more significant
/// than it is. Blank lines and lines that begin with `#` are skipped.
pub fn read(path: &Path, ply: Option<u32>, order: Order) -> Result<Vec<String>, OpeningError> {
    parse(BufReader::new(File::open(path)?), ply, order)
}

/// Reads openings from text, as [`read`] does.
pub fn parse(reader: impl BufRead, ply: Option<u32>, order: Order) -> Result<Vec<String>, OpeningError> {
    let mut openings = parse_in_order(reader, ply)?;
    if let Order::Shuffled(seed) = order {
        Random::new(seed).shuffle(&mut openings);
    }
    Ok(openings)
}

fn parse_in_order(reader: impl BufRead, ply: Option<u32>) -> Result<Vec<String>, OpeningError> {
    let mut openings = Vec::new();
    let mut is_book = false;
    for (index, line) in reader.lines().enumerate() {
        let line = line?;
        let line = line.trim_start_matches('\u{feff}').trim();
        if index == 0 && line.starts_with(BOOK_HEADER) {
            is_book = true;
        } else if is_book {
            let position =
                line.strip_prefix("sfen ").filter(|sfen| ply.is_none_or(|ply| stands_after(sfen, ply)));
            openings.extend(position.map(|sfen| format!("sfen {sfen}")));
        } else if !line.is_empty() && !line.starts_with('#') {
            openings.push(cut(line, ply));
        }
    }
    if ply.is_some() {
        let mut known = HashSet::new();
        openings.retain(|opening| known.insert(opening.clone()));
    }
    match (openings.is_empty(), ply) {
        (false, _) => Ok(openings),
        (true, Some(ply)) if is_book => Err(OpeningError::NoneAtPly(ply)),
        (true, _) => Err(OpeningError::None),
    }
}

/// Whether the move number of a position means that this many moves were played.
fn stands_after(sfen: &str, moves: u32) -> bool {
    let number = sfen.split_ascii_whitespace().nth(3).and_then(|word| word.parse::<u32>().ok());
    number == Some(moves + 1)
}

/// The position command with only its first `ply` moves.
fn cut(line: &str, ply: Option<u32>) -> String {
    let line = line.strip_prefix("position ").unwrap_or(line).trim();
    // A bare SFEN is accepted, but engines need the word.
    let prefix = if line.starts_with("startpos") || line.starts_with("sfen") { "" } else { "sfen " };
    let mut words = line.split_ascii_whitespace();
    let mut kept: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
    let moves: Vec<&str> = words.take(ply.map_or(usize::MAX, |ply| ply as usize)).collect();
    if !moves.is_empty() {
        kept.push("moves");
        kept.extend(moves);
    }
    format!("{prefix}{}", kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, ply: Option<u32>) -> Result<Vec<String>, String> {
        parse(text.as_bytes(), ply, Order::Sequential).map_err(|error| error.to_string())
    }

    #[test]
    fn lists() {
        let text = "# two\nposition startpos moves 7g7f 3c3d\r\n\n9/9 b - 1\nstartpos\n";
        let whole = ["startpos moves 7g7f 3c3d", "sfen 9/9 b - 1", "startpos"];
        assert_eq!(parsed(text, None).unwrap(), whole);
        assert_eq!(parsed(text, Some(1)).unwrap()[0], "startpos moves 7g7f");
        assert_eq!(parsed(text, Some(0)).unwrap()[0], "startpos");
        assert_eq!(parsed(text, Some(0)).unwrap().len(), 2, "the same line once");
        assert!(parsed("\n#\n", None).unwrap_err().starts_with("no opening found"));
    }

    #[test]
    fn books() {
        let text = "#YANEURAOU-DB2016 1.00\nsfen A b - 1\n7g7f none 0 0 0\nsfen B w - 2\n3c3d none 0 0 0\n";
        assert_eq!(parsed(text, None).unwrap(), ["sfen A b - 1", "sfen B w - 2"]);
        assert_eq!(parsed(text, Some(1)).unwrap(), ["sfen B w - 2"]);
        assert_eq!(parsed(text, Some(9)).unwrap_err(), "the book holds no position after 9 moves");
    }
}

//! Protects existing files: a command may only replace files of the kind that it writes.

use crate::error::BookError;
use crate::format::lines::BYTE_ORDER_MARK;
use crate::{AperyBook, BookFormat, BookMove, GameLine, HEADER, SfenLine, Ybb, read_sbk};
use platform::check_overwrite;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The kind of file that a command writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// A book.
    Book(BookFormat),
    /// A list of positions, one SFEN to a line.
    Positions,
    /// A list of lines of play, one `… moves …` to a line.
    Lines,
}

/// Number of bytes of a text examined.
const LOOK: u64 = 1 << 16;

impl Output {
    /// The kind of book by the file name.
    pub fn book(path: &Path) -> Result<Self, BookError> {
        BookFormat::of_path(path).map(Self::Book)
    }

    /// A `.db`; for other names the error suggests `instead`.
    pub fn text_book(path: &Path, instead: &str) -> Result<Self, BookError> {
        match BookFormat::of_path(path)? {
            BookFormat::Db => Ok(Self::Book(BookFormat::Db)),
            _ => Err(BookError::format(path, instead)),
        }
    }

    /// Fails if writing to `path` would replace a file of another kind.
    ///
    /// ```
    /// use book::{BookFormat, Output};
    /// let folder = tempfile::tempdir()?;
    /// let games = folder.path().join("games.sfen");
    /// std::fs::write(&games, "startpos moves 7g7f 3c3d\n")?;
    /// assert!(Output::Lines.check(&games).is_ok());
    /// assert!(Output::Book(BookFormat::Db).check(&games).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn check(self, path: &Path) -> Result<(), BookError> {
        let what = match self {
            Self::Book(BookFormat::Db) => "a .db book",
            Self::Book(BookFormat::Ybb) => "a .ybb book",
            Self::Book(BookFormat::Apery) => "an Apery book",
            Self::Book(BookFormat::Sbk) => "an .sbk book",
            Self::Positions => "a list of positions",
            Self::Lines => "a list of lines",
        };
        Ok(check_overwrite(path, what, |file| self.is_in(path, file))?)
    }

    /// Whether a file is of this kind.
    fn is_in(self, path: &Path, file: &mut File) -> io::Result<bool> {
        Ok(match self {
            Self::Book(BookFormat::Ybb) => Ybb::open(path).is_ok(),
            Self::Book(BookFormat::Apery) => AperyBook::open(path).is_ok_and(|book| book.is_sorted()),
            Self::Book(BookFormat::Sbk) => read_sbk(path).is_ok(),
            Self::Book(BookFormat::Db) => is_text_book(&beginning(file)?),
            Self::Positions => is_list(&beginning(file)?, false),
            Self::Lines => is_list(&beginning(file)?, true),
        })
    }
}

/// The first complete lines of a text.
fn beginning(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(LOOK).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == LOOK {
        let end = memchr::memrchr2(b'\n', b'\r', &bytes).unwrap_or(0);
        bytes.truncate(end);
    }
    Ok(bytes)
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

/// Whether a text begins with the header, or has a position followed by a move.
fn is_text_book(text: &[u8]) -> bool {
    if lines(text).next().is_some_and(|line| line.starts_with(HEADER.as_bytes())) {
        return true;
    }
    let mut filled = lines(text).filter(|line| !line.starts_with(b"#") && !line.starts_with(b"//"));
    let position = filled.next().and_then(|line| line.strip_prefix(b"sfen "));
    position.is_some_and(|sfen| SfenLine::parse(sfen).is_ok())
        && filled.next().is_some_and(|line| BookMove::parse(line).is_ok())
}

/// Whether all lines are games (`with_moves`) or positions.
fn is_list(text: &[u8], with_moves: bool) -> bool {
    let is_one = |line: &[u8]| {
        let Ok(line) = std::str::from_utf8(line) else { return false };
        let Ok(game) = GameLine::parse(line, usize::MAX) else { return false };
        let moves = line.split_ascii_whitespace().any(|word| word == "moves") || !game.moves.is_empty();
        game.bad_word.is_none() && !game.resigned && moves == with_moves
    };
    lines(text).next().is_some() && lines(text).all(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn what_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let db = Output::Book(BookFormat::Db);
        assert!(db.check(&path).is_ok(), "there is no file");
        let book = format!("\u{feff}{START}\r\n7g7f none 0 0 1\r\n");
        for (text, ours) in [
            ("", vec![db, Output::Positions, Output::Lines]),
            ("#YANEURAOU-DB2016 1.00\n", vec![db]),
            (&book, vec![db]),
            (&format!("# NOE:1\n{START}\n// why\n7g7f\n"), vec![db]),
            (&format!("{START}\n{START}\n"), vec![Output::Positions]),
            (&START[5..], vec![Output::Positions]),
            ("startpos moves 7g7f 3c3d\n", vec![Output::Lines]),
            (&format!("{START} moves 7g7f\nstartpos moves\n"), vec![Output::Lines]),
            ("7g7f 3c3d 2g2f\n", vec![Output::Lines]),
            ("# A title\n\nSome text.\n", vec![]),
            ("hello\n", vec![]),
            ("\u{1}\u{2}\u{3}", vec![]),
        ] {
            fs::write(&path, text).unwrap();
            for output in [db, Output::Positions, Output::Lines] {
                assert_eq!(output.check(&path).is_ok(), ours.contains(&output), "{output:?} over {text:?}");
            }
            for format in [BookFormat::Ybb, BookFormat::Apery, BookFormat::Sbk] {
                assert_eq!(
                    Output::Book(format).check(&path).is_ok(),
                    text.is_empty(),
                    "{format:?} over {text:?}"
                );
            }
        }
        let error = db.check(&path).unwrap_err().to_string();
        assert!(
            error.contains("a: the file is there and is not a .db book; nothing is written: "),
            "{error}"
        );
        assert!(error.contains("--force"), "{error}");
        assert!(db.check(folder.path()).unwrap_err().to_string().contains("a folder"));
    }

    #[test]
    fn our_own_binary_books_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("a.db");
        fs::write(&text, format!("{START}\n7g7f 3c3d 1 2 3\n2g2f none 1 2 3\n")).unwrap();
        for name in ["a.ybb", "a.bin", "a.sbk", "b.db"] {
            let path = folder.path().join(name);
            crate::convert_book(&text, &path, &crate::WorkOptions::default(), &mut |_| ()).unwrap();
            assert!(Output::book(&path).unwrap().check(&path).is_ok(), "{name}");
        }
        // Another program's .bin: its numbers are not sorted.
        let net = folder.path().join("nn.bin");
        fs::write(&net, (0..64u8).rev().collect::<Vec<_>>()).unwrap();
        assert!(Output::book(&net).unwrap().check(&net).is_err());
    }
}

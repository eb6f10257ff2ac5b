//! Changes single positions of a text book. Everything else in the file, comments included, stays as it is.

use crate::error::{At, BookError};
use crate::format::lines::{Line, Lines};
use crate::grow::lock::BookLock;
use crate::grow::lock::create_book;
use crate::{BookMove, HEADER, LineEnd, SfenLine, split_ply};
use shogi::Position;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// A change of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Adds or replaces a move.
    Set(BookMove),
    /// Removes a move.
    RemoveMove(shogi::Move),
    /// Removes the position.
    RemovePosition,
    /// Adds a comment after the position's line.
    Comment(String),
}

/// The result of an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edited {
    /// The position was changed.
    Changed,
    /// The position was added.
    Added,
    /// The position was not there, so there was nothing to remove.
    Absent,
}

/// Rewrites the file with a change to one position; the move number is ignored. A new position is inserted in the order
/// of the file.
pub fn edit_book(path: &Path, position: &Position, edit: &Edit) -> Result<Edited, BookError> {
    let sfen = position.sfen().into_bytes();
    let (wanted, _) = split_ply(&sfen);
    let mut editor = Editor {
        wanted,
        edit,
        block: None,
        state: Search::Open,
        sorted: false,
        out: Vec::new(),
        end: LineEnd::Lf.bytes(),
    };
    let _lock = BookLock::take(path)?;
    let mut file = create_book(path)?;
    // If the position occurs later, it must not be inserted before.
    editor.sorted = path.exists() && !is_there(path, wanted)?;
    if path.exists() {
        let mut first = [0; 256];
        let count = std::io::Read::read(&mut File::open(path).at(path)?, &mut first).at(path)?;
        if first[..count].contains(&b'\r') {
            editor.end = LineEnd::CrLf.bytes();
        }
        let mut lines = Lines::new(File::open(path).at(path)?);
        loop {
            let number = lines.number() + 1;
            match lines.next_filled().at(path)? {
                None => break,
                Some(Line::Fault(fault)) => {
                    return Err(BookError::Line { path: path.to_owned(), line: number, fault });
                }
                Some(Line::Text(line)) => editor.line(line, &sfen),
            }
            file.write_all(&editor.out).at(path)?;
            editor.out.clear();
        }
    } else {
        editor.put(HEADER.as_bytes());
    }
    editor.close_block();
    let adds = !matches!(edit, Edit::RemoveMove(_) | Edit::RemovePosition);
    let edited = match editor.state {
        Search::Found => Edited::Changed,
        Search::Added => Edited::Added,
        Search::Open if adds => {
            editor.add_position(&sfen);
            Edited::Added
        }
        Search::Open => return Ok(Edited::Absent),
    };
    file.write_all(&editor.out).at(path)?;
    file.commit()?;
    Ok(edited)
}

/// Whether a file contains a position.
fn is_there(path: &Path, wanted: &[u8]) -> Result<bool, BookError> {
    let mut lines = Lines::new(File::open(path).at(path)?);
    while let Some(line) = lines.next_filled().at(path)? {
        if let Line::Text(text) = line
            && let Some(sfen) = text.strip_prefix(b"sfen ")
            && SfenLine::parse(sfen).is_ok_and(|line| *line.place == *wanted)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The state of the search for the position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    Open,
    Found,
    Added,
}

struct Editor<'a> {
    wanted: &'a [u8],
    edit: &'a Edit,
    /// The lines of the position to change, while they are read.
    block: Option<Vec<Vec<u8>>>,
    state: Search,
    /// Whether a new position may be inserted before the first greater one.
    sorted: bool,
    out: Vec<u8>,
    end: &'static [u8],
}

impl Editor<'_> {
    fn put(&mut self, line: &[u8]) {
        self.out.extend_from_slice(line);
        self.out.extend_from_slice(self.end);
    }

    fn line(&mut self, line: &[u8], sfen: &[u8]) {
        let place = line.strip_prefix(b"sfen ").and_then(|text| SfenLine::parse(text).ok());
        if let Some(place) = &place {
            self.close_block();
            let open = self.state == Search::Open;
            if open && *place.place == *self.wanted {
                self.state = Search::Found;
                self.block = Some(Vec::new());
            } else if open && *place.place > *self.wanted && self.sorted && self.adds() {
                self.add_position(sfen);
                self.state = Search::Added;
            }
        }
        match &mut self.block {
            Some(block) => block.push(line.to_vec()),
            None => self.put(line),
        }
    }

    fn adds(&self) -> bool {
        matches!(self.edit, Edit::Set(_) | Edit::Comment(_))
    }

    fn add_position(&mut self, sfen: &[u8]) {
        let mut line = b"sfen ".to_vec();
        line.extend_from_slice(sfen);
        self.block = Some(vec![line]);
        self.close_block();
    }

    /// Writes the changed position.
    fn close_block(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        let move_of = |line: &[u8]| {
            let text = !line.starts_with(b"#") && !line.starts_with(b"//") && !line.starts_with(b"sfen ");
            text.then(|| BookMove::parse(line).ok()).flatten().and_then(|m| m.play)
        };
        match self.edit {
            Edit::RemovePosition => return,
            Edit::RemoveMove(play) => {
                let at = block.iter().position(|line| move_of(line) == Some(*play));
                if let Some(at) = at {
                    block.remove(at);
                    // Comments on a move follow it.
                    while block.get(at).is_some_and(|line| line.starts_with(b"#") || line.starts_with(b"//"))
                    {
                        block.remove(at);
                    }
                }
                if !block.iter().any(|line| move_of(line).is_some()) {
                    return;
                }
            }
            Edit::Set(m) => {
                let mut text = Vec::new();
                m.write(&mut text);
                match block.iter_mut().find(|line| move_of(line) == m.play) {
                    Some(line) => *line = text,
                    None => block.push(text),
                }
            }
            Edit::Comment(comment) => {
                let lines = comment.lines().map(|line| format!("# {line}").into_bytes());
                block.splice(1..1, lines);
            }
        }
        for line in block {
            self.put(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn edited(text: &str, sfen: &str, edit: &Edit) -> (Edited, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        fs::write(&path, text).unwrap();
        let edited = edit_book(&path, &Position::from_sfen(sfen).unwrap(), edit).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        (edited, fs::read_to_string(&path).unwrap())
    }

    const KING: &str = "4k4/9/9/9/9/9/9/9/4K4 b";

    #[test]
    fn everything_else_stays() {
        let text = format!(
            "#YANEURAOU-DB2016 1.00\r\nsfen {KING} 2P 1\r\n# of the position\r\n5i5h none none none 3\r\n\
             #of the move\r\n5i4h\r\nsfen {KING} P 7\r\n5i5h\r\n"
        );
        let m = |line: &str| Edit::Set(BookMove::parse(line.as_bytes()).unwrap());
        let (what, now) = edited(&text, &format!("{KING} 2P 9"), &m("5i4h 5a5b 1 2 3"));
        assert_eq!((what, now), (Edited::Changed, text.replace("5i4h\r\n", "5i4h 5a5b 1 2 3\r\n")));
        let (_, now) = edited(&text, &format!("{KING} 2P 9"), &Edit::RemoveMove("5i5h".parse().unwrap()));
        assert_eq!(now, text.replace("5i5h none none none 3\r\n#of the move\r\n", ""));
        let (_, now) = edited(&text, &format!("{KING} P 9"), &Edit::RemovePosition);
        assert_eq!(now, text.replace(&format!("sfen {KING} P 7\r\n5i5h\r\n"), ""));
        let (_, now) = edited(&text, &format!("{KING} P 9"), &Edit::Comment("why".to_owned()));
        assert_eq!(now, text.replace("P 7\r\n", "P 7\r\n# why\r\n"));
        let (what, now) = edited(&text, &format!("{KING} N 9"), &Edit::RemovePosition);
        assert_eq!((what, now), (Edited::Absent, text.clone()));
        let (what, now) = edited(&text, &format!("{KING} 3P 9"), &m("5i4h"));
        let new = format!("sfen {KING} 3P 9\r\n5i4h none 0 0 1\r\nsfen {KING} P 7");
        assert_eq!((what, now), (Edited::Added, text.replace(&format!("sfen {KING} P 7"), &new)));
    }

    #[test]
    fn a_new_file_gets_its_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let edit = Edit::Set(BookMove::new("7g7f".parse().unwrap()));
        assert_eq!(edit_book(&path, &Position::startpos(), &edit).unwrap(), Edited::Added);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("{HEADER}\nsfen {}\n7g7f none 0 0 1\n", shogi::STARTPOS_SFEN));
    }
}

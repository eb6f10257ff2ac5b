//! Reads `.db` files.

use super::Problems;
use crate::error::{At, BookError, LineFault};
use crate::format::lines::{Line, Lines};
use crate::{BookMove, Entry, SfenLine};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The positions of a text book in the order of the file, one by one and in constant memory.
///
/// ```
/// use book::{DbReader, Problems};
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f 3c3d 0 32 2\n";
/// let mut reader = DbReader::new(text.as_bytes(), "example.db", Problems::stop());
/// let entry = reader.next_entry()?.expect("one position");
/// assert_eq!((entry.ply, entry.moves.len()), (1, 1));
/// assert!(reader.next_entry()?.is_none());
/// # Ok::<(), book::BookError>(())
/// ```
pub struct DbReader<R> {
    lines: Lines<R>,
    path: PathBuf,
    problems: Problems,
    entry: Entry,
    /// Whether the moves of a position are being read, which the next `sfen` line ends.
    open: bool,
    /// The next `sfen` line, already parsed.
    next: Option<(Vec<u8>, u32)>,
    /// Whether the moves belong to a position that could not be read.
    orphaned: bool,
    /// Lines of the file before the input.
    lines_before: u64,
}

impl DbReader<File> {
    /// Opens a file.
    pub fn open(path: &Path, problems: Problems) -> Result<Self, BookError> {
        Ok(Self::new(File::open(path).at(path)?, path, problems))
    }
}

impl<R: Read> DbReader<R> {
    /// Reads from any input; `path` is for messages.
    pub fn new(input: R, path: impl Into<PathBuf>, problems: Problems) -> Self {
        Self {
            lines: Lines::new(input),
            path: path.into(),
            problems,
            entry: Entry::default(),
            open: false,
            next: None,
            orphaned: false,
            lines_before: 0,
        }
    }

    /// Counts lines as if there were this many before the input.
    pub(crate) fn after_lines(mut self, lines: u64) -> Self {
        self.lines_before = lines;
        self
    }

    /// The faults so far.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Bytes read so far, for progress.
    pub fn consumed(&self) -> u64 {
        self.lines.consumed()
    }

    /// The next position with its moves in the order of the file; `None` at the end.
    pub fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        self.entry.moves.clear();
        self.open = false;
        if let Some((place, ply)) = self.next.take() {
            (self.entry.place, self.entry.ply) = (place, ply);
            self.open = true;
        }
        loop {
            let Self { lines, path, problems, lines_before, .. } = self;
            let read = match lines.next_numbered().at(path)? {
                None => return Ok(self.open.then_some(&self.entry)),
                Some((_, Line::Fault(fault))) => Err(fault),
                Some((number, Line::Text(text))) => {
                    read_line(text, &mut |fault| problems.forgive(path, *lines_before + number, &fault))
                }
            };
            match read {
                Ok(Content::Comment) => {}
                Ok(Content::Position(place, ply)) => {
                    self.orphaned = false;
                    if self.open {
                        self.next = Some((place, ply));
                        return Ok(Some(&self.entry));
                    }
                    (self.entry.place, self.entry.ply) = (place, ply);
                    self.open = true;
                }
                Ok(Content::Move(m)) if self.open && !self.orphaned => self.entry.moves.push(m),
                // The position has already been reported.
                Ok(Content::Move(_)) if self.orphaned => {}
                Ok(Content::Move(_)) => self.report(LineFault::NoPosition)?,
                Err(fault) => {
                    let of_a_position = matches!(fault, LineFault::Sfen(_) | LineFault::NotAscii);
                    self.report(fault)?;
                    self.orphaned |= of_a_position;
                }
            }
        }
    }

    fn report(&self, fault: LineFault) -> Result<(), BookError> {
        self.problems.report(&self.path, self.lines_before + self.lines.number(), fault)
    }
}

enum Content {
    Comment,
    Position(Vec<u8>, u32),
    Move(BookMove),
}

fn read_line(text: &[u8], remark: &mut dyn FnMut(LineFault)) -> Result<Content, LineFault> {
    if text.starts_with(b"#") || text.starts_with(b"//") {
        return Ok(Content::Comment);
    }
    match text.strip_prefix(b"sfen ") {
        Some(sfen) => SfenLine::parse(sfen).map(|line| Content::Position(line.place.into_owned(), line.ply)),
        None => BookMove::parse_forgiving(text, remark).map(Content::Move),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

    fn read(text: &[u8], problems: Problems) -> (Vec<Entry>, Problems, Option<String>) {
        let mut reader = DbReader::new(text, "a.db", problems);
        let mut entries = Vec::new();
        loop {
            match reader.next_entry() {
                Ok(Some(entry)) => entries.push(entry.clone()),
                Ok(None) => return (entries, reader.problems.clone(), None),
                Err(error) => return (entries, reader.problems.clone(), Some(error.to_string())),
            }
        }
    }

    #[test]
    fn what_is_forgiven() {
        let bodies = [
            format!("#YANEURAOU-DB2016 1.00\nsfen {PLACE} 1\n7g7f 3c3d 0 32 2\n"),
            format!("\u{feff}sfen {PLACE} 1\r\n// note\r\n7g7f 3c3d 0 32 2   \r\n\r\n"),
            format!("# NOE:1,SORTED\rsfen {PLACE}\r7g7f 3c3d none 32 2 // why\r# end"),
        ];
        for body in bodies {
            let (entries, _, error) = read(body.as_bytes(), Problems::stop());
            assert_eq!(error, None, "{body}");
            assert_eq!(entries.len(), 1, "{body}");
            assert_eq!((entries[0].place_str(), entries[0].ply), (PLACE, 1));
            assert_eq!(entries[0].moves, [BookMove::parse(b"7g7f 3c3d 0 32 2").unwrap()]);
        }
    }

    #[test]
    fn faults_have_line_numbers_and_can_be_skipped() {
        let text = format!("7g7f\nsfen {PLACE} 1\n7g7f\n??\nsfen 9/9 b - 1\n2g2f\nsfen {PLACE} 3\n2g2f\n");
        let (_, _, error) = read(text.as_bytes(), Problems::stop());
        assert_eq!(error.as_deref(), Some("a.db:1: a move before the first position"));
        let (entries, problems, error) = read(text.as_bytes(), Problems::skip());
        assert_eq!(error, None);
        assert_eq!(entries.iter().map(|e| (e.ply, e.moves.len())).collect::<Vec<_>>(), [(1, 1), (3, 1)]);
        let places: Vec<_> = problems.first().iter().map(|message| message[..6].to_owned()).collect();
        assert_eq!(
            (places, problems.left_out()),
            (["a.db:1", "a.db:4", "a.db:5"].map(str::to_owned).into(), 3)
        );
    }

    #[test]
    fn numbers_that_are_none_are_0_with_a_remark() {
        let text = format!("sfen {PLACE} 1\n7g7f none abc 9 2\n");
        let (entries, problems, error) = read(text.as_bytes(), Problems::stop());
        assert_eq!(error, None);
        assert_eq!(entries[0].moves, [BookMove::parse(b"7g7f none 0 9 2").unwrap()]);
        assert_eq!(problems.first(), ["a.db:2: expected a number, found `abc`: 0 is taken"]);
        assert_eq!((problems.forgiven(), problems.left_out()), (1, 0));
    }
}

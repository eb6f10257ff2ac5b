//! Books to play from: one or several, in any format, in order of priority.

use crate::error::{At, BookError};
use crate::grow::collection::Plies;
use crate::play::embedded::embedded_book;
use crate::{AperyBook, BookFormat, BookMove, Entries, Problems, TextBook, Ybb, read_sbk, sort_moves};
use shogi::Position;
use std::path::{Path, PathBuf};

/// An open book of any format.
pub enum OpenBook {
    /// `.db`, or anything that was turned into one.
    Text(TextBook),
    /// `.ybb`.
    Ybb(Ybb),
    /// `book.bin`.
    Apery(AperyBook),
}

/// Whether a book is read into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Loading {
    /// The whole of it.
    #[default]
    Memory,
    /// Only what is looked up.
    OnTheFly,
}

impl OpenBook {
    /// Opens a book.
    pub fn open(path: &Path, loading: Loading) -> Result<Self, BookError> {
        Ok(match (BookFormat::of_path(path)?, loading) {
            (BookFormat::Db, Loading::OnTheFly) => Self::Text(TextBook::on_the_fly(path)?),
            (BookFormat::Db, Loading::Memory) => Self::Text(TextBook::load(path, Problems::skip())?),
            (BookFormat::Ybb, _) => Self::Ybb(Ybb::open(path)?),
            (BookFormat::Apery, _) => Self::Apery(AperyBook::open(path)?),
            (BookFormat::Sbk, _) => {
                Self::Text(TextBook::from_stream(&mut Entries::new(read_sbk(path)?), path)?)
            }
        })
    }

    /// The moves of a position, best first; empty if the book does not have it. `remark` hears of lines that were read
    /// with forbearance.
    pub fn find(
        &self,
        position: &Position,
        plies: Plies,
        remark: &mut dyn FnMut(String),
    ) -> Result<Vec<BookMove>, BookError> {
        let mut moves = match self {
            Self::Text(book) => return book.find(position, plies, remark),
            Self::Ybb(book) => match book.find(position)? {
                Some((ply, moves)) if plies == Plies::Ignored || ply == position.ply() => moves,
                _ => Vec::new(),
            },
            Self::Apery(book) => book.find(position),
        };
        sort_moves(&mut moves);
        Ok(moves)
    }

    /// How many positions (Apery: moves) it has. Text books are counted line by line.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Text(book) => book.count(),
            Self::Ybb(book) => book.len(),
            Self::Apery(book) => book.len(),
        }
    }
}

/// Several books that are asked one after the other.
#[derive(Default)]
pub struct Library {
    books: Vec<(PathBuf, OpenBook)>,
}

impl Library {
    /// Adds a book behind those that are there.
    pub fn add(&mut self, path: &Path, loading: Loading) -> Result<&OpenBook, BookError> {
        self.books.push((path.to_owned(), OpenBook::open(path, loading)?));
        Ok(&self.books[self.books.len() - 1].1)
    }

    /// Adds the book that is part of the program, if there is one.
    pub fn add_embedded(&mut self) -> Result<Option<&OpenBook>, BookError> {
        let Some(book) = embedded_book() else { return Ok(None) };
        self.books.push((PathBuf::from("embedded book"), OpenBook::Ybb(book?)));
        Ok(self.books.last().map(|(_, book)| book))
    }

    /// Whether there is no book.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// The moves of the first book that has the position; with `flipped` it may have it rotated by 180°.
    pub fn find(&self, position: &Position, plies: Plies, flipped: bool) -> Result<Vec<BookMove>, BookError> {
        self.find_with_remarks(position, plies, flipped, &mut |_| ())
    }

    /// The same; `remark` hears of lines that were read with forbearance.
    pub fn find_with_remarks(
        &self,
        position: &Position,
        plies: Plies,
        flipped: bool,
        remark: &mut dyn FnMut(String),
    ) -> Result<Vec<BookMove>, BookError> {
        let rotated = flipped.then(|| position.flip());
        for (_, book) in &self.books {
            let moves = book.find(position, plies, remark)?;
            if !moves.is_empty() {
                return Ok(moves);
            }
            if let Some(rotated) = &rotated {
                let moves = book.find(rotated, plies, remark)?;
                if !moves.is_empty() {
                    return Ok(moves.into_iter().map(BookMove::flip).collect());
                }
            }
        }
        Ok(Vec::new())
    }
}

/// The files that a book option means: `NAME-000`, `NAME-001` and so on first, then NAME itself; a missing `.db` may
/// be there as `.ybb`, and of two the one with the ending of the option wins.
#[must_use]
pub fn book_files(folder: &Path, name: &str) -> Vec<PathBuf> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let other = match ending {
        "db" => Some("ybb"),
        "ybb" => Some("db"),
        _ => None,
    };
    let find = |stem: &str| {
        let endings = std::iter::once(ending).chain(other);
        endings.map(|ending| folder.join(format!("{stem}.{ending}"))).find(|path| path.is_file())
    };
    let numbered = (0..1000).map_while(|number| find(&format!("{stem}-{number:03}")));
    let mut files: Vec<PathBuf> = if other.is_some() { numbered.collect() } else { Vec::new() };
    files.push(find(stem).unwrap_or_else(|| folder.join(name)));
    files
}

/// When a file was last changed, to tell whether it must be read again.
pub fn changed_at(path: &Path) -> Result<std::time::SystemTime, BookError> {
    std::fs::metadata(path).and_then(|data| data.modified()).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn which_files_are_meant() {
        let folder = tempfile::tempdir().unwrap();
        let touch = |name: &str| fs::write(folder.path().join(name), "").unwrap();
        let names = |option: &str| -> Vec<String> {
            let files = book_files(folder.path(), option);
            files.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names("user_book1.db"), ["user_book1.db"]);
        touch("user_book1.ybb");
        assert_eq!(names("user_book1.db"), ["user_book1.ybb"]);
        for name in ["user_book1.db", "user_book1-000.ybb", "user_book1-001.db", "user_book1-003.db"] {
            touch(name);
        }
        assert_eq!(names("user_book1.db"), ["user_book1-000.ybb", "user_book1-001.db", "user_book1.db"]);
        assert_eq!(names("book.bin"), ["book.bin"]);
    }

    #[test]
    fn the_first_book_counts_and_rotated_positions_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let start = Position::startpos();
        let one = write("a.db", &format!("sfen {}\n7g7f none 1 1 1\n", start.sfen()));
        let two = write("b.db", &format!("sfen {}\n2g2f none 2 2 2\n", start.sfen()));
        for loading in [Loading::Memory, Loading::OnTheFly] {
            let mut library = Library::default();
            library.add(&one, loading).unwrap();
            library.add(&two, loading).unwrap();
            let moves = library.find(&start, Plies::Matter, false).unwrap();
            assert_eq!((moves.len(), moves[0].value), (1, 1));
            let rotated = start.flip();
            assert!(library.find(&rotated, Plies::Matter, false).unwrap().is_empty());
            let moves = library.find(&rotated, Plies::Matter, true).unwrap();
            assert_eq!(moves[0].play.unwrap().to_string(), "3c3d");
        }
    }
}

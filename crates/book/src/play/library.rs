//! Books for playing: one or several, in any format, in order of priority.

use crate::error::{At, BookError};
use crate::grow::collection::Plies;
use crate::play::embedded::embedded_book;
use crate::{
    AperyBook, BookFormat, BookMove, Entries, Entry, Lots, Problems, TextBook, Ybb, open_stream, read_sbk,
    sort_moves,
};
use shogi::{Move, Position};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An open book of any format.
pub enum OpenBook {
    /// `.db`, or another format converted to it.
    Text(TextBook),
    /// `.ybb`.
    Ybb(Ybb),
    /// `book.bin`.
    Apery(AperyBook),
}

/// How a book is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Loading {
    /// Into memory, completely.
    #[default]
    Memory,
    /// Only the looked-up parts.
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

    /// The moves of a position, best first; empty if the book does not have it. `remark` receives faults of the lines
    /// read.
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

    /// Number of positions (Apery: of moves). Text books are counted line by line.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Text(book) => book.count(),
            Self::Ybb(book) => book.len(),
            Self::Apery(book) => book.len(),
        }
    }
}

/// How the answers of several books are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BookMerge {
    /// The first book that has the position answers alone.
    #[default]
    First,
    /// The moves of all books; one that several have counts as the first of them says.
    Merge,
}

impl BookMerge {
    /// The words of the option, in the order of the variants.
    pub const WORDS: [&str; 2] = ["first", "merge"];

    /// The rule of one of [`BookMerge::WORDS`], by its place.
    #[must_use]
    pub const fn of_index(index: usize) -> Self {
        if index == 1 { Self::Merge } else { Self::First }
    }
}

/// Several books, in order of priority.
#[derive(Default)]
pub struct Library {
    books: Vec<(PathBuf, OpenBook)>,
    merge: BookMerge,
}

/// Number of different positions looked up by the benchmark.
const SAMPLE: usize = 10_000;

impl Library {
    /// Looks up random positions of the first book `probes` times; returns how many were found and the time.
    pub fn bench(&self, plies: Plies, probes: u64) -> Result<(u64, Duration), BookError> {
        let Some((path, _)) = self.books.first() else {
            return Err(BookError::format(Path::new(""), "no book"));
        };
        let mut stream = open_stream(path, Problems::skip())?;
        let mut lots = platform::Random::new(7);
        let mut sample: Vec<Entry> = Vec::new();
        let mut seen = 0u64;
        while let Some(entry) = stream.next_entry()? {
            seen += 1;
            if sample.len() < SAMPLE {
                sample.push(entry.clone());
            } else if let Some(slot) = sample.get_mut(Lots::below(&mut lots, seen) as usize) {
                slot.clone_from(entry);
            }
        }
        let positions: Vec<_> = sample.iter().filter_map(|entry| entry.position().ok()).collect();
        if positions.is_empty() {
            return Err(BookError::format(path, "no positions"));
        }
        let begin = Instant::now();
        let mut found = 0;
        for _ in 0..probes {
            let at = Lots::below(&mut lots, positions.len() as u64) as usize;
            found += u64::from(!self.find(&positions[at], plies, false)?.is_empty());
        }
        Ok((found, begin.elapsed()))
    }

    /// Opens books in order of priority.
    pub fn open(paths: &[PathBuf], loading: Loading) -> Result<Self, BookError> {
        let mut library = Self::default();
        for path in paths {
            library.add(path, loading)?;
        }
        Ok(library)
    }

    /// Adds a book with the lowest priority.
    pub fn add(&mut self, path: &Path, loading: Loading) -> Result<&OpenBook, BookError> {
        self.books.push((path.to_owned(), OpenBook::open(path, loading)?));
        Ok(&self.books[self.books.len() - 1].1)
    }

    /// Adds the compiled-in book, if there is one.
    pub fn add_embedded(&mut self) -> Result<Option<&OpenBook>, BookError> {
        let Some(book) = embedded_book() else { return Ok(None) };
        self.books.push((PathBuf::from("embedded book"), OpenBook::Ybb(book?)));
        Ok(self.books.last().map(|(_, book)| book))
    }

    /// Sets what the books say together.
    pub fn set_merge(&mut self, merge: BookMerge) {
        self.merge = merge;
    }

    /// The name of the book that a move of [`Library::find`] comes from, where there are several.
    #[must_use]
    pub fn source(&self, position: &Position, plies: Plies, flipped: bool, play: Move) -> Option<String> {
        if self.books.len() < 2 {
            return None;
        }
        let has = |(_, book): &&(PathBuf, OpenBook)| {
            let moves = find_in(book, position, plies, flipped, &mut |_| ()).unwrap_or_default();
            moves.iter().any(|m| m.play == Some(play))
        };
        let (path, _) = self.books.iter().find(has)?;
        Some(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
    }

    /// Whether there is no book.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// The moves of a position by the rule of [`Library::set_merge`]; with `flipped` a book may have it rotated by 180°.
    pub fn find(&self, position: &Position, plies: Plies, flipped: bool) -> Result<Vec<BookMove>, BookError> {
        self.find_with_remarks(position, plies, flipped, &mut |_| ())
    }

    /// Like [`Library::find`]; `remark` receives faults of the lines read.
    pub fn find_with_remarks(
        &self,
        position: &Position,
        plies: Plies,
        flipped: bool,
        remark: &mut dyn FnMut(String),
    ) -> Result<Vec<BookMove>, BookError> {
        let mut all: Vec<BookMove> = Vec::new();
        for (_, book) in &self.books {
            let moves = find_in(book, position, plies, flipped, remark)?;
            match self.merge {
                BookMerge::First if !moves.is_empty() => return Ok(moves),
                BookMerge::First => {}
                BookMerge::Merge => {
                    let new = moves.into_iter().filter(|m| all.iter().all(|old| old.play != m.play));
                    let new: Vec<_> = new.collect();
                    all.extend(new);
                }
            }
        }
        sort_moves(&mut all);
        Ok(all)
    }
}

/// The moves of a position in one book, rotated or not.
fn find_in(
    book: &OpenBook,
    position: &Position,
    plies: Plies,
    flipped: bool,
    remark: &mut dyn FnMut(String),
) -> Result<Vec<BookMove>, BookError> {
    let moves = book.find(position, plies, remark)?;
    if !moves.is_empty() || !flipped {
        return Ok(moves);
    }
    Ok(book.find(&position.flip(), plies, remark)?.into_iter().map(BookMove::flip).collect())
}

/// The names in a list of books, which `;` separates.
pub fn book_names(list: &str) -> impl Iterator<Item = &str> {
    list.split(';').map(str::trim).filter(|name| !name.is_empty())
}

/// The files of a book option: `NAME-000`, `NAME-001` and so on, then NAME itself. If a `.db` is missing, the `.ybb` of
/// the same name is used, and vice versa; if both exist, the extension in the option decides.
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

/// The modification time of a file, for detecting that it must be read again.
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

//! Books below one folder: looking things up, changing moves, min-max.

use crate::board::{Document, lock};
use crate::paths;
use crate::protocol::{
    self, BookEdit, BookEntry, BookLine, BookMoves, BookOpened, NamedMove, Refusal, RefusalCode, Words,
};
use book::{BookFormat, BookMove, Edit, Loading, OpenBook, Plies, SolvedBook, edit_book};
use shogi::{Move, Position};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Folders are not searched deeper than this.
const MOST_DEPTH: usize = 4;
/// No more books are listed.
const MOST_BOOKS: usize = 1000;
/// Books that may be open at the same time.
const MOST_OPEN: usize = 16;

/// A book that is open.
struct Open {
    path: PathBuf,
    format: BookFormat,
    book: OpenBook,
    /// Changes that are not saved: the position and what becomes of it.
    changes: Vec<(Position, Edit)>,
    solved: Option<SolvedBook>,
}

/// The books of a folder.
pub struct Books {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<String, Arc<Mutex<Open>>>>,
}

fn failed(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(RefusalCode::File, error.to_string())
}

/// Only `.db` can be changed in place.
fn is_writable(format: BookFormat) -> bool {
    format == BookFormat::Db
}

fn unsaved() -> Refusal {
    Refusal::new(RefusalCode::State, "the book has changes: save it first")
        .ja("定跡に保存していない変更があります。先に保存してください。")
}

fn format_name(format: BookFormat) -> &'static str {
    match format {
        BookFormat::Db => "db",
        BookFormat::Ybb => "ybb",
        BookFormat::Apery => "apery",
        BookFormat::Sbk => "sbk",
    }
}

impl Open {
    fn opened(&self, name: &str) -> BookOpened {
        BookOpened {
            book: name.to_owned(),
            format: format_name(self.format).to_owned(),
            positions: self.book.count() as u64,
            changed: !self.changes.is_empty(),
            writable: is_writable(self.format),
            mining: None,
        }
    }

    fn check_writable(&self) -> Result<(), Refusal> {
        if is_writable(self.format) {
            return Ok(());
        }
        let text = "only .db books can be changed: convert it with `tsumugi book convert`";
        Err(Refusal::new(RefusalCode::Unsupported, text)
            .ja("変更できるのは .db の定跡だけです。`tsumugi book convert` で変換してください。"))
    }

    /// The moves of a position with the changes that are not saved.
    fn find(&self, position: &Position) -> Result<Vec<BookMove>, Refusal> {
        let mut moves = self.book.find(position, Plies::Ignored, &mut |_| ()).map_err(failed)?;
        let same = |other: &Position| other.key128() == position.key128();
        for (_, change) in self.changes.iter().filter(|(other, _)| same(other)) {
            match change {
                Edit::Set(new) => match moves.iter_mut().find(|old| old.play == new.play) {
                    Some(old) => *old = *new,
                    None => moves.push(*new),
                },
                Edit::RemoveMove(m) => moves.retain(|old| old.play != Some(*m)),
                Edit::RemovePosition => moves.clear(),
                Edit::Comment(_) => {}
            }
        }
        Ok(moves)
    }
}

impl Books {
    /// The books of a folder, if there is one.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, open: Mutex::default() }
    }

    /// Whether there is a folder.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.folder.is_some()
    }

    fn folder(&self) -> Result<&Path, Refusal> {
        let folder = self.folder.as_deref();
        folder.ok_or_else(|| {
            Refusal::new(RefusalCode::Unsupported, "no folder of books: start the server with --books DIR")
                .ja("定跡のフォルダーがありません。`tsumugi web --books DIR` で起動してください。")
        })
    }

    /// All books.
    pub fn list(&self) -> Result<protocol::Books, Refusal> {
        let mut books = Vec::new();
        collect(self.folder()?, "", MOST_DEPTH, &mut books);
        books.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(protocol::Books { books })
    }

    /// Opens a book.
    pub fn open(&self, name: &str) -> Result<BookOpened, Refusal> {
        if let Ok(open) = self.get(name) {
            return Ok(lock(&open).opened(name));
        }
        let path = paths::below(self.folder()?, name)?;
        let format = BookFormat::of_path(&path).map_err(failed)?;
        let book = OpenBook::open(&path, Loading::OnTheFly).map_err(failed)?;
        let open = Open { path, format, book, changes: Vec::new(), solved: None };
        let opened = open.opened(name);
        let mut all = lock(&self.open);
        if all.len() >= MOST_OPEN {
            return Err(Refusal::new(RefusalCode::TooMuch, format!("{MOST_OPEN} books are open: close one")));
        }
        all.insert(name.to_owned(), Arc::new(Mutex::new(open)));
        Ok(opened)
    }

    fn get(&self, name: &str) -> Result<Arc<Mutex<Open>>, Refusal> {
        lock(&self.open).get(name).cloned().ok_or_else(|| {
            let shown: String = name.chars().take(80).collect();
            Refusal::new(RefusalCode::Unknown, format!("`{shown}` is not open: open it first"))
        })
    }

    /// What a book has for a node.
    pub fn show(&self, name: &str, document: &Document, node: u32) -> Result<BookMoves, Refusal> {
        let open = self.get(name)?;
        let open = lock(&open);
        let mut line = document.line(node)?;
        let position = position_of(document, &line.text())?;
        let solved: HashMap<Move, i32> = open.solved.as_ref().map_or_else(HashMap::new, |solved| {
            solved.moves(&position).into_iter().map(|(m, worth)| (m, i32::from(worth.value))).collect()
        });
        let seen = earlier(document, node)?;
        let mut moves = Vec::new();
        for m in open.find(&position)? {
            let Some(play) = m.play else { continue };
            let Ok(name) = line.play(&play.to_string()) else { continue };
            let reply = m.reply.and_then(|reply| line.name(&reply.to_string()).ok());
            line.undo();
            let mut after = position.clone();
            after.do_move(play);
            let repetition = seen.iter().position(|key| *key == after.key128()).map(|ply| {
                Words::new(format!("{ply}手目の局面に戻る"), format!("back to the position after move {ply}"))
            });
            moves.push(BookLine {
                name,
                reply,
                value: (!m.is_played_only()).then_some(m.value),
                minmax: solved.get(&play).copied(),
                depth: Some(m.depth),
                count: Some(m.count),
                known: open.find(&after).is_ok_and(|moves| !moves.is_empty()),
                repetition,
                comment: String::new(),
            });
        }
        Ok(BookMoves { node, moves, changed: !open.changes.is_empty() })
    }

    /// Sets or removes a move; the file changes when the book is saved.
    pub fn edit(&self, args: &BookEdit, document: &Document, node: u32) -> Result<BookMoves, Refusal> {
        let open = self.get(&args.book)?;
        {
            let mut open = lock(&open);
            open.check_writable()?;
            let line = document.line(node)?;
            let position = position_of(document, &line.text())?;
            let NamedMove { text, .. } = line.name(&args.text)?;
            let m: Move = text.parse().map_err(|_| {
                Refusal::new(RefusalCode::Illegal, format!("`{text}` is not a move of shogi"))
            })?;
            let change = if args.remove {
                Edit::RemoveMove(m)
            } else {
                let known = open.find(&position)?.into_iter().find(|known| known.play == Some(m));
                let mut new = known.unwrap_or_else(|| BookMove::new(m));
                new.value = args.value.unwrap_or(new.value);
                new.depth = args.depth.unwrap_or(new.depth);
                new.count = args.count.unwrap_or(new.count);
                Edit::Set(new)
            };
            open.changes.push((position.clone(), change));
            if let Some(comment) = &args.comment {
                let one_line = comment.replace(['\r', '\n'], " ");
                open.changes.push((position, Edit::Comment(one_line)));
            }
            open.solved = None;
        }
        self.show(&args.book, document, node)
    }

    /// Writes the changes to the file.
    pub fn save(&self, name: &str) -> Result<BookOpened, Refusal> {
        let open = self.get(name)?;
        let mut open = lock(&open);
        while let Some((position, change)) = open.changes.first().cloned() {
            edit_book(&open.path, &position, &change).map_err(failed)?;
            open.changes.remove(0);
        }
        open.book = OpenBook::open(&open.path, Loading::OnTheFly).map_err(failed)?;
        Ok(open.opened(name))
    }

    /// Works out the values by min-max over the whole book, in memory.
    pub fn minmax(&self, name: &str) -> Result<BookOpened, Refusal> {
        let open = self.get(name)?;
        let (path, changed) = {
            let open = lock(&open);
            (open.path.clone(), !open.changes.is_empty())
        };
        if changed {
            return Err(unsaved());
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let solved = SolvedBook::read(&path, threads, &|_, _| ()).map_err(failed)?;
        let mut open = lock(&open);
        open.solved = Some(solved);
        Ok(open.opened(name))
    }

    /// The file of a book that is open, can be changed, and has no changes that are not saved.
    pub fn file_to_change(&self, name: &str) -> Result<PathBuf, Refusal> {
        let open = self.get(name)?;
        let open = lock(&open);
        open.check_writable()?;
        if open.changes.is_empty() { Ok(open.path.clone()) } else { Err(unsaved()) }
    }

    /// The file of a book has changed.
    pub fn reload(&self, name: &str) {
        let Ok(open) = self.get(name) else { return };
        let mut open = lock(&open);
        // A book that cannot be read any more stays as it was.
        if let Ok(book) = OpenBook::open(&open.path, Loading::OnTheFly) {
            open.book = book;
            open.solved = None;
        }
    }

    /// Closes a book; changes that are not saved are lost.
    pub fn close(&self, name: &str) {
        lock(&self.open).remove(name);
    }
}

/// The position of a text on a board of shogi.
pub fn position_of(document: &Document, text: &str) -> Result<Position, Refusal> {
    if document.game.rules().game.game != "shogi" {
        return Err(Refusal::new(RefusalCode::Unsupported, "books are of shogi").ja("定跡は本将棋だけです。"));
    }
    Position::from_sfen(text).map_err(|error| Refusal::new(RefusalCode::Position, error.to_string()))
}

/// Keys of the positions on the way to a node.
fn earlier(document: &Document, node: u32) -> Result<Vec<u128>, Refusal> {
    let mut line = document.game.line(&document.start)?;
    let mut keys = vec![position_of(document, &line.text())?.key128()];
    for text in document.moves(node) {
        line.play(text)?;
        keys.push(position_of(document, &line.text())?.key128());
    }
    Ok(keys)
}

/// The books of a folder and of those in it.
fn collect(folder: &Path, prefix: &str, depth: usize, books: &mut Vec<BookEntry>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        // Links are followed only where they stay below the folder, which opening a book checks.
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        let path = format!("{prefix}{name}");
        if kind.is_dir() && depth > 1 {
            collect(&entry.path(), &format!("{path}/"), depth - 1, books);
        } else if kind.is_file() && BookFormat::of_path(&entry.path()).is_ok() && books.len() < MOST_BOOKS {
            books.push(BookEntry { path, bytes: entry.metadata().map_or(0, |data| data.len()) });
        }
    }
}

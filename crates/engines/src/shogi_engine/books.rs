//! The books that the engine plays from.

use super::book_options::{BookOptions, EMBEDDED_BOOK, NO_BOOK, WantedBook};
use book::{Library, Loading, OpenBook, Plies, SelectionRules, Selector, book_files, changed_at};
use platform::Random;
use search::Task;
use shogi::{Move, Position, Shogi};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use usi::BookMoves;
use usi::options::{Folders, Options, PlaySettings};

/// What the options named, and the files with the times of their last changes.
type Opened = (WantedBook, Vec<(PathBuf, Option<SystemTime>)>);

/// Open books, and what they were opened for.
pub(crate) struct Books {
    options: BookOptions,
    library: Library,
    rules: SelectionRules,
    lots: Random,
    opened: Option<Opened>,
}

impl Books {
    pub(super) fn declare(options: &mut Options, folders: &Folders) -> Self {
        Self {
            options: BookOptions::declare(options, folders),
            library: Library::default(),
            rules: SelectionRules::default(),
            lots: Random::new(Random::fresh_seed()),
            opened: None,
        }
    }

    /// The folder of the books, as it is named.
    pub(super) fn folder<'a>(&self, options: &'a Options) -> &'a str {
        self.options.folder(options)
    }

    pub(super) fn plies(&self, options: &Options) -> Plies {
        self.options.plies(options)
    }

    /// Opens the books that the options name, if others are open or the files have changed. A book that cannot be read is
    /// noted; the game goes on without it.
    pub(super) fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        folders: &Folders,
        note: &mut dyn FnMut(&str),
    ) {
        self.rules = self.options.rules(settings, options);
        let wanted = self.options.wanted(options);
        let mut files = files(&wanted, folders);
        let mut embedded = wanted.file == EMBEDDED_BOOK;
        if wanted.is_default && !files.iter().any(|path| path.is_file()) {
            files.clear();
            embedded = book::has_embedded_book();
        }
        let stamped: Vec<_> = files.iter().map(|path| (path.clone(), changed_at(path).ok())).collect();
        let now = Some((wanted.clone(), stamped));
        if self.opened == now {
            return;
        }
        self.library = Library::default();
        if embedded && let Err(error) = self.library.add_embedded() {
            note(&format!("Error! : {error}"));
        }
        for path in files {
            let shown = path.display();
            if !path.is_file() {
                note(&format!("Error! : can't read file : {shown}"));
                continue;
            }
            let is = |path: &Path, end: &str| path.extension().is_some_and(|own| own == end);
            if is(Path::new(&wanted.file), "db") && is(&path, "ybb") {
                note(&format!("book file fallback : {shown}"));
            }
            note(&format!("read book file : {shown}"));
            match self.library.add(&path, wanted.loading) {
                Ok(OpenBook::Text(_)) if wanted.loading == Loading::OnTheFly => {}
                Ok(book) => note(&format!("read book done. number of positions = {}", book.count())),
                Err(error) => note(&format!("Error! : {error}")),
            }
        }
        self.opened = now;
    }

    /// The move to play at once, and the reply that is expected.
    pub(crate) fn choose(
        &mut self,
        position: &Position,
        only: &[Move],
        say: &mut dyn FnMut(&str),
    ) -> Option<(Move, Option<Move>)> {
        if self.library.is_empty() || position.declaration().is_some() {
            return None;
        }
        let mut selector = Selector { library: &self.library, rules: &self.rules, lots: &mut self.lots, say };
        selector.choose(position, only).map(|choice| (choice.best, choice.reply))
    }
}

impl BookMoves<Shogi> for Books {
    fn book_move(
        &mut self,
        task: &Task<Position, Move>,
        say: &mut dyn FnMut(&str),
    ) -> Option<(Move, Option<Move>)> {
        self.choose(&task.position, &task.only, say)
    }
}

/// The files of a wanted book: in the folder of the program, or else in the current one.
fn files(wanted: &WantedBook, folders: &Folders) -> Vec<PathBuf> {
    if [NO_BOOK, EMBEDDED_BOOK].contains(&wanted.file.as_str()) {
        return Vec::new();
    }
    let candidates: Vec<Vec<PathBuf>> =
        folders.candidates(&wanted.folder).iter().map(|folder| book_files(folder, &wanted.file)).collect();
    let there = |files: &&Vec<PathBuf>| files.iter().any(|path| path.is_file());
    candidates.iter().find(there).or(candidates.first()).cloned().unwrap_or_default()
}

//! The books of the engine.

use super::book_options::{BookOptions, EMBEDDED_BOOK, NO_BOOK, WantedBook};
use book::{Library, Loading, OpenBook, Plies, SelectionRules, Selector, book_files, book_names, changed_at};
use platform::Random;
use search::Task;
use shogi::{Move, Position, Shogi};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use usi::BookMoves;
use usi::options::{Folders, Options, PlaySettings};

/// The option values, and the files with their modification times.
type Opened = (WantedBook, Vec<(PathBuf, Option<SystemTime>)>);

/// Open books, with the settings for which they were opened.
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

    /// The folder of the books, as given.
    pub(super) fn folder<'a>(&self, options: &'a Options) -> &'a str {
        self.options.folder(options)
    }

    pub(super) fn plies(&self, options: &Options) -> Plies {
        self.options.plies(options)
    }

    /// Opens the books named by the options, if others are open or the files have changed. A book that cannot be read
    /// is noted, and not used.
    pub(super) fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        folders: &Folders,
        note: &mut dyn FnMut(&str),
    ) {
        self.rules = self.options.rules(settings, options);
        let wanted = self.options.wanted(options);
        let mut sources = sources(&wanted, folders);
        let is_there = |source: &Source| source.path().is_none_or(Path::is_file);
        if wanted.is_default && !sources.iter().any(is_there) {
            sources = if book::has_embedded_book() { vec![Source::Embedded] } else { Vec::new() };
        }
        let paths = sources.iter().filter_map(Source::path);
        let stamped: Vec<_> = paths.map(|path| (path.to_owned(), changed_at(path).ok())).collect();
        let now = Some((wanted.clone(), stamped));
        if self.opened == now {
            return;
        }
        self.library = Library::default();
        self.library.set_merge(wanted.merge);
        for source in sources {
            match source {
                Source::Embedded => {
                    if let Err(error) = self.library.add_embedded() {
                        note(&format!("Error! : {error}"));
                    }
                }
                Source::File { name, path } => self.open(&name, &path, wanted.loading, note),
            }
        }
        self.opened = now;
    }

    /// Opens a book that was found for a name.
    fn open(&mut self, name: &str, path: &Path, loading: Loading, note: &mut dyn FnMut(&str)) {
        let shown = path.display();
        if !path.is_file() {
            return note(&format!("Error! : can't read file : {shown}"));
        }
        let is = |path: &Path, end: &str| path.extension().is_some_and(|own| own == end);
        if is(Path::new(name), "db") && is(path, "ybb") {
            note(&format!("book file fallback : {shown}"));
        }
        note(&format!("read book file : {shown}"));
        match self.library.add(path, loading) {
            Ok(OpenBook::Text(_)) if loading == Loading::OnTheFly => {}
            Ok(book) => note(&format!("read book done. number of positions = {}", book.count())),
            Err(error) => note(&format!("Error! : {error}")),
        }
    }

    /// The move to play at once, and the expected reply.
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

/// Where a book comes from.
enum Source {
    /// The program itself.
    Embedded,
    /// The file that was found for a name.
    File { name: String, path: PathBuf },
}

impl Source {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Embedded => None,
            Self::File { path, .. } => Some(path),
        }
    }
}

/// The wanted books in their order, each in the folder of the program, or else in the current one.
fn sources(wanted: &WantedBook, folders: &Folders) -> Vec<Source> {
    // In the folder of the program, or else in the current one.
    let there = |files: &&Vec<PathBuf>| files.iter().any(|path| path.is_file());
    let found = |name: &str| {
        let folders = folders.candidates(&wanted.folder);
        let candidates: Vec<Vec<PathBuf>> = folders.iter().map(|folder| book_files(folder, name)).collect();
        candidates.iter().find(there).or(candidates.first()).cloned().unwrap_or_default()
    };
    let of_name = |name: &str| match name {
        NO_BOOK => Vec::new(),
        EMBEDDED_BOOK => vec![Source::Embedded],
        name => found(name).into_iter().map(|path| Source::File { name: name.to_owned(), path }).collect(),
    };
    book_names(&wanted.file).flat_map(of_name).collect()
}

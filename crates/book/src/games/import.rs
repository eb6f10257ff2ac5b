//! `book import`: makes a book from game records of any format.

use crate::{BookError, GameLine, PlayedBook, WorkOptions, write_played};
use record::convert::{Filter, LoadError, SourceError, Summary, each_record, record_files};
use record::{Format, GameResult, Loaded, ReadOptions, Record};
use shogi::{Color, Position};
use std::fmt;
use std::path::{Path, PathBuf};

/// Which games, and which of their moves, to import.
pub struct Import {
    /// Number of moves of each game.
    pub moves: usize,
    /// Only moves of this side.
    pub side: Option<Color>,
    /// Only moves of the winner.
    pub winner: bool,
    /// Selects games. If it names players, only their moves are imported.
    pub filter: Filter,
    /// Only moves played at least this often.
    pub min_count: u64,
    /// The depth to write for all moves.
    pub depth: u16,
}

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file or pattern that cannot be read.
    #[error("{}: {error}", path.display())]
    Source {
        /// As given.
        path: PathBuf,
        /// Why.
        error: SourceError,
    },
    /// No file was found.
    #[error("no game records found")]
    NoFile,
    /// No game could be read.
    #[error("no game record found in {0} files; nothing is written")]
    NoGame(usize),
    /// No game of a library.
    #[error("no game of shogi in the library passes the filters; nothing is written")]
    NothingPasses,
    /// The book cannot be written.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// A game that is known to pass the filter.
pub struct KnownGame {
    /// As USI has it: `startpos moves …`.
    pub line: String,
    /// Black's and White's name.
    pub players: [String; 2],
    /// Who won.
    pub result: GameResult,
}

/// The result of an import.
pub struct Imported {
    /// Counts of games.
    pub summary: Summary,
    /// Number of positions in the book.
    pub positions: u64,
    /// The book cannot be written.
    pub output: PathBuf,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {} positions in {}", self.summary, self.positions, self.output.display())
    }
}

impl Import {
    /// Reads files, folders, archives and patterns and writes a book. `tell` receives the progress, `note` the
    /// problems.
    pub fn run(
        &self,
        inputs: &[PathBuf],
        output: &Path,
        options: &WorkOptions,
        tell: &dyn Fn(f64),
        note: &dyn Fn(&str),
    ) -> Result<Imported, ImportError> {
        let mut files = Vec::new();
        for path in inputs {
            let found = record_files(path);
            files.extend(found.map_err(|error| ImportError::Source { path: path.clone(), error })?);
        }
        if files.is_empty() {
            return Err(ImportError::NoFile);
        }
        let book = PlayedBook::new(options.limits.clone()).with_depth(self.depth.into());
        let mut run = Run { import: self, book, summary: Summary::default(), note };
        for (number, path) in files.iter().enumerate() {
            tell(number as f64 / files.len() as f64);
            run.file(path)?;
        }
        let Run { book, summary, .. } = run;
        if summary.games == 0 {
            return Err(ImportError::NoGame(files.len()));
        }
        let positions = write_played(output, book, self.min_count, options)?;
        Ok(Imported { summary, positions, output: output.to_owned() })
    }

    /// Writes a book of games that passed the filter elsewhere, such as those of a library.
    pub fn run_known(
        &self,
        games: impl Iterator<Item = KnownGame>,
        output: &Path,
        options: &WorkOptions,
    ) -> Result<Imported, ImportError> {
        let mut book = PlayedBook::new(options.limits.clone()).with_depth(self.depth.into());
        let mut summary = Summary::default();
        for KnownGame { line, players, result } in games {
            summary.games += 1;
            let Ok(game) = GameLine::parse(&line, self.moves.saturating_add(1)) else {
                summary.failed += 1;
                continue;
            };
            summary.written += 1;
            self.enter(&mut book, &game, |color| &players[color as usize], result)?;
        }
        if summary.games == 0 {
            return Err(ImportError::NothingPasses);
        }
        let positions = write_played(output, book, self.min_count, options)?;
        Ok(Imported { summary, positions, output: output.to_owned() })
    }

    /// Enters the moves of the chosen sides.
    fn enter<'a>(
        &self,
        book: &mut PlayedBook,
        game: &GameLine,
        player: impl Fn(Color) -> &'a str,
        result: GameResult,
    ) -> Result<(), BookError> {
        let side = match self.sides(player, result)[..] {
            [] => return Ok(()),
            [side] => Some(side),
            _ => None,
        };
        book.insert_game(game, self.moves, side)
    }

    /// Whether every move of every game is imported, of both sides or of one.
    fn takes_everything(&self) -> bool {
        !self.winner && self.filter == Filter::default()
    }

    /// The sides whose moves are imported.
    fn sides<'a>(&self, player: impl Fn(Color) -> &'a str, result: GameResult) -> Vec<Color> {
        let players = &self.filter.players;
        let named = |color: Color| {
            let name = player(color).to_lowercase();
            players.is_empty() || players.iter().any(|wanted| name.contains(&wanted.to_lowercase()))
        };
        let won = |color: Color| !self.winner || result == GameResult::Win(color);
        let chosen = |color: Color| self.side.is_none_or(|side| side == color);
        Color::ALL.into_iter().filter(|color| named(*color) && won(*color) && chosen(*color)).collect()
    }
}

/// A running import.
struct Run<'a> {
    import: &'a Import,
    book: PlayedBook,
    summary: Summary,
    note: &'a dyn Fn(&str),
}

impl Run<'_> {
    fn file(&mut self, path: &Path) -> Result<(), BookError> {
        // Fast path: lists of moves without any filter, if all lines are games.
        let plain = self.import.takes_everything() && Format::of_path(path) == Some(Format::Usi);
        if plain && self.list(path)? {
            return Ok(());
        }
        let mut each = |shown: &str, loaded: Result<Loaded, LoadError>| {
            let imported = loaded.map_err(|error| error.to_string()).and_then(|loaded| {
                for fault in &loaded.faults {
                    (self.note)(&format!("warning: {shown}: {fault}"));
                }
                self.summary.faulty += usize::from(!loaded.faults.is_empty());
                self.game(&loaded.record)
            });
            if let Err(error) = imported {
                self.summary.failed += 1;
                (self.note)(&format!("error: {shown}: {error}"));
            }
        };
        each_record(path, ReadOptions::default(), &mut each);
        Ok(())
    }

    fn game(&mut self, record: &Record) -> Result<(), String> {
        let game = as_line(record)?;
        self.summary.games += 1;
        if !self.import.filter.passes(record) {
            self.summary.filtered += 1;
            return Ok(());
        }
        self.summary.written += 1;
        let player = |color| record.header.player(color).unwrap_or_default();
        let entered = self.import.enter(&mut self.book, &game, player, record.result());
        entered.map_err(|error| error.to_string())
    }

    /// Returns whether the list was imported. One with a line that is not a game is left to the reader of records,
    /// which reports it and imports the others.
    fn list(&mut self, path: &Path) -> Result<bool, BookError> {
        let mut faulty = 0;
        let mut complain = |number: u64, _: &str, word: &str| {
            faulty += 1;
            (self.note)(&format!("warning: {}:{number}: not a move here: {word}", path.display()));
        };
        let games = match self.book.insert_list(path, self.import.moves, self.import.side, &mut complain) {
            Ok(games) => games as usize,
            Err(BookError::Line { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        self.summary.games += games;
        self.summary.written += games;
        self.summary.faulty += faulty;
        Ok(true)
    }
}

fn as_line(record: &Record) -> Result<GameLine, String> {
    let start = Position::try_from(record.start.clone()).map_err(|error| error.to_string())?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    for m in record.moves() {
        if !position.is_legal(m) {
            break;
        }
        position.do_move(m);
        moves.push(m);
    }
    Ok(GameLine { start, moves, bad_word: None, resigned: true })
}

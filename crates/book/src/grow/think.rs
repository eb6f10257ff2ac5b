//! Makes books by searching positions; results are saved as they arrive.

use crate::error::At;
use crate::grow::journal::Journal;
use crate::grow::lock::BookLock;
use crate::{
    BookError, BookFormat, BookMove, Collection, Entries, Entry, EntrySorter, LineEnd, Plies, Problems,
    SortLimits, open_stream, positions_of_game, read_game_lines, write_db,
};
use shogi::{Color, Position};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Searches positions: our engine or any other.
pub trait Thinker: Send {
    /// The best moves of a position, best first; empty if the game is over. The result must not depend on earlier
    /// searches.
    fn think(&mut self, position: &Position) -> Result<Vec<BookMove>, String>;
}

/// A book that grows by searches. Results go to the journal at once and to the file at intervals.
pub struct GrowingBook {
    path: PathBuf,
    book: Collection,
    journal: Journal,
    unsaved: usize,
    /// Whether the file was written.
    written: bool,
    problems: Problems,
    saved_at: Instant,
    line_end: LineEnd,
    /// Excludes other writers.
    _lock: BookLock,
}

impl GrowingBook {
    /// Opens a book, new or existing, including the journal of an interrupted run.
    pub fn open(path: &Path, line_end: LineEnd) -> Result<Self, BookError> {
        if BookFormat::of_path(path)? != BookFormat::Db {
            return Err(BookError::format(path, "only a .db can grow; convert the book first"));
        }
        let lock = BookLock::take(path)?;
        let problems = Problems::stop();
        let mut book = if path.exists() {
            Collection::read(&mut open_stream(path, problems.clone())?, Plies::Matter)?
        } else {
            Collection::new(Plies::Matter)
        };
        let mut unsaved = 0;
        let journal = Journal::open(path, &mut |entry| {
            if let Ok(position) = entry.position() {
                book.replace(&position, &entry.moves);
                unsaved += 1;
            }
        })?;
        let saved_at = Instant::now();
        Ok(Self {
            path: path.to_owned(),
            book,
            journal,
            unsaved,
            written: false,
            problems,
            saved_at,
            line_end,
            _lock: lock,
        })
    }

    /// Its content.
    #[must_use]
    pub fn book(&self) -> &Collection {
        &self.book
    }

    /// The faults found when the file was read.
    #[must_use]
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Number of positions that are only in the journal.
    #[must_use]
    pub fn unsaved(&self) -> usize {
        self.unsaved
    }

    /// Replaces the moves of a position.
    pub fn enter(&mut self, position: &Position, moves: Vec<BookMove>) -> Result<(), BookError> {
        let entry = Entry::of(position, moves);
        self.journal.record(&entry)?;
        self.book.replace(position, &entry.moves);
        self.unsaved += 1;
        Ok(())
    }

    /// Writes the whole book, if anything has changed.
    pub fn save(&mut self) -> Result<(), BookError> {
        if self.unsaved > 0 {
            let mut sorter = EntrySorter::new(SortLimits::default());
            sorter.push_all(&mut Entries::new(self.book.entries()), &self.path)?;
            write_db(&self.path, &mut sorter.finish().at(&self.path)?, self.line_end)?;
            self.journal.clear()?;
            self.unsaved = 0;
            self.written = true;
        }
        self.saved_at = Instant::now();
        Ok(())
    }

    /// Saves and removes the journal; returns whether the file has ever been written.
    pub fn close(mut self) -> Result<bool, BookError> {
        self.save()?;
        self.journal.remove()?;
        Ok(self.written)
    }
}

/// Which positions need a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Positions searched to this depth need none.
    pub depth: i32,
    /// Positions of the same depth with fewer moves than this need one.
    pub multi_pv: usize,
    /// If searches end at a limit of nodes, the depth does not matter: no searched position needs another search.
    pub any_depth: bool,
}

/// Larger values are mates, which a deeper search will not change.
const MATED: i32 = 32_000 - 246;

impl Wanted {
    /// Whether a position of a book needs a search.
    #[must_use]
    pub fn needs(self, book: &Collection, position: &Position) -> bool {
        let Some(mut entry) = book.find(position) else { return true };
        entry.moves.retain(|m| !m.is_played_only());
        entry.sort();
        let Some(first) = entry.moves.first() else { return true };
        let is_mate = first.value.abs() >= MATED;
        if !self.any_depth && !is_mate && first.depth != self.depth {
            return first.depth < self.depth;
        }
        entry.moves.len() < self.multi_pv.min(position.legal_moves().len())
    }
}

/// A part of the work that is shared between machines: the `number`th of `of`, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// The number of the part.
    pub number: usize,
    /// The number of parts.
    pub of: usize,
}

impl Cluster {
    /// A valid part.
    #[must_use]
    pub fn new(number: usize, of: usize) -> Option<Self> {
        (1 <= number && number <= of).then_some(Self { number, of })
    }
}

/// A text that is not a part of the work.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a share such as 2/3, found `{0}`")]
pub struct ParseClusterError(String);

impl FromStr for Cluster {
    type Err = ParseClusterError;

    fn from_str(text: &str) -> Result<Self, ParseClusterError> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let cluster = numbers.and_then(|(number, of)| Self::new(number, of));
        cluster.ok_or_else(|| ParseClusterError(text.to_owned()))
    }
}

impl Default for Cluster {
    fn default() -> Self {
        Self { number: 1, of: 1 }
    }
}

/// The positions of games to search: distinct, in order, without those that the book does not need, and of the rest
/// this machine's part.
#[must_use]
pub fn positions_to_think(
    candidates: impl IntoIterator<Item = Position>,
    book: &Collection,
    wanted: Wanted,
    cluster: Cluster,
) -> Vec<Position> {
    let mut seen = HashSet::new();
    let needed = candidates
        .into_iter()
        .filter(|position| seen.insert((position.key128(), position.ply())) && wanted.needs(book, position));
    let mine = |index: usize| index % cluster.of.max(1) == cluster.number.saturating_sub(1);
    needed.enumerate().filter(|(index, _)| mine(*index)).map(|(_, position)| position).collect()
}

/// When to save and when to stop.
pub struct Pace<'a> {
    /// Minimum time between saves.
    pub save_every: Duration,
    /// Whether to stop after the current positions.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// Searches positions, each thinker on its own thread. `tell` is called for each, with the number done.
pub fn think_all(
    growing: &mut GrowingBook,
    positions: &[Position],
    thinkers: &mut [Box<dyn Thinker>],
    pace: &Pace<'_>,
    tell: &(dyn Fn(usize, usize, &Position) + Sync),
) -> Result<usize, ThinkError> {
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let shared = Mutex::new(growing);
    std::thread::scope(|scope| {
        for (number, thinker) in thinkers.iter_mut().enumerate() {
            let (next, done, failed, shared) = (&next, &done, &failed, &shared);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(index) else { return };
                    if (pace.stop)() || lock(failed).is_some() {
                        return;
                    }
                    let outcome = thinker.think(position).map_err(ThinkError::Thinker).and_then(|moves| {
                        let mut growing = lock(shared);
                        if !moves.is_empty() {
                            growing.enter(position, moves)?;
                        }
                        if growing.saved_at.elapsed() >= pace.save_every {
                            growing.save()?;
                        }
                        Ok(())
                    });
                    match outcome {
                        Ok(()) => {
                            let count = done.fetch_add(1, Ordering::Relaxed) + 1;
                            tell(count, number, position);
                        }
                        Err(error) => {
                            lock(failed).get_or_insert(error);
                            return;
                        }
                    }
                }
            });
        }
    });
    match lock(&failed).take() {
        Some(error) => Err(error),
        None => Ok(done.into_inner()),
    }
}

/// A thread that panicked while holding the lock has left no inconsistent state.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The positions to search from lists of games, each for one side; fails if there are none. `complain` receives illegal
/// moves with the number and text of their line.
pub fn positions_of_lists(
    lists: &[(PathBuf, Option<Color>)],
    first: usize,
    last: usize,
    complain: &mut dyn FnMut(u64, &str, &str),
) -> Result<Vec<Position>, ThinkError> {
    let mut positions = Vec::new();
    for (list, side) in lists {
        read_game_lines(list, last, |number, line, game| {
            if let Some(word) = &game.bad_word {
                complain(number, line, word);
            }
            positions.extend(positions_of_game(&game, first, last, *side));
            Ok(())
        })?;
    }
    if positions.is_empty() {
        let games = lists.iter().map(|(list, _)| list.display().to_string()).collect::<Vec<_>>().join(", ");
        return Err(ThinkError::NoPositions { games, first, last });
    }
    Ok(positions)
}

/// Why searching ended.
#[derive(Debug, thiserror::Error)]
pub enum ThinkError {
    /// The book could not be written.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The thinker failed.
    #[error("{0}")]
    Thinker(String),
    /// There is nothing to search.
    #[error("{games}: no game has a position from move {first} to move {last}")]
    NoPositions {
        /// The lists of games.
        games: String,
        /// The first move.
        first: usize,
        /// The last move.
        last: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// Returns the first moves, with the number of the position as value.
    struct Simple;

    impl Thinker for Simple {
        fn think(&mut self, position: &Position) -> Result<Vec<BookMove>, String> {
            let moves = position.legal_moves();
            let value = (position.key() % 100) as i32;
            Ok(moves.iter().take(2).map(|m| BookMove { value, depth: 5, ..BookMove::new(*m) }).collect())
        }
    }

    fn children() -> Vec<Position> {
        let mut position = Position::startpos();
        let moves: Vec<_> = position.legal_moves().iter().copied().collect();
        let after = |m: shogi::Move| {
            position.do_move(m);
            let child = position.clone();
            position.undo_move();
            child
        };
        moves.into_iter().map(after).collect()
    }

    fn run(path: &Path, stop_after: usize, threads: usize) -> usize {
        let mut growing = GrowingBook::open(path, LineEnd::Lf).unwrap();
        let wanted = Wanted { depth: 5, multi_pv: 2, any_depth: false };
        let positions = positions_to_think(children(), growing.book(), wanted, Cluster::default());
        let stop = AtomicBool::new(false);
        let pace = Pace { save_every: Duration::from_mins(15), stop: &|| stop.load(Ordering::Relaxed) };
        let mut thinkers: Vec<Box<dyn Thinker>> = (0..threads).map(|_| Box::new(Simple) as _).collect();
        let tell = |done, _: usize, _: &Position| stop.store(done >= stop_after, Ordering::Relaxed);
        let done = think_all(&mut growing, &positions, &mut thinkers, &pace, &tell).unwrap();
        if stop_after == usize::MAX {
            growing.close().unwrap();
        }
        done
    }

    #[test]
    fn an_interrupted_run_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, parts) = (folder.path().join("a.db"), folder.path().join("b.db"));
        assert_eq!(run(&whole, usize::MAX, 2), 30);
        let mut done = 0;
        while done < 25 {
            // Dropped without saving, as by a killed process.
            done += run(&parts, 5, 1);
        }
        assert!(!parts.exists());
        assert_eq!(run(&parts, usize::MAX, 1), 30 - done);
        assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&parts).unwrap());
        assert_eq!(run(&whole, usize::MAX, 1), 0, "everything is known");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_known_well_enough() {
        let start = Position::startpos();
        let needs = |line: &str, wanted: Wanted| {
            let mut book = Collection::new(Plies::Matter);
            book.insert(&start, BookMove::parse(line.as_bytes()).unwrap());
            wanted.needs(&book, &start)
        };
        let deep = Wanted { depth: 20, multi_pv: 1, any_depth: false };
        let nodes = Wanted { any_depth: true, ..deep };
        for (line, for_depth, for_nodes) in [
            ("7g7f 3c3d 30 9 10", true, false),
            ("7g7f 3c3d 30 20 10", false, false),
            ("7g7f 3c3d 0 24 10", false, false),
            // Played, not searched, whatever the depth column says.
            ("7g7f 3c3d 0 0 500", true, true),
            ("7g7f 3c3d 0 32 500", true, true),
            // A mate ends a search before its depth.
            ("7g7f 3c3d 31995 9 10", false, false),
        ] {
            assert_eq!((needs(line, deep), needs(line, nodes)), (for_depth, for_nodes), "{line}");
            assert!(needs(line, Wanted { multi_pv: 2, ..nodes }), "{line}");
        }
    }

    #[test]
    fn machines_share_the_work() {
        let book = Collection::new(Plies::Matter);
        let wanted = Wanted { depth: 5, multi_pv: 2, any_depth: false };
        let share = |number| positions_to_think(children(), &book, wanted, Cluster { number, of: 3 }).len();
        assert_eq!([share(1), share(2), share(3)], [10, 10, 10]);
    }
}

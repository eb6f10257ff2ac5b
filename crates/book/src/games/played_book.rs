//! Makes a book of the moves played in games.

use crate::error::{At, BookError, LineFault};
use crate::format::bytes::Bytes;
use crate::games::game_lines::{GameLine, LineNumbers, check_beginning, cut_lines, each_line_of};
use crate::grow::collection::{Collection, Plies};
use crate::sort::entry_stream::{EntryStream, decode, encode};
use crate::sort::sorter::{Chunk, SortLimits, Sorted, Sorter};
use crate::{BookMove, Entry};
use platform::workers::in_parallel;
use shogi::Color;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Moves that were played.
///
/// The last move of a game only serves as the reply to the one before. Each move has the number of times it was played
/// and the reply of the last time. A position with several move numbers gets the smallest.
///
/// ```
/// use book::{EntryStream, GameLine, PlayedBook, SortLimits};
/// let mut book = PlayedBook::new(SortLimits::default());
/// for line in ["7g7f 3c3d 2g2f", "startpos moves 7g7f 8c8d"] {
///     book.insert_game(&GameLine::parse(line, 16)?, 16, None)?;
/// }
/// let mut entries = book.into_entries(1)?;
/// entries.next_entry()?;
/// let start = entries.next_entry()?.unwrap();
/// assert_eq!((start.moves[0].count, start.moves[0].reply.unwrap().to_string()), (2, "8c8d".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlayedBook {
    /// The depth to write for all moves.
    depth: i32,
    threads: usize,
    /// Positions by place; those of one place in the order of insertion.
    sorter: Sorter,
    /// Moves of games that were inserted one by one and are not in the sorter yet.
    single_games: Collection,
}

/// Number of positions of single games collected before they go to the sorter.
const MOST_SINGLE: usize = 1 << 18;
/// Bytes of a list that a thread reads at a time.
const LEAST_PIECE: usize = 1 << 16;
const MOST_PIECE: usize = 1 << 20;
/// Approximate bytes of memory per byte of a list.
const MEMORY_A_BYTE: usize = 24;

impl PlayedBook {
    /// An empty book. Moves have depth 0, because nothing was searched.
    #[must_use]
    pub fn new(limits: SortLimits) -> Self {
        let threads = limits.threads.max(1);
        Self { depth: 0, threads, sorter: Sorter::new(limits), single_games: Collection::new(Plies::Matter) }
    }

    /// Sets the depth to write for all moves; YaneuraOu writes [`PLAYED_DEPTH`](crate::PLAYED_DEPTH).
    #[must_use]
    pub fn with_depth(self, depth: i32) -> Self {
        Self { depth, ..self }
    }

    /// Inserts the first moves of a game, or only those of `side`.
    pub fn insert_game(
        &mut self,
        game: &GameLine,
        most: usize,
        side: Option<Color>,
    ) -> Result<(), BookError> {
        Taking { most, side, depth: self.depth }.enter(game, &mut self.single_games);
        if self.single_games.len() >= MOST_SINGLE { self.flush() } else { Ok(()) }
    }

    /// Moves single games to the sorter.
    fn flush(&mut self) -> Result<(), BookError> {
        let games = std::mem::replace(&mut self.single_games, Collection::new(Plies::Matter));
        let size = games.len() * MEMORY_A_BYTE;
        let make = move |chunk: &mut Chunk| {
            push_all(&games, chunk);
            Ok(())
        };
        self.sorter.push_made(size, make).at(&temporary())
    }

    /// Reads a list of games and returns their number. Illegal moves are passed to `complain` and end their game. If a
    /// line is not a game at all, nothing of the list is inserted.
    pub fn insert_list(
        &mut self,
        list: &Path,
        most: usize,
        side: Option<Color>,
        complain: &mut dyn FnMut(u64, &str, &str),
    ) -> Result<u64, BookError> {
        let text = Arc::new(Bytes::map(list)?);
        let step = (text.len() / (8 * self.threads)).clamp(LEAST_PIECE, MOST_PIECE);
        let pieces = cut_lines(&text, step);
        let mut count = 0;
        for counted in in_parallel(&pieces, self.threads, |piece| count_games(&text, piece.clone())) {
            count += counted.map_err(|(at, fault)| {
                let line = LineNumbers::new(&text).number_of(at);
                BookError::Line { path: list.to_owned(), line, fault }
            })?;
        }
        self.flush()?;
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let taking = Taking { most, side, depth: self.depth };
        for piece in pieces {
            let (text, complaints) = (text.clone(), complaints.clone());
            let size = MEMORY_A_BYTE * piece.len();
            let make = move |chunk: &mut Chunk| {
                let mut own = taking.enter_piece(&text, piece, chunk);
                complaints.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
                Ok(())
            };
            self.sorter.push_made(size, make).at(&temporary())?;
        }
        self.sorter.all_well()?;
        let mut complaints = std::mem::take(&mut *complaints.lock().unwrap_or_else(PoisonError::into_inner));
        complaints.sort_unstable_by_key(|complaint: &Complaint| complaint.at);
        let mut numbers = LineNumbers::new(&text);
        for Complaint { at, line, word } in &complaints {
            complain(numbers.number_of(*at), line, word);
        }
        Ok(count)
    }

    /// The positions in the order of text books, their moves in the order of insertion, without moves played less than
    /// `least` times.
    pub fn into_entries(mut self, least: u64) -> Result<PlayedEntries, BookError> {
        self.flush()?;
        Ok(PlayedEntries::new(self.sorter.finish().at(&temporary())?, least))
    }
}

/// The path named in errors about temporary files.
fn temporary() -> PathBuf {
    PathBuf::from("temporary file")
}

/// An illegal move: where its line is, the line, and the word.
struct Complaint {
    at: usize,
    line: String,
    word: String,
}

/// Which moves of games to insert.
#[derive(Clone, Copy)]
struct Taking {
    most: usize,
    side: Option<Color>,
    depth: i32,
}

impl Taking {
    fn enter(self, game: &GameLine, book: &mut Collection) {
        let mut position = game.start.clone();
        for pair in game.moves.windows(2).take(self.most) {
            if self.side.is_none_or(|side| side == position.side()) {
                let m = BookMove { reply: Some(pair[1]), depth: self.depth, ..BookMove::new(pair[0]) };
                book.insert(&position, m);
            }
            position.do_move(pair[0]);
        }
    }

    /// Inserts the games of a part of a list.
    fn enter_piece(self, list: &[u8], piece: Range<usize>, chunk: &mut Chunk) -> Vec<Complaint> {
        let mut book = Collection::new(Plies::Matter);
        let mut complaints = Vec::new();
        let entered = each_line_of(list, piece, |at, line| {
            let game = GameLine::parse(line, self.most.saturating_add(1))?;
            self.enter(&game, &mut book);
            complaints.extend(game.bad_word.map(|word| Complaint { at, line: line.to_owned(), word }));
            Ok(())
        });
        debug_assert!(entered.is_ok(), "count_games has seen all lines");
        push_all(&book, chunk);
        complaints
    }
}

/// Counts the games of a part of a list, or returns the place of a faulty line.
fn count_games(list: &[u8], piece: Range<usize>) -> Result<u64, (usize, LineFault)> {
    let mut count = 0;
    each_line_of(list, piece, |_, line| {
        count += 1;
        Ok(check_beginning(line)?)
    })?;
    Ok(count)
}

fn push_all(book: &Collection, chunk: &mut Chunk) {
    for entry in book.entries() {
        chunk.push(&entry.place, |bytes| encode(entry.ply, &entry.moves, bytes));
    }
}

/// The positions of a [`PlayedBook`].
pub struct PlayedEntries {
    sorted: Sorted,
    least: u64,
    started: bool,
    /// The entry after the current place.
    next: Option<Entry>,
    current: Entry,
}

impl PlayedEntries {
    fn new(sorted: Sorted, least: u64) -> Self {
        Self { sorted, least, started: false, next: None, current: Entry::default() }
    }

    /// Splits the positions into parts for several threads.
    pub(crate) fn split(self) -> Result<Vec<Self>, BookError> {
        let cuts = self.sorted.cuts();
        let parts = self.sorted.split(&cuts).at(&temporary())?;
        Ok(parts.into_iter().map(|part| Self::new(part, self.least)).collect())
    }

    fn read_next(&mut self) -> Result<(), BookError> {
        self.next = self.sorted.next_record().at(&temporary())?.map(|(place, payload)| {
            let mut entry = Entry::default();
            decode(place, payload, &mut entry);
            entry
        });
        Ok(())
    }
}

impl EntryStream for PlayedEntries {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        if !std::mem::replace(&mut self.started, true) {
            self.read_next()?;
        }
        while let Some(first) = self.next.take() {
            let mut all = vec![first];
            self.read_next()?;
            while let Some(same) = self.next.take_if(|next| next.place == all[0].place) {
                all.push(same);
                self.read_next()?;
            }
            if let Some(entry) = reduce(all, self.least) {
                self.current = entry;
                return Ok(Some(&self.current));
            }
        }
        Ok(None)
    }
}

/// Merges what was played in a position: at the smallest move number whose moves were played often enough.
fn reduce(mut all: Vec<Entry>, least: u64) -> Option<Entry> {
    all.sort_by_key(|entry| entry.ply);
    all.chunk_by_mut(|a, b| a.ply == b.ply).find_map(|same_ply| {
        let (first, later) = same_ply.split_first_mut()?;
        for later in later {
            first.absorb(later);
        }
        first.moves.retain(|m| m.count >= least);
        (!first.moves.is_empty()).then(|| std::mem::take(first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entries, EntrySorter, LineEnd, WorkOptions, write_played};
    use platform::Random;
    use shogi::Position;

    const DEPTH: i32 = 7;

    /// The simple reference: inserts a list game by game; returns how many games ended with an illegal move.
    fn one_by_one(book: &mut Collection, text: &str, most: usize, side: Option<Color>) -> usize {
        let mut bad = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let game = GameLine::parse(line, most + 1).unwrap();
            bad += usize::from(game.bad_word.is_some());
            let mut position = game.start;
            for pair in game.moves.windows(2).take(most) {
                if side.is_none_or(|side| side == position.side()) {
                    let m = BookMove { reply: Some(pair[1]), depth: DEPTH, ..BookMove::new(pair[0]) };
                    book.insert(&position, m);
                }
                position.do_move(pair[0]);
            }
        }
        bad
    }

    /// The entries, sorted.
    fn sorted(book: &Collection, least: u64) -> Vec<Entry> {
        let frequent = book.entries().filter_map(|mut entry| {
            entry.moves.retain(|m| m.count >= least);
            Some(entry).filter(|entry| !entry.moves.is_empty())
        });
        let mut sorter = EntrySorter::new(SortLimits::default());
        sorter.push_all(&mut Entries::new(frequent), Path::new("memory")).unwrap();
        all_of(&mut sorter.finish().unwrap())
    }

    fn all_of(stream: &mut impl EntryStream) -> Vec<Entry> {
        let mut all = Vec::new();
        while let Some(entry) = stream.next_entry().unwrap() {
            all.push(entry.clone());
        }
        all
    }

    /// Games with common beginnings, several kinds of line beginnings, and some ends.
    fn random_list(games: u32) -> String {
        let starts = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 999995",
            "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2P9p 7",
        ];
        let mut random = Random::new(7);
        let mut text = String::from("# games\n");
        for number in 0..games {
            let mut position = Position::startpos();
            text.push_str(match number % 5 {
                0 => "startpos moves",
                1 => "",
                2 => "position startpos moves",
                3 => "moves",
                _ if number % 10 == 4 => "sfen ",
                _ => "",
            });
            if number % 5 == 4 {
                let start = starts[(random.next() % 4) as usize];
                position = Position::from_sfen(start).unwrap();
                text.push_str(start);
                text.push_str(" moves");
            }
            for _ in 0..number % 13 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Only a few different moves.
                let m = moves[(random.next() % 3.min(moves.len() as u64)) as usize];
                text.extend([" ", &m.to_string()]);
                position.do_move(m);
            }
            text.push_str(match number % 11 {
                0 => " resign",
                1 => " 1a1b",
                2 => " nonsense 7g7f",
                _ => "",
            });
            text.push_str(if number % 3 == 0 { "\r\n" } else { "\n" });
        }
        text
    }

    #[test]
    fn lists_are_entered_as_one_game_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let [list, out] = ["games.sfen", "out.db"].map(|name| folder.path().join(name));
        let mut text = random_list(6000);
        std::fs::write(&list, &text).unwrap();
        let games = text.lines().skip(1).filter(|line| !line.trim().is_empty()).count() as u64;
        for (most, side, least, threads) in [
            (8, None, 1, 2),
            (5, Some(Color::White), 2, 1),
            (20, Some(Color::Black), 0, 3),
            (20, None, 3, 2),
            (0, None, 1, 2),
        ] {
            let limits = SortLimits { threads, ..SortLimits::default() };
            let mut bad = 0;
            let mut complain = |number: u64, line: &str, word: &str| {
                assert_eq!(text.lines().nth(number as usize - 1).map(str::trim_end), Some(line));
                assert!(line.contains(word));
                bad += 1;
            };
            let mut book = PlayedBook::new(limits.clone()).with_depth(DEPTH);
            assert_eq!(book.insert_list(&list, most, side, &mut complain).unwrap(), games);
            let mut plain = Collection::new(Plies::Matter);
            assert_eq!(bad, one_by_one(&mut plain, &text, most, side));
            let mut expected = sorted(&plain, least);
            let mut entries = book.into_entries(least).unwrap();
            assert_eq!(all_of(&mut entries), expected);
            let mut again = PlayedBook::new(limits).with_depth(DEPTH);
            again.insert_list(&list, most, side, &mut |_, _, _| ()).unwrap();
            let options = WorkOptions { line_end: LineEnd::Lf, ..WorkOptions::default() };
            assert_eq!(write_played(&out, again, least, &options).unwrap(), expected.len() as u64);
            let mut written = crate::DbReader::open(&out, crate::Problems::stop()).unwrap();
            expected.iter_mut().for_each(Entry::sort);
            assert!(all_of(&mut written) == expected, "{most} {side:?} {least}");
        }
        text.push_str("sfen nonsense\n");
        std::fs::write(&list, &text).unwrap();
        let error = PlayedBook::new(SortLimits::default()).insert_list(&list, 9, None, &mut |_, _, _| ());
        let expected = format!("games.sfen:{}: expected a position", text.lines().count());
        assert!(error.unwrap_err().to_string().contains(&expected));
    }

    #[test]
    fn lists_and_games_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("games.sfen");
        let (first, second) = (random_list(4000), random_list(900));
        std::fs::write(&list, &second).unwrap();
        for single_first in [true, false] {
            let mut book = PlayedBook::new(SortLimits::default()).with_depth(DEPTH);
            let single = |book: &mut PlayedBook| {
                for line in first.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                    book.insert_game(&GameLine::parse(line, 9).unwrap(), 8, Some(Color::Black)).unwrap();
                }
            };
            let as_list = |book: &mut PlayedBook| {
                for side in Color::ALL {
                    book.insert_list(&list, 8, Some(side), &mut |_, _, _| ()).unwrap();
                }
            };
            if single_first {
                single(&mut book);
                as_list(&mut book);
            } else {
                as_list(&mut book);
                single(&mut book);
            }
            let mut plain = Collection::new(Plies::Matter);
            if single_first {
                one_by_one(&mut plain, &first, 8, Some(Color::Black));
            }
            for side in Color::ALL {
                one_by_one(&mut plain, &second, 8, Some(side));
            }
            if !single_first {
                one_by_one(&mut plain, &first, 8, Some(Color::Black));
            }
            assert!(all_of(&mut book.into_entries(1).unwrap()) == sorted(&plain, 1), "{single_first}");
        }
    }
}

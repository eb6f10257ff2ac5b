//! A book of moves that were played: games in, text book out.

use crate::bytes::Bytes;
use crate::db::push_position;
use crate::error::{At, BookError};
use crate::game_lines::{GameLine, LineNumbers};
use crate::game_list::GameList;
use crate::game_walk::{Entering, GameWalk, Taking};
use crate::lock::create_book;
use crate::played_records::{Played, PlayedBoxes, SortedBox};
use crate::slips::Boxes;
use crate::stream::EntryStream;
use crate::usi_bytes::Line;
use crate::{BookMove, Entry, HEADER, LineEnd};
use platform::workers::{Pool, write_in_order};
use shogi::Color;
use std::cmp::Reverse;
use std::io::Write;
use std::path::Path;

/// Moves that were played, some 130 bytes for each position of one move.
///
/// The last move of a game is only the reply to the one before it. Each move counts how often it was played, and has
/// the reply of the last time. A position that was met with several move numbers is in the book with the smallest.
///
/// ```
/// use book::{EntryStream, GameLine, PlayedBook};
/// let mut book = PlayedBook::new(2);
/// for line in ["7g7f 3c3d 2g2f", "startpos moves 7g7f 8c8d"] {
///     book.insert_game(&GameLine::parse(line, 16)?, 16, None);
/// }
/// let mut entries = book.entries(1);
/// entries.next_entry()?;
/// let start = entries.next_entry()?.unwrap();
/// assert_eq!((start.moves[0].count, start.moves[0].reply.unwrap().to_string()), (2, "8c8d".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlayedBook {
    threads: usize,
    /// What the book says of the depth of all moves.
    depth: i32,
    boxes: Boxes,
    /// One for each thread; the first also takes single games.
    walks: Vec<GameWalk>,
    /// When the next game begins: a number that grows with every byte or move.
    time: u64,
}

/// Single games say nothing about those to come; after so many moves there are boxes for them.
const FIRST_MOVES: u64 = 1 << 12;
const BOXES_OF_SINGLE_GAMES: usize = 1 << 8;

impl PlayedBook {
    /// An empty book; lists are read and files are written on so many threads. Moves have depth 0, as nothing was
    /// searched.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let threads = threads.max(1);
        Self { threads, depth: 0, boxes: Boxes::new(Vec::new(), 1), walks: vec![GameWalk::new(1)], time: 0 }
    }

    /// Says of all moves that they have this depth; the reference program says [`PLAYED_DEPTH`](crate::PLAYED_DEPTH).
    #[must_use]
    pub fn with_depth(self, depth: i32) -> Self {
        Self { depth, ..self }
    }

    /// Enters the first moves of a game, those of `side` only if one is given.
    pub fn insert_game(&mut self, game: &GameLine, most: usize, side: Option<Color>) {
        let entering = Entering { taking: Taking { most, side }, boxes: &self.boxes };
        let walk = &mut self.walks[0];
        walk.begin(&game.start, entering);
        walk.enter_moves(&game.moves, self.time, entering);
        walk.go_back(0, entering);
        self.time += game.moves.len() as u64;
        if self.boxes.count() == 1 && self.time > FIRST_MOVES {
            let boxes = Boxes::new(self.walks[0].filled.windows(), BOXES_OF_SINGLE_GAMES);
            self.set_boxes(boxes);
        }
    }

    /// Puts everything from the only box into others.
    fn set_boxes(&mut self, boxes: Boxes) {
        self.walks.iter_mut().for_each(|walk| walk.spread(&boxes));
        self.boxes = boxes;
    }

    /// Reads a list of games and tells how many they were. `complain` hears of moves that are none; they end their
    /// game. Nothing of a list with a line that is no game at all is entered.
    pub fn insert_list(
        &mut self,
        list: &Path,
        most: usize,
        side: Option<Color>,
        complain: &mut dyn FnMut(u64, &str, &str),
    ) -> Result<u64, BookError> {
        let text = Bytes::map(list)?;
        let taking = Taking { most, side };
        let games = GameList::new(&text, self.threads);
        let mut numbers = LineNumbers::new(&text);
        if let Some((at, fault)) = games.fault {
            let line = numbers.number_of(at);
            return Err(BookError::Line { path: list.to_owned(), line, fault });
        }
        if self.boxes.count() == 1 {
            self.set_boxes(games.boxes_for_positions(taking));
        }
        self.walks.resize_with(self.threads, || GameWalk::new(self.boxes.count()));
        let complaints = games.enter(&mut self.walks, self.time, Entering { taking, boxes: &self.boxes });
        self.time += text.len() as u64;
        for complaint in &complaints {
            complain(numbers.number_of(complaint.at), &complaint.line, &complaint.word);
        }
        Ok(games.count())
    }

    /// The positions in the order of text books, their moves in the order of their coming, without those that were played
    /// less often than `least`.
    #[must_use]
    pub fn entries(&self, least: u64) -> PlayedEntries<'_> {
        PlayedEntries {
            book: self,
            least,
            next_box: 0,
            ready: Vec::new().into_iter(),
            current: Entry::default(),
        }
    }

    /// Writes a text book, without moves that were played less often than `least`; tells how many positions that left.
    pub fn write_db(&self, output: &Path, least: u64, line_end: LineEnd) -> Result<u64, BookError> {
        let keys = Pool::<Vec<u128>>::default();
        let filled: Vec<&PlayedBoxes> = self.walks.iter().map(|walk| &walk.filled).collect();
        let render = |number: usize, text: &mut Vec<u8>| {
            let mut written = 0u64;
            let mut moves = Vec::new();
            let sorted = SortedBox::new(&filled, &self.boxes, number, keys.take());
            sorted.each_position(|rest, played| {
                if let [one] = played {
                    let often = u64::from(one.count) >= least;
                    written += u64::from(often);
                    if often {
                        push_single(text, [sorted.common(), rest], one, self.depth, line_end);
                    }
                } else if let Some(ply) = reduce(played, least, self.depth, &mut moves) {
                    moves.sort_by_key(|m| Reverse(m.count));
                    push_position(
                        text,
                        &[sorted.common(), rest].concat(),
                        ply,
                        &moves,
                        line_end,
                        BookMove::write,
                    );
                    written += 1;
                }
            });
            keys.give(sorted.into_keys());
            Some(written)
        };
        let mut file = create_book(output)?;
        file.write_all(HEADER.as_bytes()).and_then(|()| file.write_all(line_end.bytes())).at(output)?;
        let written = write_in_order(&mut file, self.boxes.count(), self.threads, render).at(output)?;
        file.commit()?;
        Ok(written.unwrap_or_default().into_iter().sum())
    }
}

/// Puts together what was played in a position, moves in the order of their coming, and tells its move number: the
/// smallest with moves that were played often enough.
fn reduce(played: &mut [Played], least: u64, depth: i32, moves: &mut Vec<BookMove>) -> Option<u32> {
    moves.clear();
    played.sort_unstable_by_key(|one| (one.ply, one.play.bits(), one.last));
    for same_ply in played.chunk_by_mut(|a, b| a.ply == b.ply) {
        // The first of each move takes in the others.
        let mut kept = 0;
        for i in 0..same_ply.len() {
            let one = same_ply[i];
            let united = match same_ply[..kept].last() {
                Some(before) if before.play == one.play => {
                    kept -= 1;
                    let count = before.count.saturating_add(one.count);
                    Played { count, first: before.first.min(one.first), ..one }
                }
                _ => one,
            };
            same_ply[kept] = united;
            kept += 1;
        }
        let often = &mut same_ply[..kept];
        often.sort_unstable_by_key(|one| one.first);
        let frequent = often.iter().filter(|one| u64::from(one.count) >= least);
        moves.extend(frequent.map(|one| book_move(one, depth)));
        if !moves.is_empty() {
            return same_ply.first().map(|one| one.ply);
        }
    }
    None
}

/// Appends a position with one move, as most are. Its place is in two parts.
fn push_single(text: &mut Vec<u8>, place: [&[u8]; 2], played: &Played, depth: i32, line_end: LineEnd) {
    let mut rest = Line::new();
    rest.push(b' ');
    rest.push_number(played.ply.into());
    rest.push_all(line_end.bytes());
    rest.push_move(Some(played.play));
    rest.push(b' ');
    rest.push_move(Some(played.reply));
    rest.push_padded(*NO_VALUE, NO_VALUE.len());
    rest.push_number(depth.into());
    rest.push(b' ');
    rest.push_number(played.count.into());
    rest.push_all(line_end.bytes());
    text.extend_from_slice(b"sfen ");
    for part in place {
        text.extend_from_slice(part);
    }
    rest.append_to(text);
}

/// The value of all moves.
const NO_VALUE: &[u8; 3] = b" 0 ";

fn book_move(played: &Played, depth: i32) -> BookMove {
    BookMove { reply: Some(played.reply), depth, count: played.count.into(), ..BookMove::new(played.play) }
}

/// The positions of a [`PlayedBook`].
pub struct PlayedEntries<'a> {
    book: &'a PlayedBook,
    least: u64,
    next_box: usize,
    ready: std::vec::IntoIter<Entry>,
    current: Entry,
}

impl EntryStream for PlayedEntries<'_> {
    fn next_entry(&mut self) -> Result<Option<&Entry>, BookError> {
        loop {
            if let Some(entry) = self.ready.next() {
                self.current = entry;
                return Ok(Some(&self.current));
            }
            if self.next_box == self.book.boxes.count() {
                return Ok(None);
            }
            let filled: Vec<&PlayedBoxes> = self.book.walks.iter().map(|walk| &walk.filled).collect();
            let mut ready = Vec::new();
            let sorted = SortedBox::new(&filled, &self.book.boxes, self.next_box, Vec::new());
            sorted.each_position(|rest, played| {
                let mut entry = Entry { place: [sorted.common(), rest].concat(), ..Entry::default() };
                if let Some(ply) = reduce(played, self.least, self.book.depth, &mut entry.moves) {
                    ready.push(Entry { ply, ..entry });
                }
            });
            self.ready = ready.into_iter();
            self.next_box += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Collection, Entries, EntrySorter, Plies, SortLimits};
    use platform::Random;
    use shogi::Position;

    const DEPTH: i32 = 7;

    /// A list game by game into a growing book, as slow as it is plain; tells how many games ended badly.
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

    /// Its entries, sorted.
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

    /// Games that have much in common, begin in many ways and end in some.
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
                // A few moves only.
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
            let mut bad = 0;
            let mut complain = |number: u64, line: &str, word: &str| {
                assert_eq!(text.lines().nth(number as usize - 1).map(str::trim_end), Some(line));
                assert!(line.contains(word));
                bad += 1;
            };
            let mut book = PlayedBook::new(threads).with_depth(DEPTH);
            assert_eq!(book.insert_list(&list, most, side, &mut complain).unwrap(), games);
            let mut plain = Collection::new(Plies::Matter);
            assert_eq!(bad, one_by_one(&mut plain, &text, most, side));
            let mut expected = sorted(&plain, least);
            assert_eq!(all_of(&mut book.entries(least)), expected);
            assert_eq!(book.write_db(&out, least, LineEnd::Lf).unwrap(), expected.len() as u64);
            let mut written = crate::DbReader::open(&out, crate::Problems::stop()).unwrap();
            expected.iter_mut().for_each(Entry::sort);
            assert!(all_of(&mut written) == expected, "{most} {side:?} {least}");
        }
        text.push_str("sfen nonsense\n");
        std::fs::write(&list, &text).unwrap();
        let error = PlayedBook::new(2).insert_list(&list, 9, None, &mut |_, _, _| ());
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
            let mut book = PlayedBook::new(2).with_depth(DEPTH);
            let single = |book: &mut PlayedBook| {
                for line in first.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                    book.insert_game(&GameLine::parse(line, 9).unwrap(), 8, Some(Color::Black));
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
            assert!(all_of(&mut book.entries(1)) == sorted(&plain, 1), "{single_first}");
        }
    }
}

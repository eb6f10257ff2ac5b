//! A book from games (`from_sfen`).

use crate::board_text::Speller;
use crate::bytes::Bytes;
use crate::collection::Described;
use crate::error::LineFault;
use crate::game_lines::{ENDS, each_game_line};
use crate::parallel::in_parallel;
use crate::usi_bytes::parse_move;
use crate::{BookError, BookMove, Collection, GameLine};
use shogi::{Color, Move, Position};
use std::ops::Range;
use std::path::Path;

/// What the reference program says of moves that were played, not searched.
const DEPTH: i32 = 32;

/// Enters the first moves of a game: each with the reply that was played, so the last move is only a reply. Only
/// those of `side`, if one is given.
pub fn insert_game(book: &mut Collection, game: &mut GameLine, most: usize, side: Option<Color>) {
    let position = &mut game.start;
    let pairs = game.moves.windows(2).take(most);
    let played = pairs.len();
    for pair in pairs {
        if side.is_none_or(|side| side == position.side()) {
            let m = BookMove { reply: Some(pair[1]), depth: DEPTH, ..BookMove::new(pair[0]) };
            book.insert(position, m);
        }
        position.do_move(pair[0]);
    }
    for _ in 0..played {
        position.undo_move();
    }
}

/// Reads a list of games into a book, on several threads, and tells how many they were. `complain` hears of moves that
/// are none; they end their game.
pub fn insert_games(
    book: &mut Collection,
    list: &Path,
    most: usize,
    side: Option<Color>,
    complain: &mut dyn FnMut(u64, &str, &str),
) -> Result<u64, BookError> {
    let text = Bytes::map(list)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pieces = cut_lines(&text, (text.len() / threads + 1).max(LEAST_PIECE));
    let read = in_parallel(&pieces, threads, |piece| {
        let room = piece.len() / BYTES_A_POSITION;
        // The first takes in the others in the end.
        let book = book.another(if piece.start == 0 { text.len() / BYTES_A_POSITION } else { room });
        let mut part = Part { book, games: 0, complaints: Vec::new(), lines: Ok(0) };
        let mut tree = Tree::new(most, side, room);
        let each = |number: u64, line: &str| {
            part.games += 1;
            match tree.enter(&mut part.book, line) {
                Ok(None) => {}
                Ok(Some(word)) => part.complaints.push((number, line.to_owned(), word)),
                Err(error) => return Err(error),
            }
            Ok(())
        };
        let lines = each_game_line(&text[piece.clone()], list, each);
        Part { lines, ..part }
    });
    let (mut games, mut lines) = (0, 0);
    for part in read {
        for (number, line, word) in &part.complaints {
            complain(lines + number, line, word);
        }
        lines += part.lines.map_err(|error| match error {
            BookError::Line { path, line, fault } => BookError::Line { path, line: lines + line, fault },
            other => other,
        })?;
        games += part.games;
        if book.is_empty() {
            *book = part.book;
        } else {
            book.absorb(&part.book);
        }
    }
    Ok(games)
}

/// What one thread reads.
struct Part {
    book: Collection,
    games: u64,
    /// Line, its text and the word that is no move.
    complaints: Vec<(u64, String, String)>,
    /// How many lines there were, or what was wrong with one.
    lines: Result<u64, BookError>,
}

/// Of a list in which games have much in common.
const BYTES_A_POSITION: usize = 16;

/// Smaller pieces of a list are not worth a thread.
const LEAST_PIECE: usize = 1 << 16;

/// Pieces of about `step` bytes that end with lines.
fn cut_lines(text: &[u8], step: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    while begin < text.len() {
        let from = (begin + step).min(text.len());
        let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1);
        pieces.push(begin..end);
        begin = end;
    }
    pieces
}

/// The games of a list as a tree, so that what many of them share is played and judged once.
struct Tree {
    most: usize,
    side: Option<Color>,
    nodes: Vec<Node>,
    /// Where the last new node was, with the moves that led there.
    position: Position,
    played: Vec<Move>,
    /// Moves of the game.
    moves: Vec<Move>,
    speller: Speller,
    place: Vec<u8>,
}

/// What a move leads to.
#[derive(Clone, Copy)]
struct Node {
    play: u16,
    /// The first of the nodes behind this one, and the next behind the same.
    first: u32,
    next: u32,
    /// The number of its position in the book, once it is there.
    number: u32,
}

/// The start position, and whoever is not there: it is nobody's next.
const ROOT: u32 = 0;
const NO_NUMBER: u32 = u32::MAX;

impl Node {
    fn new(play: u16, next: u32) -> Self {
        Self { play, first: ROOT, next, number: NO_NUMBER }
    }
}

impl Tree {
    fn new(most: usize, side: Option<Color>, room: usize) -> Self {
        let mut nodes = Vec::with_capacity(room);
        nodes.push(Node::new(0, ROOT));
        Self {
            most,
            side,
            nodes,
            position: Position::startpos(),
            played: Vec::new(),
            moves: Vec::new(),
            speller: Speller::new(),
            place: Vec::new(),
        }
    }

    /// The node that a move leads to.
    fn find(&self, node: u32, m: Move) -> Option<u32> {
        let mut next = self.nodes[node as usize].first;
        while next != ROOT {
            let node = &self.nodes[next as usize];
            if node.play == m.bits() {
                return Some(next);
            }
            next = node.next;
        }
        None
    }

    fn insert(&mut self, node: u32, m: Move) -> u32 {
        let new = self.nodes.len() as u32;
        let first = std::mem::replace(&mut self.nodes[node as usize].first, new);
        self.nodes.push(Node::new(m.bits(), first));
        new
    }

    /// Brings the position to where the game is.
    fn catch_up(&mut self) {
        let same = self.played.iter().zip(&self.moves).take_while(|(played, m)| played == m).count();
        for _ in same..self.played.len() {
            self.position.undo_move();
        }
        self.played.truncate(same);
        for m in &self.moves[same..] {
            self.position.do_move(*m);
            self.played.push(*m);
        }
    }

    /// Enters a game and tells the word that is no move, if one ended it.
    fn enter(&mut self, book: &mut Collection, line: &str) -> Result<Option<String>, LineFault> {
        let Some(words) = from_the_start(line) else {
            let mut game = GameLine::parse(line, self.most + 1)?;
            insert_game(book, &mut game, self.most, self.side);
            return Ok(game.bad_word);
        };
        self.moves.clear();
        let mut node = ROOT;
        // The node before the last move, and its position where the book does not have it yet.
        let mut before: Option<(u32, Option<Described>)> = None;
        for word in words.split_ascii_whitespace().take(self.most + 1) {
            let m = parse_move(word.as_bytes()).ok().flatten();
            let known = m.and_then(|m| self.find(node, m));
            if known.is_none() {
                self.catch_up();
            }
            let Some(m) = m.filter(|m| known.is_some() || self.position.is_legal(*m)) else {
                let bad = !ENDS.contains(&word);
                return Ok(bad.then(|| word.chars().take(40).collect()));
            };
            if let Some((before, described)) = before
                && let Some(last) = self.moves.last()
            {
                let entered = BookMove { reply: Some(m), depth: DEPTH, ..BookMove::new(*last) };
                let number = &mut self.nodes[before as usize].number;
                if let Some(place) = described {
                    *number = book.insert_described(place, &self.place, entered);
                } else {
                    book.insert_at(*number, entered);
                }
            }
            let wanted = self.side.is_none_or(|side| (side == Color::White) == (self.moves.len() % 2 == 1));
            before = wanted.then(|| {
                let missing = self.nodes[node as usize].number == NO_NUMBER;
                if missing {
                    self.catch_up();
                }
                (node, missing.then(|| book.describe(&self.position, &mut self.speller, &mut self.place)))
            });
            node = known.unwrap_or_else(|| self.insert(node, m));
            self.moves.push(m);
        }
        Ok(None)
    }
}

/// The moves of a line that begins at the start position.
fn from_the_start(line: &str) -> Option<&str> {
    let line = line.strip_prefix("position ").unwrap_or(line);
    let line = line.strip_prefix("startpos ").unwrap_or(line);
    let moves = line.strip_prefix("moves ").unwrap_or(line);
    // A bare SFEN begins with a longer word.
    let word = moves.split_ascii_whitespace().next().unwrap_or_default();
    matches!(parse_move(word.as_bytes()), Ok(Some(_))).then_some(moves)
}

/// The positions of a game that are to be thought about: from the `first`th to the `last`th, those of `side` only if
/// one is given. A game that is shorter gives its last position, too, unless it ends with a word.
#[must_use]
pub fn positions_of_game(game: &GameLine, first: usize, last: usize, side: Option<Color>) -> Vec<Position> {
    let mut position = game.start.clone();
    let mut positions = Vec::new();
    for m in game.moves.iter().take(last) {
        positions.push(position.clone());
        position.do_move(*m);
    }
    if game.moves.len() < last && game.bad_word.is_none() && !game.resigned {
        positions.push(position);
    }
    let wanted = |position: &Position| side.is_none_or(|side| side == position.side());
    positions.into_iter().skip(first.saturating_sub(1)).filter(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Plies};

    /// The list game by game, as it was done before there was a tree.
    fn one_by_one(text: &str, most: usize, side: Option<Color>) -> (Vec<Entry>, usize) {
        let mut book = Collection::new(Plies::Matter);
        let mut bad = 0;
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let mut game = GameLine::parse(line, most + 1).unwrap();
            bad += usize::from(game.bad_word.is_some());
            insert_game(&mut book, &mut game, most, side);
        }
        (book.entries().collect(), bad)
    }

    #[test]
    fn lists_are_entered_as_one_game_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("games.sfen");
        let mut random = crate::Random::new(7);
        let mut text = String::from("# games\n");
        for number in 0..3000u32 {
            let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
            let mut position = Position::startpos();
            text.push_str(match number % 5 {
                0 => "startpos moves",
                1 => "",
                2 => "position startpos moves",
                3 => "moves",
                _ => "sfen ",
            });
            if number % 5 == 4 {
                text.push_str(start);
                text.push_str(" moves");
            }
            for _ in 0..number % 13 {
                let moves = position.legal_moves();
                // A few moves only, so that games have much in common.
                let m = moves[(random.bits() % 3.min(moves.len() as u64)) as usize];
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
        std::fs::write(&list, &text).unwrap();
        for (most, side) in [(8, None), (5, Some(Color::White)), (20, Some(Color::Black)), (0, None)] {
            let mut book = Collection::new(Plies::Matter);
            let mut bad = 0;
            let mut complain = |number: u64, line: &str, word: &str| {
                assert_eq!(text.lines().nth(number as usize - 1).map(str::trim_end), Some(line));
                assert!(line.contains(word));
                bad += 1;
            };
            insert_games(&mut book, &list, most, side, &mut complain).unwrap();
            let expected = one_by_one(&text, most, side);
            assert_eq!(book.entries().count(), expected.0.len());
            assert!(book.entries().eq(expected.0), "{most} {side:?}");
            assert_eq!(bad, expected.1);
        }
        text.push_str("sfen nonsense\n");
        std::fs::write(&list, &text).unwrap();
        let error = insert_games(&mut Collection::new(Plies::Matter), &list, 9, None, &mut |_, _, _| ());
        let expected = format!("games.sfen:{}: expected a position", text.lines().count());
        assert!(error.unwrap_err().to_string().contains(&expected));
    }

    #[test]
    fn which_positions_are_thought_about() {
        let plies = |line: &str, first, last, side| -> Vec<u32> {
            let game = GameLine::parse(line, last).unwrap();
            positions_of_game(&game, first, last, side).iter().map(Position::ply).collect()
        };
        assert_eq!(plies("7g7f 3c3d 2g2f", 1, 16, None), [1, 2, 3, 4]);
        assert_eq!(plies("7g7f 3c3d 2g2f", 1, 3, None), [1, 2, 3]);
        assert_eq!(plies("7g7f 3c3d 2g2f", 2, 2, None), [2]);
        assert_eq!(plies("7g7f 3c3d resign", 1, 9, None), [1, 2]);
        assert_eq!(plies("7g7f 3c3d 2g2f", 1, 16, Some(Color::White)), [2, 4]);
    }
}

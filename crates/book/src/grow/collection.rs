//! A growing book in memory, for making books from games, searches and trees.

use crate::Entry;
use crate::error::BookError;
use crate::format::board_text::push_place;
use crate::format::book_move::BookMove;
use crate::grow::key_table::KeyTable;
use crate::sort::entry_stream::EntryStream;
use shogi::{Move, Position};

/// Whether positions with different move numbers are different.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Plies {
    /// They are different (`IgnoreBookPly` false).
    #[default]
    Matter,
    /// They are the same (`IgnoreBookPly` true).
    Ignored,
}

/// Positions and moves; some 150 bytes for each position with one move.
///
/// ```
/// use book::{BookMove, Collection, Plies};
/// use shogi::Position;
/// let mut book = Collection::new(Plies::Matter);
/// let start = Position::startpos();
/// book.insert(&start, BookMove::new("7g7f".parse().unwrap()));
/// book.insert(&start, BookMove::new("7g7f".parse().unwrap()));
/// assert_eq!(book.find(&start).unwrap().moves[0].count, 2);
/// ```
pub struct Collection {
    plies: Plies,
    table: KeyTable,
    room: usize,
    keys: Vec<u128>,
    records: Vec<Record>,
    /// The places of all positions, concatenated.
    places: Vec<u8>,
    moves: Vec<Link>,
}

struct Record {
    place: u64,
    length: u16,
    ply: u32,
    first: u32,
}

/// A move, and the index of the next one of the same position.
struct Link {
    next: u32,
    play: Option<Move>,
    reply: Option<Move>,
    value: i32,
    depth: i32,
    count: u64,
}

const NONE: u32 = u32::MAX;
const FIRST_ROOM: usize = 1 << 10;
/// The size reserved per place; most are shorter.
const PLACE: usize = 72;

impl Link {
    fn get(&self) -> BookMove {
        BookMove {
            play: self.play,
            reply: self.reply,
            value: self.value,
            depth: self.depth,
            count: self.count,
        }
    }

    fn set(&mut self, m: BookMove) {
        let BookMove { play, reply, value, depth, count } = m;
        *self = Self { next: self.next, play, reply, value, depth, count };
    }
}

impl Collection {
    /// An empty book.
    #[must_use]
    pub fn new(plies: Plies) -> Self {
        Self::with_room(plies, FIRST_ROOM)
    }

    /// An empty book with room for about this many positions.
    fn with_room(plies: Plies, positions: usize) -> Self {
        let room = positions.max(FIRST_ROOM);
        Self {
            plies,
            table: KeyTable::new(room),
            room,
            keys: Vec::with_capacity(room),
            records: Vec::with_capacity(room),
            places: Vec::with_capacity(room * PLACE),
            moves: Vec::with_capacity(room),
        }
    }

    /// Reads a whole book.
    pub fn read(stream: &mut (impl EntryStream + ?Sized), plies: Plies) -> Result<Self, BookError> {
        let mut book = Self::new(plies);
        while let Some(entry) = stream.next_entry()? {
            // Positions that cannot be played can never be looked up.
            let Ok(position) = entry.position() else { continue };
            let number = book.number_of(&position);
            for m in &entry.moves {
                book.insert_at(number, *m);
            }
        }
        Ok(book)
    }

    /// Whether move numbers matter.
    #[must_use]
    pub fn plies(&self) -> Plies {
        self.plies
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    fn key(&self, position: &Position) -> u128 {
        let ply = match self.plies {
            Plies::Matter => u128::from(position.ply()),
            Plies::Ignored => 0,
        };
        // Spread over all bits, so that different move numbers do not collide in the table.
        position.key128() ^ ply.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }

    /// The index of a position, which is created if new.
    fn number_of(&mut self, position: &Position) -> u32 {
        let key = self.key(position);
        self.number_with(key, position.ply(), |places| push_place(places, &position.setup()))
    }

    /// The index of the position with a key; if it is new, `push` appends its place.
    fn number_with(&mut self, key: u128, ply: u32, push: impl FnOnce(&mut Vec<u8>)) -> u32 {
        self.table.find(key, &self.keys).unwrap_or_else(|| self.append(key, ply, push))
    }

    /// Appends a new position.
    fn append(&mut self, key: u128, ply: u32, push: impl FnOnce(&mut Vec<u8>)) -> u32 {
        let number = self.records.len() as u32;
        let begin = self.places.len();
        push(&mut self.places);
        self.records.push(Record {
            place: begin as u64,
            length: (self.places.len() - begin) as u16,
            ply,
            first: NONE,
        });
        self.keys.push(key);
        if self.keys.len() > self.room {
            self.make_room(2 * self.room);
        } else {
            self.table.insert(number, &self.keys);
        }
        number
    }

    fn make_room(&mut self, positions: usize) {
        self.room = positions;
        self.table = KeyTable::new(self.room);
        (0..self.keys.len() as u32).for_each(|number| self.table.insert(number, &self.keys));
    }

    fn links(&self, number: u32) -> impl Iterator<Item = &Link> {
        let mut next = self.records[number as usize].first;
        std::iter::from_fn(move || {
            let link = self.moves.get(next as usize)?;
            next = link.next;
            Some(link)
        })
    }

    /// Adds a move. An existing one is replaced, and the counts are added.
    pub fn insert(&mut self, position: &Position, m: BookMove) {
        let number = self.number_of(position);
        self.insert_at(number, m);
    }

    pub(crate) fn insert_at(&mut self, number: u32, m: BookMove) {
        let mut last = NONE;
        let mut next = self.records[number as usize].first;
        while let Some(link) = self.moves.get_mut(next as usize) {
            if link.play == m.play {
                return link.set(BookMove { count: link.count.saturating_add(m.count), ..m });
            }
            (last, next) = (next, link.next);
        }
        let new = self.moves.len() as u32;
        let BookMove { play, reply, value, depth, count } = m;
        self.moves.push(Link { next: NONE, play, reply, value, depth, count });
        match self.moves.get_mut(last as usize) {
            Some(link) => link.next = new,
            None => self.records[number as usize].first = new,
        }
    }

    /// Board, side to move and hands of a position.
    pub(crate) fn place(&self, number: u32) -> &[u8] {
        let record = &self.records[number as usize];
        &self.places[record.place as usize..][..record.length.into()]
    }

    /// Replaces the moves of a position.
    pub fn replace(&mut self, position: &Position, moves: &[BookMove]) {
        let number = self.number_of(position);
        self.records[number as usize].first = NONE;
        for m in moves {
            self.insert_at(number, *m);
        }
    }

    /// Whether the book has moves for a position.
    #[must_use]
    pub fn has(&self, position: &Position) -> bool {
        self.table
            .find(self.key(position), &self.keys)
            .is_some_and(|number| self.records[number as usize].first != NONE)
    }

    /// The position with its moves in the order of insertion, if it has any.
    #[must_use]
    pub fn find(&self, position: &Position) -> Option<Entry> {
        let number = self.table.find(self.key(position), &self.keys)?;
        Some(self.entry(number)).filter(|entry| !entry.moves.is_empty())
    }

    /// The data of one move.
    #[must_use]
    pub fn find_move(&self, position: &Position, play: Move) -> Option<BookMove> {
        let number = self.table.find(self.key(position), &self.keys)?;
        self.links(number).find(|link| link.play == Some(play)).map(Link::get)
    }

    pub(crate) fn entry(&self, number: u32) -> Entry {
        let mut entry = Entry::default();
        self.read_entry(number, &mut entry);
        entry
    }

    /// Reads a position into an entry, reusing its memory.
    pub(crate) fn read_entry(&self, number: u32, entry: &mut Entry) {
        entry.place.clear();
        entry.place.extend_from_slice(self.place(number));
        entry.ply = self.records[number as usize].ply;
        entry.moves.clear();
        entry.moves.extend(self.links(number).map(Link::get));
    }

    /// All positions in the order of insertion.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.records.len() as u32).map(|number| self.entry(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_positions_are_found_again() {
        let mut book = Collection::new(Plies::Ignored);
        let mut position = Position::startpos();
        let mut count = 0;
        for first in &position.clone().legal_moves() {
            position.do_move(first);
            for second in &position.clone().legal_moves() {
                position.do_move(second);
                for third in &position.legal_moves() {
                    book.insert(&position, BookMove::new(third));
                }
                count += 1;
                position.undo_move();
            }
            position.undo_move();
        }
        assert_eq!((book.len(), count), (900, 900));
        assert!(book.entries().all(|entry| book.find(&entry.position().unwrap()) == Some(entry)));
    }

    #[test]
    fn move_numbers_matter_if_they_do() {
        let early = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap();
        let late = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 3").unwrap();
        for (plies, found) in [(Plies::Matter, false), (Plies::Ignored, true)] {
            let mut book = Collection::new(plies);
            book.insert(&early, BookMove::new("P*5e".parse().unwrap()));
            assert!(book.has(&early));
            assert_eq!(book.has(&late), found);
        }
    }

    #[test]
    fn replacing_forgets() {
        let mut book = Collection::new(Plies::Matter);
        let start = Position::startpos();
        for text in ["7g7f", "2g2f"] {
            book.insert(&start, BookMove::new(text.parse().unwrap()));
        }
        let only = BookMove::new("5g5f".parse().unwrap());
        book.replace(&start, &[only]);
        assert_eq!(book.find(&start).unwrap().moves, [only]);
        assert_eq!(book.find_move(&start, "7g7f".parse().unwrap()), None);
    }
}

//! Apery's `book.bin`: moves by the hash key of their position.

use crate::error::{At, BookError};
use crate::format::bytes::Bytes;
use crate::grow::lock::create_book;
use crate::sort::entry_stream::EntryStream;
use crate::sort::sorter::{SortLimits, Sorter};
use crate::{BookMove, Entry, reference_order};
use shogi::{Color, HandPiece, Move, Origin, Piece, PieceKind, Position, Square};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

const RECORD: usize = 16;
/// The depth that YaneuraOu reports for every move of such a book.
const DEPTH: i32 = 256;
/// Number of piece indices: up to 30, colours 16 apart.
const PIECES: usize = 31;
/// Pieces in hand in the order in which their random numbers are generated.
const HAND_ORDER: [HandPiece; 7] = [
    HandPiece::Pawn,
    HandPiece::Lance,
    HandPiece::Knight,
    HandPiece::Silver,
    HandPiece::Gold,
    HandPiece::Bishop,
    HandPiece::Rook,
];
const MOST_IN_HAND: usize = 18;

/// Random numbers of the key, from the standard 64-bit Mersenne twister with its default seed.
struct Numbers {
    pieces: Vec<[u64; Square::COUNT]>,
    hands: [[u64; MOST_IN_HAND + 1]; 7],
    white: u64,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let mut twister = Twister::new(5489);
    let mut pieces = vec![[0; Square::COUNT]; PIECES];
    for row in &mut pieces {
        *row = std::array::from_fn(|_| twister.next());
    }
    // Numbers are also generated for the empty square, but not used.
    pieces[0] = [0; Square::COUNT];
    let hands = std::array::from_fn(|_| std::array::from_fn(|_| twister.next()));
    Numbers { pieces, hands, white: twister.next() }
});

/// MT19937-64.
struct Twister {
    state: [u64; 312],
    index: usize,
}

impl Twister {
    fn new(seed: u64) -> Self {
        let mut state = [seed; 312];
        for i in 1..312 {
            let last: u64 = state[i - 1];
            state[i] = 6_364_136_223_846_793_005u64.wrapping_mul(last ^ last >> 62).wrapping_add(i as u64);
        }
        Self { state, index: 312 }
    }

    fn next(&mut self) -> u64 {
        if self.index == 312 {
            for i in 0..312 {
                let x = self.state[i] & 0xffff_ffff_8000_0000 | self.state[(i + 1) % 312] & 0x7fff_ffff;
                let twist = if x & 1 == 1 { 0xb502_6f5a_a966_19e9 } else { 0 };
                self.state[i] = self.state[(i + 156) % 312] ^ x >> 1 ^ twist;
            }
            self.index = 0;
        }
        let mut x = self.state[self.index];
        self.index += 1;
        x ^= x >> 29 & 0x5555_5555_5555_5555;
        x ^= x << 17 & 0x71d6_7fff_eda6_0000;
        x ^= x << 37 & 0xfff7_eee0_0000_0000;
        x ^ x >> 43
    }
}

/// The hash key of a position in Apery's books. Only the hand of the side to move counts.
#[must_use]
pub fn apery_key(position: &Position) -> u64 {
    board_key(position) ^ side_key(position, position.side())
}

fn board_key(position: &Position) -> u64 {
    let on = |square: Square| position.piece_at(square).map_or(0, |piece| piece_key(piece, square));
    position.occupied().into_iter().fold(0, |key, square| key ^ on(square))
}

fn piece_key(piece: Piece, square: Square) -> u64 {
    let number = kind_number(piece.kind()) + if piece.color() == Color::White { 16 } else { 0 };
    NUMBERS.pieces[number][square.index()]
}

/// The part of the key for the side to move and its hand.
fn side_key(position: &Position, side: Color) -> u64 {
    let hand = position.hand(side);
    let numbers = &*NUMBERS;
    let white = if side == Color::White { numbers.white } else { 0 };
    HAND_ORDER
        .into_iter()
        .zip(&numbers.hands)
        .fold(white, |key, (kind, row)| key ^ row[(hand.count(kind) as usize).min(MOST_IN_HAND)])
}

/// Computes the keys after moves without making them.
struct KeysAfter<'a> {
    position: &'a Position,
    /// The part for the opponent's turn and the board before the move.
    before: u64,
}

impl<'a> KeysAfter<'a> {
    fn new(position: &'a Position) -> Self {
        Self { position, before: board_key(position) ^ side_key(position, !position.side()) }
    }

    fn key(&self, m: Move) -> u64 {
        let us = self.position.side();
        let to = m.to();
        let from = match m.origin() {
            Origin::Hand(piece) => return self.before ^ piece_key(Piece::new(us, piece.kind()), to),
            Origin::Board(from) => from,
        };
        let Some(piece) = self.position.piece_at(from) else { return self.before };
        let promoted = piece.kind().promoted().filter(|_| m.is_promotion());
        let captured = self.position.piece_at(to).map_or(0, |piece| piece_key(piece, to));
        let placed = Piece::new(us, promoted.unwrap_or(piece.kind()));
        self.before ^ piece_key(piece, from) ^ captured ^ piece_key(placed, to)
    }
}

fn kind_number(kind: PieceKind) -> usize {
    let unpromoted = match kind.unpromoted() {
        PieceKind::Pawn => 1,
        PieceKind::Lance => 2,
        PieceKind::Knight => 3,
        PieceKind::Silver => 4,
        PieceKind::Bishop => 5,
        PieceKind::Rook => 6,
        PieceKind::Gold => 7,
        _ => 8,
    };
    if kind.is_promoted() { unpromoted + 8 } else { unpromoted }
}

/// An open `book.bin`.
pub struct AperyBook {
    map: Bytes,
    path: PathBuf,
    /// Indices of the records, sorted by key, if the file itself is not sorted.
    order: Option<Vec<u32>>,
    filter: OnceLock<Filter>,
}

/// A bit set that rules out most keys that are not in the book.
struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    fn new(keys: impl ExactSizeIterator<Item = u64>) -> Self {
        // At most one bit in 32 is set.
        let words = (keys.len() / 2).next_power_of_two();
        let mut filter = Self { bits: vec![0; words] };
        for key in keys {
            let (word, bit) = filter.place(key);
            filter.bits[word] |= bit;
        }
        filter
    }

    fn place(&self, key: u64) -> (usize, u64) {
        ((key >> 6) as usize & (self.bits.len() - 1), 1 << (key % 64))
    }

    fn may_have(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0
    }
}

impl AperyBook {
    /// Opens a file. One that is not sorted by key gets an index.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::new(Bytes::map(path)?, path)
    }

    /// A book from its bytes; `path` is for messages.
    pub fn from_bytes(bytes: Vec<u8>, path: &Path) -> Result<Self, BookError> {
        Self::new(Bytes::Owned(bytes), path)
    }

    fn new(map: Bytes, path: &Path) -> Result<Self, BookError> {
        let length = map.len();
        if length == 0 || !length.is_multiple_of(RECORD) {
            let message = format!("not an Apery book: its {length} bytes are no multiple of {RECORD}");
            return Err(BookError::format(path, message));
        }
        let mut book = Self { map, path: path.to_owned(), order: None, filter: OnceLock::new() };
        let count = book.len();
        if (1..count).any(|i| book.key_at(i - 1) > book.key_at(i)) {
            let count = u32::try_from(count)
                .map_err(|_| BookError::format(path, "an unsorted book of more than 2^32 moves"))?;
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_by_key(|i| book.key_at(*i as usize));
            book.order = Some(order);
        }
        // The format has no signature: a file that is neither sorted nor made of moves is something else.
        let bad = (0..count).filter(|i| book.move_at(*i).play.is_none()).count();
        if bad == count || (!book.is_sorted() && 10 * bad > count) {
            let message = format!("not an Apery book: {bad} of its {count} records have no move");
            return Err(BookError::format(path, message));
        }
        Ok(book)
    }

    /// Whether its records are sorted by key, as this program writes them.
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        self.order.is_none()
    }

    /// Number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.map.len() / RECORD
    }

    /// Whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn key_at(&self, index: usize) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|i| self.map[index * RECORD + i]))
    }

    fn nth(&self, index: usize) -> usize {
        self.order.as_ref().map_or(index, |order| order[index] as usize)
    }

    fn move_at(&self, index: usize) -> BookMove {
        let bytes = &self.map[index * RECORD + 8..][..8];
        BookMove {
            play: Move::from_apery_bits(u16::from_le_bytes([bytes[0], bytes[1]])),
            reply: None,
            value: i32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            depth: DEPTH,
            count: u16::from_le_bytes([bytes[2], bytes[3]]).into(),
        }
    }

    /// The moves for the key of a position, in the order of the file.
    #[must_use]
    pub fn find(&self, position: &Position) -> Vec<BookMove> {
        let key = apery_key(position);
        (self.first_not_before(key)..self.len())
            .map(|i| self.nth(i))
            .take_while(|i| self.key_at(*i) == key)
            .map(|i| self.move_at(i))
            .collect()
    }

    /// The first record with at least this key.
    fn first_not_before(&self, key: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.key_at(self.nth(middle)) < key { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Whether the book has a key; fast, for millions of look-ups.
    fn has(&self, key: u64) -> bool {
        let filter = self.filter.get_or_init(|| Filter::new((0..self.len()).map(|index| self.key_at(index))));
        filter.may_have(key) && {
            let first = self.first_not_before(key);
            first < self.len() && self.key_at(self.nth(first)) == key
        }
    }

    fn distinct_keys(&self) -> usize {
        (0..self.len())
            .filter(|i| *i == 0 || self.key_at(self.nth(*i)) != self.key_at(self.nth(*i - 1)))
            .count()
    }

    /// Finds the positions of the keys by playing from the start position, allowing one position in a row that is not
    /// in the book.
    #[must_use]
    pub fn walk(&self) -> AperyWalk {
        let mut walk = AperyWalk { entries: Vec::new(), seen: HashSet::new(), collisions: 0, unreachable: 0 };
        let mut found = std::collections::HashMap::new();
        let mut position = Position::startpos();
        Walker { book: self, walk: &mut walk, found: &mut found }.search(&mut position);
        let reached: HashSet<u64> =
            walk.entries.iter().filter_map(|e| e.position().ok()).map(|p| apery_key(&p)).collect();
        walk.unreachable = self.distinct_keys() - reached.len().min(self.distinct_keys());
        walk
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The result of searching the positions of an Apery book.
pub struct AperyWalk {
    /// The reachable positions.
    pub entries: Vec<Entry>,
    seen: HashSet<u128>,
    /// Positions whose moves are those of another one with the same key.
    pub collisions: u64,
    /// Keys that were not reached from the start position.
    pub unreachable: usize,
}

struct Walker<'a> {
    book: &'a AperyBook,
    walk: &'a mut AperyWalk,
    /// The first move of each finished position, used as the expected reply.
    found: &'a mut std::collections::HashMap<(u128, u32), Move>,
}

/// A node of the explicit stack, because long lines would overflow the call stack.
struct Step {
    moves: Vec<Move>,
    next: usize,
    listed: Vec<BookMove>,
    left_unlisted: u8,
}

impl Walker<'_> {
    const UNLISTED: u8 = 1;

    fn search(&mut self, position: &mut Position) {
        let mut path: Vec<Step> = self.enter(position, Self::UNLISTED).into_iter().collect();
        while let Some(step) = path.last_mut() {
            if let Some(m) = step.moves.get(step.next).copied() {
                step.next += 1;
                let left = if step.listed.is_empty() { step.left_unlisted - 1 } else { Self::UNLISTED };
                position.do_move(m);
                match self.enter(position, left) {
                    Some(step) => path.push(step),
                    None => position.undo_move(),
                }
                continue;
            }
            let listed = std::mem::take(&mut step.listed);
            path.pop();
            self.leave(position, listed);
            if !path.is_empty() {
                position.undo_move();
            }
        }
    }

    /// Visits a position for the first time; `None` if there is nothing to search below it.
    fn enter(&mut self, position: &Position, left_unlisted: u8) -> Option<Step> {
        let fresh = left_unlisted == Self::UNLISTED;
        if fresh && !self.walk.seen.insert(position.key128()) {
            return None;
        }
        if !self.book.has(apery_key(position)) {
            // After an unlisted position only positions of the book count.
            let moves = if fresh { self.moves_into_book(position) } else { Vec::new() };
            let step = Step { moves, next: 0, listed: Vec::new(), left_unlisted };
            return Some(step).filter(|step| !step.moves.is_empty());
        }
        if !fresh && !self.walk.seen.insert(position.key128()) {
            return None;
        }
        let listed = self.book.find(position);
        if !listed.iter().all(|m| m.play.is_some_and(|m| position.is_legal(m))) {
            self.walk.collisions += 1;
            return None;
        }
        Some(Step { moves: reference_order::legal_moves(position), next: 0, listed, left_unlisted })
    }

    /// The legal moves that lead to positions of the book. There are few, so legality is tested last.
    fn moves_into_book(&self, position: &Position) -> Vec<Move> {
        let keys = KeysAfter::new(position);
        let leads_there = |m: &Move| self.book.has(keys.key(*m));
        if !reference_order::pseudo_legal_moves(position).iter().any(leads_there) {
            return Vec::new();
        }
        let mut moves = reference_order::legal_moves(position);
        moves.retain(leads_there);
        moves
    }

    /// All positions below are finished; the best move there is the expected reply here.
    fn leave(&mut self, position: &mut Position, listed: Vec<BookMove>) {
        if listed.is_empty() {
            return;
        }
        let mut entry = Entry::of(position, Vec::new());
        entry.absorb(&Entry { moves: listed, ..Entry::default() });
        entry.sort();
        if let Some(first) = entry.moves.first().and_then(|m| m.play) {
            self.found.insert((position.key128(), position.ply()), first);
        }
        for m in &mut entry.moves {
            let Some(play) = m.play else { continue };
            position.do_move(play);
            m.reply = self.found.get(&(position.key128(), position.ply())).copied();
            position.undo_move();
        }
        self.walk.entries.push(entry);
    }
}

/// Writes positions as an Apery book, sorted by key.
pub fn write_apery(
    path: &Path,
    stream: &mut (impl EntryStream + ?Sized),
    limits: SortLimits,
) -> Result<u64, BookError> {
    let mut sorter = Sorter::new(limits);
    let mut payload = Vec::new();
    while let Some(entry) = stream.next_entry()? {
        let position = entry.position().map_err(|error| BookError::format(path, error.to_string()))?;
        let mut entry = entry.clone();
        entry.sort();
        payload.clear();
        for m in &entry.moves {
            payload.extend_from_slice(&m.play.map_or(0, Move::apery_bits).to_le_bytes());
            payload.extend_from_slice(&(m.count.min(u16::MAX.into()) as u16).to_le_bytes());
            payload.extend_from_slice(&m.value.to_le_bytes());
        }
        sorter.push(&apery_key(&position).to_be_bytes(), &payload).at(path)?;
    }
    let mut sorted = sorter.finish().at(path)?;
    let mut file = create_book(path)?;
    let mut written = 0;
    while let Some((key, payload)) = sorted.next_record().at(path)? {
        for m in payload.chunks_exact(8) {
            let little: Vec<u8> = key.iter().rev().copied().collect();
            file.write_all(&little).and_then(|()| file.write_all(m)).at(path)?;
        }
        written += 1;
    }
    file.commit()?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The C++ standard specifies the ten-thousandth number of this generator.
    #[test]
    fn the_twister_is_the_standard_one() {
        let mut twister = Twister::new(5489);
        assert_eq!((1..=10_000).map(|_| twister.next()).last(), Some(9_981_545_732_273_789_042));
    }

    #[test]
    fn keys_need_no_move_to_be_made() {
        let mut random = platform::Random::new(3);
        for _ in 0..20 {
            let mut position = Position::startpos();
            for _ in 0..80 {
                let moves = reference_order::legal_moves(&position);
                let Some(last) = moves.len().checked_sub(1) else { break };
                for m in &moves {
                    let expected = KeysAfter::new(&position).key(*m);
                    position.do_move(*m);
                    assert_eq!(apery_key(&position), expected, "{m}");
                    position.undo_move();
                }
                position.do_move(moves[(random.next() % (last as u64 + 1)) as usize]);
            }
        }
    }

    #[test]
    fn files_of_a_wrong_size_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        std::fs::write(&path, [0; 17]).unwrap();
        let error = AperyBook::open(&path).err().unwrap().to_string();
        assert!(error.ends_with("not an Apery book: its 17 bytes are no multiple of 16"), "{error}");
    }
}

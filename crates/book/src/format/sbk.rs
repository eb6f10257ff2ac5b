//! `.sbk`: ShogiGUI's book, a graph in Protocol Buffers. Only roots contain their position; the others are found by
//! playing the moves to them.

use crate::error::{At, BookError};
use crate::grow::lock::create_book;
use crate::sort::entry_stream::EntryStream;
use crate::{BookMove, Entry};
use shogi::{Color, HandPiece, Move, Origin, PieceKind, Position, Square};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;

/// Field numbers. The position keys (2, 3) are hashes that readers ignore; they are written as zero.
mod field {
    pub const STATES: u64 = 3;
    pub const ID: u64 = 1;
    pub const GAMES: u64 = 4;
    pub const POSITION: u64 = 7;
    pub const MOVES: u64 = 9;
    pub const EVALS: u64 = 10;
    pub const MOVE: u64 = 1;
    pub const WEIGHT: u64 = 3;
    pub const NEXT: u64 = 4;
    pub const VALUE: u64 = 1;
    pub const DEPTH: u64 = 2;
    pub const VARIATION: u64 = 5;
}

/// A field of a message.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The bytes are not a field.
struct NoField;

/// Iterates over the fields of a message.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..70).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn bytes(&mut self, length: u64) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(bytes)
    }

    /// The next field, or an error.
    fn next(&mut self) -> Option<Result<(u64, Value<'a>), NoField>> {
        (!self.0.is_empty()).then(|| self.field().ok_or(NoField))
    }

    fn field(&mut self) -> Option<(u64, Value<'a>)> {
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => Value::Number(self.number()?),
            1 => Value::Bytes(self.bytes(8)?),
            2 => {
                let length = self.number()?;
                Value::Bytes(self.bytes(length)?)
            }
            5 => Value::Bytes(self.bytes(4)?),
            _ => return None,
        };
        Some((tag >> 3, value))
    }
}

#[derive(Default)]
struct State {
    position: Option<String>,
    /// Move, weight, next state.
    moves: Vec<(u32, u64, i32)>,
    /// Value, depth, line of play.
    evals: Vec<(i32, i32, String)>,
}

fn read_state(bytes: &[u8]) -> Option<(i32, State)> {
    let mut state = State::default();
    let mut id = 0;
    let mut fields = Fields(bytes);
    while let Some(field) = fields.next() {
        match field.ok()? {
            (field::ID, Value::Number(number)) => id = number as i32,
            (field::POSITION, Value::Bytes(text)) => {
                state.position = Some(String::from_utf8(text.to_vec()).ok()?);
            }
            (field::MOVES, Value::Bytes(bytes)) => state.moves.push(read_move(bytes)?),
            (field::EVALS, Value::Bytes(bytes)) => state.evals.push(read_eval(bytes)?),
            _ => {}
        }
    }
    Some((id, state))
}

fn read_move(bytes: &[u8]) -> Option<(u32, u64, i32)> {
    let (mut code, mut weight, mut next) = (0, 0, -1);
    let mut fields = Fields(bytes);
    while let Some(field) = fields.next() {
        match field.ok()? {
            (field::MOVE, Value::Number(number)) => code = number as u32,
            (field::WEIGHT, Value::Number(number)) => weight = number,
            (field::NEXT, Value::Number(number)) => next = number as i32,
            _ => {}
        }
    }
    Some((code, weight, next))
}

fn read_eval(bytes: &[u8]) -> Option<(i32, i32, String)> {
    let (mut value, mut depth, mut line) = (0, 0, String::new());
    let mut fields = Fields(bytes);
    while let Some(field) = fields.next() {
        match field.ok()? {
            (field::VALUE, Value::Number(number)) => value = number as i32,
            (field::DEPTH, Value::Number(number)) => depth = number as i32,
            (field::VARIATION, Value::Bytes(text)) => line = String::from_utf8_lossy(text).into_owned(),
            _ => {}
        }
    }
    Some((value, depth, line))
}

const PROMOTION: u32 = 1 << 19;
const WHITE: u32 = 1 << 31;

/// Bits 0–3 rank and 4–7 file of the origin (0 for drops), 8–11 and 12–15 of the target, 19 promotion, 24–29 piece.
fn decode_move(code: u32) -> Option<Move> {
    let square = |at: u32| {
        let (rank, file) = (code >> at & 0xf, code >> (at + 4) & 0xf);
        let on_board = (1..=9).contains(&rank) && (1..=9).contains(&file);
        on_board.then(|| Square::from_index((file as u8 - 1) * 9 + rank as u8 - 1)).flatten()
    };
    let to = square(8)?;
    let from_hand = code.trailing_zeros() >= 8;
    if from_hand {
        let piece = HandPiece::ALL.into_iter().find(|piece| piece.index() as u32 == code >> 24 & 0x3f)?;
        return Some(Move::drop(piece, to));
    }
    let from = square(0)?;
    (from != to).then(|| Move::board(from, to, code & PROMOTION != 0))
}

fn encode_move(m: Move, position: &Position) -> u32 {
    let square = |square: Square| (square.index() as u32 / 9 + 1) << 4 | (square.index() as u32 % 9 + 1);
    let kind =
        |kind: PieceKind| PieceKind::ALL.iter().position(|other| *other == kind).unwrap_or(0) as u32 + 1;
    let (from, piece) = match m.origin() {
        Origin::Hand(piece) => (0, piece.index() as u32),
        Origin::Board(from) => (square(from), position.piece_at(from).map_or(0, |piece| kind(piece.kind()))),
    };
    let captured = position.piece_at(m.to()).map_or(0, |piece| kind(piece.kind()));
    let side = if position.side() == Color::White { WHITE } else { 0 };
    let promotion = if m.is_promotion() { PROMOTION } else { 0 };
    side | piece << 24 | captured << 20 | promotion | square(m.to()) << 8 | from
}

/// Reads a whole book.
pub fn read_sbk(path: &Path) -> Result<Vec<Entry>, BookError> {
    read_sbk_bytes(&std::fs::read(path).at(path)?, path)
}

/// Reads a book from its bytes; `path` is for messages.
pub fn read_sbk_bytes(bytes: &[u8], path: &Path) -> Result<Vec<Entry>, BookError> {
    let mut states = HashMap::new();
    let mut roots = Vec::new();
    let mut fields = Fields(bytes);
    while let Some(field) = fields.next() {
        let at = bytes.len() - fields.0.len();
        let bad = || BookError::format(path, format!("not an .sbk book: no sense in the bytes before {at}"));
        if let (field::STATES, Value::Bytes(state)) = field.map_err(|NoField| bad())? {
            let (id, state) = read_state(state).ok_or_else(bad)?;
            if state.position.is_some() {
                roots.push(id);
            }
            states.insert(id, state);
        }
    }
    if states.is_empty() {
        return Err(BookError::format(path, "not an .sbk book: it has no positions"));
    }
    let mut entries = Vec::new();
    let mut seen = HashSet::new();
    for root in roots {
        let Some(text) = states[&root].position.as_deref() else { continue };
        let sfen = text.trim().trim_start_matches("position ").trim_start_matches("sfen ");
        let position = Position::from_sfen(sfen)
            .map_err(|error| BookError::format(path, format!("state {root}: {error}")))?;
        walk(root, position, &states, &mut seen, &mut entries);
    }
    Ok(entries)
}

/// Visits every state reachable from a root once.
fn walk(
    root: i32,
    start: Position,
    states: &HashMap<i32, State>,
    seen: &mut HashSet<i32>,
    entries: &mut Vec<Entry>,
) {
    let mut open = vec![(root, start)];
    while let Some((id, position)) = open.pop() {
        let Some(state) = states.get(&id).filter(|_| seen.insert(id)) else { continue };
        let mut moves = Vec::new();
        for (code, weight, next) in &state.moves {
            let Some(m) = decode_move(*code).filter(|m| position.is_legal(*m)) else { continue };
            moves.push(with_eval(BookMove { count: *weight, ..BookMove::new(m) }, &state.evals));
            if !seen.contains(next) {
                // Without history, so that long books do not fill the memory.
                if let Ok(mut after) = Position::with_room(&position.setup(), 2) {
                    after.do_move(m);
                    open.push((*next, after));
                }
            }
        }
        if !moves.is_empty() {
            entries.push(Entry::of(&position, moves));
        }
    }
}

/// Adds the data of an evaluation whose line begins with the move.
fn with_eval(mut m: BookMove, evals: &[(i32, i32, String)]) -> BookMove {
    for (value, depth, line) in evals {
        let mut words = line.split_ascii_whitespace().map(str::parse::<Move>);
        if let Some(Ok(first)) = words.next()
            && Some(first) == m.play
        {
            (m.value, m.depth) = (*value, *depth);
            m.reply = words.next().and_then(Result::ok);
        }
    }
    m
}

fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_field(out: &mut Vec<u8>, field: u64, number: i64) {
    put_number(out, field << 3);
    put_number(out, number as u64);
}

fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_number(out, field << 3 | 2);
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// The moves of a position: code, data, number of the next state.
type Leads = Vec<(u32, BookMove, i32)>;

/// Writes a book. Every position becomes a state; positions that no move of the book leads to become roots.
pub fn write_sbk(path: &Path, stream: &mut (impl EntryStream + ?Sized)) -> Result<u64, BookError> {
    let mut entries = Vec::new();
    let mut ids: HashMap<u128, i32> = HashMap::new();
    while let Some(entry) = stream.next_entry()? {
        let position = entry.position().map_err(|error| BookError::format(path, error.to_string()))?;
        if let std::collections::hash_map::Entry::Vacant(new) = ids.entry(position.key128()) {
            new.insert(entries.len() as i32);
            entries.push(entry.clone());
        }
    }
    let mut next_id = entries.len() as i32;
    let mut has_parent: HashSet<i32> = HashSet::new();
    let mut leads: Vec<Leads> = Vec::new();
    for entry in &entries {
        let Ok(mut position) = entry.position() else { continue };
        let mut list = Vec::new();
        for m in &entry.moves {
            let Some(play) = m.play.filter(|play| position.is_legal(*play)) else { continue };
            let code = encode_move(play, &position);
            position.do_move(play);
            let id = *ids.entry(position.key128()).or_insert_with(|| {
                next_id += 1;
                next_id - 1
            });
            position.undo_move();
            has_parent.insert(id);
            list.push((code, *m, id));
        }
        leads.push(list);
    }
    let mut file = create_book(path)?;
    let mut out = Vec::new();
    put_bytes(&mut out, 1, b"");
    put_bytes(&mut out, 2, b"");
    let reached = reachable(&leads, &has_parent);
    for id in 0..next_id {
        let entry = entries.get(id as usize).map(|entry| (entry, &leads[id as usize]));
        put_bytes(&mut out, field::STATES, &encode_state(id, entry, !reached.contains(&id)));
        file.write_all(&out).at(path)?;
        out.clear();
    }
    file.commit()?;
    Ok(entries.len() as u64)
}

/// States reachable from those without parents. A cycle that nothing leads to needs a root of its own.
fn reachable(leads: &[Leads], has_parent: &HashSet<i32>) -> HashSet<i32> {
    let mut reached = HashSet::new();
    let mut visited = HashSet::new();
    let follow = |start: i32, reached: &mut HashSet<i32>, visited: &mut HashSet<i32>| {
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            if !visited.insert(id) {
                continue;
            }
            for (_, _, next) in leads.get(id as usize).into_iter().flatten() {
                if *next != start {
                    reached.insert(*next);
                }
                open.push(*next);
            }
        }
    };
    let all = 0..leads.len() as i32;
    for id in all.clone().filter(|id| !has_parent.contains(id)) {
        follow(id, &mut reached, &mut visited);
    }
    for id in all {
        if !visited.contains(&id) {
            follow(id, &mut reached, &mut visited);
        }
    }
    reached
}

fn encode_state(id: i32, entry: Option<(&Entry, &Leads)>, root: bool) -> Vec<u8> {
    let mut state = Vec::new();
    put_field(&mut state, field::ID, id.into());
    put_field(&mut state, 2, 0);
    put_field(&mut state, 3, 0);
    for number in [field::GAMES, 5, 6] {
        put_field(&mut state, number, 0);
    }
    let Some((entry, moves)) = entry else { return state };
    if root {
        put_bytes(&mut state, field::POSITION, entry.sfen().as_bytes());
    }
    for (code, m, next) in moves {
        let mut bytes = Vec::new();
        put_field(&mut bytes, field::MOVE, i64::from(*code as i32));
        put_field(&mut bytes, 2, 0);
        put_field(&mut bytes, field::WEIGHT, m.count.min(i32::MAX as u64) as i64);
        put_field(&mut bytes, field::NEXT, (*next).into());
        put_bytes(&mut state, field::MOVES, &bytes);
    }
    for (_, m, _) in moves {
        let Some(play) = m.play else { continue };
        let reply = m.reply.map(|reply| format!(" {reply}")).unwrap_or_default();
        let mut bytes = Vec::new();
        put_field(&mut bytes, field::VALUE, m.value.into());
        put_field(&mut bytes, field::DEPTH, m.depth.into());
        put_field(&mut bytes, 3, 0);
        put_field(&mut bytes, 4, 0);
        put_bytes(&mut bytes, field::VARIATION, format!("{play}{reply}").as_bytes());
        put_bytes(&mut state, field::EVALS, &bytes);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::entry_stream::Entries;

    #[test]
    fn moves_round_trip() {
        let position = Position::from_sfen("4k4/9/4p4/4P4/9/9/9/9/4K4 b Pp 1").unwrap();
        for m in &position.legal_moves() {
            assert_eq!(decode_move(encode_move(m, &position)), Some(m));
        }
        assert_eq!(decode_move(0x0100_7677), Some("7g7f".parse().unwrap()));
        assert_eq!([decode_move(0), decode_move(0xffff_ffff), decode_move(0x7677 & 0xff)], [None; 3]);
    }

    #[test]
    fn books_round_trip_with_circles() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sbk");
        let mut position = Position::startpos();
        let mut entries = Vec::new();
        for text in ["2h3h", "8b7b", "3h2h", "7b8b"] {
            let m = BookMove { value: 5, depth: 3, count: 2, ..BookMove::new(text.parse().unwrap()) };
            entries.push(Entry { ply: 1, ..Entry::of(&position, vec![m]) });
            position.do_move(m.play.unwrap());
        }
        write_sbk(&path, &mut Entries::new(entries.clone())).unwrap();
        let mut read = read_sbk(&path).unwrap();
        for entry in &mut read {
            entry.ply = 1;
        }
        read.sort_by(|a, b| a.place.cmp(&b.place));
        entries.sort_by(|a, b| a.place.cmp(&b.place));
        assert_eq!(read, entries);
    }

    #[test]
    fn bad_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sbk");
        for bytes in [&b""[..], b"\x1a\xff\x01abc", b"\xff\xff\xff", b"\x1a\x02\x07\x07"] {
            std::fs::write(&path, bytes).unwrap();
            let error = read_sbk(&path).unwrap_err().to_string();
            assert!(error.contains("not an .sbk book"), "{error}");
        }
    }
}

//! USEN, the URL-safe notation of a record with branches.

use crate::model::record::{Cursor, Told};
use crate::{Ending, Fault, FaultReason, NodeId, ReadError, Record, Step};
use shogi::{HandPiece, Handicap, Move, Origin, Setup, Square};
use std::fmt::Write;

/// Numbers of pieces from the hand, in place of a square number.
const HAND: [(u32, HandPiece); 7] = [
    (90, HandPiece::Gold),
    (91, HandPiece::Pawn),
    (92, HandPiece::Lance),
    (93, HandPiece::Knight),
    (94, HandPiece::Silver),
    (95, HandPiece::Bishop),
    (96, HandPiece::Rook),
];

/// Letters of endings; reading and writing use the first match.
const ENDINGS: [(char, Ending); 4] =
    [('r', Ending::Resign), ('t', Ending::Timeout), ('j', Ending::Impasse), ('p', Ending::Interrupt)];

/// The USEN in an address (`?usen=…`), or the text itself.
fn bare(text: &str) -> String {
    let text = text.trim();
    let value = text.split_once("usen=").map_or(text, |(_, value)| value);
    value.split(['&', '#']).next().unwrap_or_default().replace("%7E", "~").replace("%7e", "~")
}

/// Whether a text is USEN: optional position, then `~ply.moves.ending` once or more.
pub(crate) fn looks_like(text: &str) -> bool {
    if memchr::memchr2(b'~', b'%', text.as_bytes()).is_none() {
        return false;
    }
    let text = bare(text);
    let mut parts = text.split('~');
    let start = parts.next().unwrap_or_default();
    let mut count = 0;
    let sound = parts.all(|part| {
        count += 1;
        let fields: Vec<&str> = part.split('.').collect();
        matches!(fields.as_slice(), [ply, moves, end]
            if ply.bytes().all(|b| b.is_ascii_digit())
                && moves.bytes().all(|b| b.is_ascii_alphanumeric())
                && end.len() <= 1)
    });
    sound && count > 0 && start.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
}

pub(crate) fn read(text: &str) -> Result<Told, ReadError> {
    let text = bare(text);
    let mut parts = text.split('~');
    let start = parts.next().unwrap_or_default();
    let setup: Setup = if start.is_empty() {
        Handicap::Even.setup()
    } else {
        start.replace('_', "/").replace('.', " ").replace('z', "+").parse()?
    };
    let mut cursor = Cursor::new(Record::new(setup));
    let mut faults = Vec::new();
    let mut lines = 0;
    for part in parts {
        lines += 1;
        let mut fields = part.split('.');
        let ply = fields.next().and_then(|n| n.parse().ok());
        let ply = ply.ok_or_else(|| ReadError::Usen(format!("line {lines} does not begin with a number")))?;
        cursor.go_to(ply);
        let moves = fields.next().unwrap_or_default();
        let fault = play(&mut cursor, moves.as_bytes());
        let broken = fault.is_some();
        faults.extend(fault);
        let ending = fields.next().and_then(|word| word.chars().next());
        let ending = ending.and_then(|c| ENDINGS.iter().find(|(letter, _)| *letter == c));
        if let Some((_, ending)) = ending.filter(|_| !broken) {
            cursor.append(Step::End(ending.clone()));
        }
    }
    if lines == 0 {
        return Err(ReadError::Usen("expected `~`, then a number, moves and an ending".to_owned()));
    }
    Ok(cursor.told(faults))
}

fn play(cursor: &mut Cursor, moves: &[u8]) -> Option<Fault> {
    for three in moves.chunks(3) {
        let reason = match decode(three) {
            Some(m) if cursor.append(Step::Move(m)) => continue,
            Some(_) => FaultReason::NoPiece,
            None => FaultReason::NotAMove,
        };
        let text = String::from_utf8_lossy(three).into_owned();
        return Some(Fault { line: None, ply: cursor.ply() + 1, text, reason });
    }
    None
}

fn decode(three: &[u8]) -> Option<Move> {
    let digits = std::str::from_utf8(three).ok().filter(|text| text.len() == 3)?;
    let value = u32::from_str_radix(digits, 36).ok()?;
    let to = square((value % 162) / 2)?;
    match value / 162 {
        from @ 0..81 => {
            let from = square(from)?;
            (from != to).then(|| Move::board(from, to, value % 2 == 1))
        }
        hand => HAND.iter().find(|(number, _)| *number == hand).map(|(_, piece)| Move::drop(*piece, to)),
    }
}

/// USEN counts rank by rank from 1a.
fn square(number: u32) -> Option<Square> {
    crate::text::kanji::square((number % 9 + 1) as u8, (number / 9 + 1) as u8)
}

fn number(square: Square) -> u32 {
    square.rank() as u32 * 9 + square.file() as u32
}

fn encode(out: &mut String, m: Move) {
    let from = match m.origin() {
        Origin::Board(from) => number(from),
        Origin::Hand(piece) => HAND.iter().find(|(_, p)| *p == piece).map_or(0, |(number, _)| *number),
    };
    let mut value = (from * 81 + number(m.to())) * 2 + u32::from(m.is_promotion());
    let mut digits = [b'0'; 3];
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[(value % 36) as usize];
        value /= 36;
    }
    out.extend(digits.map(char::from));
}

/// The letter of an ending; those that USEN lacks become "broken off", or "draw" for draws.
fn letter(ending: &Ending) -> char {
    match ENDINGS.iter().find(|(_, known)| known == ending) {
        Some((letter, _)) => *letter,
        None if matches!(ending, Ending::Draw | Ending::MaxMoves) => 'j',
        None => 'p',
    }
}

/// Whether an ending has its own letter.
pub(crate) fn keeps(ending: &Ending) -> bool {
    ENDINGS.iter().any(|(_, known)| known == ending)
}

/// Writes the whole tree in one line.
pub(crate) fn write(record: &Record) -> String {
    let tree = &record.tree;
    let mut out = String::new();
    if record.start != shogi::Handicap::Even.setup() {
        let sfen = record.start.to_string();
        let fields: Vec<&str> = sfen.split(' ').take(3).collect();
        out.push_str(&fields.join(".").replace('/', "_").replace('+', "z"));
    }
    out.push_str("~0.");
    let mut last = NodeId::ROOT;
    let mut ended = false;
    for id in tree.walk() {
        if tree.parent(id) != Some(last) {
            if !ended {
                out.push('.');
            }
            let _ = write!(out, "~{}.", tree[id].ply() - 1);
            ended = false;
        }
        match tree[id].step() {
            Some(Step::Move(m)) => encode(&mut out, *m),
            Some(Step::End(ending)) => {
                out.push('.');
                out.push(letter(ending));
                ended = true;
            }
            None => {}
        }
        last = id;
    }
    if !ended {
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_and_endings_read_back() {
        for text in
            ["~0.6y236e.", "~0.6y236e7ku2jm.r", "~0.6y236e.~1.2jm.t~0.7ku.p", "4k4_9_9_9_9_9_9_9_4K4.w.G~0.."]
        {
            let Told { record, faults, .. } = read(text).expect(text);
            assert!(faults.is_empty(), "{text}: {faults:?}");
            assert!(looks_like(text));
            assert_eq!(write(&record), text);
        }
        let Told { record, .. } = read("https://example.net/?usen=~0.6y236e.&branch=1").unwrap();
        assert_eq!(record.moves().map(|m| m.to_string()).collect::<Vec<_>>(), ["2g2f", "8c8d"]);
    }

    #[test]
    fn every_move_has_three_digits() {
        for bits in 0..=u16::MAX {
            let Some(m) = Move::from_bits(bits) else { continue };
            let mut text = String::new();
            encode(&mut text, m);
            assert_eq!(text.len(), 3);
            assert_eq!(decode(text.as_bytes()), Some(m), "{m} {text}");
        }
    }

    #[test]
    fn junk() {
        for text in ["", "abc", "~x.y.z", "9_9~0..", "~0.zzz.", "~0.6y.", "~0.000."] {
            let _ = read(text);
        }
        assert!(read("").is_err());
        assert!(!looks_like("~x.y.z"));
        let Told { record, faults, .. } = read("~0.6y2zzz.").unwrap();
        assert_eq!((record.moves().count(), faults.len()), (1, 1));
    }
}

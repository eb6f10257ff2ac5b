//! Reading JKF.

use super::json::{Document, Id};
use super::{PRESETS, RELATIVE};
use crate::format::csa::kind_of;
use crate::format::spoken;
use crate::model::record::{Cursor, Told};
use crate::text::kanji::{piece_in_move, square, square_name};
use crate::{Ending, Fault, FaultReason, Lines, ReadError, Record, Step};
use shogi::{Color, File, Hand, Handicap, Move, Piece, Rank, Setup, Square};
use std::time::Duration;

pub(crate) fn read(text: &str) -> Result<Told, ReadError> {
    let json = Document::parse(text)?;
    let json = &json;
    let moves =
        json.member(Document::ROOT, "moves").ok_or_else(|| ReadError::Jkf("there is no `moves`".into()))?;
    let start = match json.member(Document::ROOT, "initial") {
        Some(initial) => start(json, initial)?,
        None => Handicap::Even.setup(),
    };
    let mut record = Record::new(start);
    if let Some(header) = json.member(Document::ROOT, "header")
        && let super::json::Value::Object(members) = json.value(header)
    {
        for (name, id) in members {
            record.header.set(name, json.text(*id).unwrap_or_default());
        }
    }
    let mut cursor = Cursor::new(record);
    let mut faults = Vec::new();
    // Lines still to be read and the plies at which they branch off; the next one is on top.
    let mut waiting = vec![(0, moves)];
    while let Some((ply, line)) = waiting.pop() {
        cursor.go_to(ply);
        for &entry in json.array(line) {
            let ply = cursor.ply();
            if let Err(fault) = self::entry(&mut cursor, json, entry) {
                faults.push(fault);
                break;
            }
            let forks = json.member(entry, "forks").map_or(&[][..], |forks| json.array(forks));
            waiting.extend(forks.iter().rev().map(|fork| (ply, *fork)));
        }
    }
    Ok(cursor.told(faults))
}

fn entry(cursor: &mut Cursor, json: &Document, entry: Id) -> Result<(), Fault> {
    if let Some(id) = json.member(entry, "move") {
        let appended = chosen(cursor, json, id)
            .and_then(|m| if cursor.append(Step::Move(m)) { Ok(()) } else { Err(FaultReason::NoPiece) });
        appended.map_err(|reason| Fault {
            line: None,
            ply: cursor.ply() + 1,
            text: describe(json, id),
            reason,
        })?;
    }
    let special = json.member(entry, "special").and_then(|id| json.text(id)).map(ending_word);
    if let Some(word) = special.as_deref().filter(|word| !word.is_empty()) {
        cursor.leave_ending();
        let side = cursor.board().side();
        // CSA's words; where CSA has none, the Japanese one.
        let ending = match Ending::from_csa(word, side) {
            Ending::Other(word) => Ending::from_kif(&word),
            known => known,
        };
        cursor.append(Step::End(ending));
    }
    if let Some(time) = json.member(entry, "time").and_then(|id| json.member(id, "now")) {
        let part = |name| json.member(time, name).and_then(|id| json.count(id)).unwrap_or(0);
        let seconds = part("h") * 3600 + part("m") * 60 + part("s");
        cursor.node().time = Some(Duration::from_secs(seconds));
    }
    if let Some(comments) = json.member(entry, "comments") {
        let texts = json.array(comments).iter().filter_map(|id| json.text(*id));
        take_notes(cursor, &texts.flat_map(crate::text::lines::lines).collect());
    }
    Ok(())
}

/// A word for an ending, reduced to one that no format mistakes for something else.
fn ending_word(text: &str) -> String {
    let word: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    if spoken::parse(&word).is_some() { String::new() } else { word }
}

/// A bookmark is stored as a comment with KIF's prefix.
fn take_notes(cursor: &mut Cursor, lines: &Lines) {
    // Other programs write a comment without text as one empty line.
    if lines.iter().all(str::is_empty) {
        return;
    }
    let note = cursor.note_mut();
    for line in lines {
        match line.strip_prefix('&') {
            Some(bookmark) if note.bookmark.is_none() => note.bookmark = Some(bookmark.to_owned()),
            _ => note.comments.push(line),
        }
    }
}

fn chosen(cursor: &Cursor, json: &Document, id: Id) -> Result<Move, FaultReason> {
    let place = |name| json.member(id, name).and_then(|place| self::place(json, place));
    let last = cursor.last_move().map(Move::to);
    let same = json.member(id, "same").is_some_and(|id| json.truth(id));
    let to = place("to").or(last.filter(|_| same)).ok_or(FaultReason::NotAMove)?;
    let promote = json.member(id, "promote").is_some_and(|id| json.truth(id));
    if let Some(from) = place("from") {
        return if from == to { Err(FaultReason::NotAMove) } else { Ok(Move::board(from, to, promote)) };
    }
    let kind = json.member(id, "piece").and_then(|id| json.text(id)).and_then(kind_of);
    let kind = kind.ok_or(FaultReason::NotAMove)?;
    let relative = json.member(id, "relative").and_then(|id| json.text(id)).unwrap_or_default();
    if relative.is_empty() || relative == "H" {
        let piece = kind.to_hand().filter(|_| !kind.is_promoted()).ok_or(FaultReason::NotAMove)?;
        return Ok(Move::drop(piece, to));
    }
    // Not normalised: only the relative words determine the origin.
    let mut words: String = square_name(to).into_iter().collect();
    words.push_str(piece_in_move(kind));
    words.extend(relative.chars().filter_map(|c| RELATIVE.iter().find(|(_, r)| *r == c).map(|(k, _)| *k)));
    words.push_str(if promote { "成" } else { "" });
    let (said, _) = spoken::parse(&words).ok_or(FaultReason::NotAMove)?;
    said.resolve(cursor.board(), last).map_err(|_| FaultReason::Ambiguous)
}

fn place(json: &Document, id: Id) -> Option<Square> {
    let number =
        |name| json.member(id, name).and_then(|id| json.count(id)).and_then(|n| u8::try_from(n).ok());
    square(number("x")?, number("y")?)
}

fn describe(json: &Document, id: Id) -> String {
    let square = |name| {
        json.member(id, name).and_then(|p| place(json, p)).map_or_else(|| "--".to_owned(), |s| s.to_string())
    };
    let piece = json.member(id, "piece").and_then(|id| json.text(id)).unwrap_or("?");
    crate::model::error::quote(&format!("{}{} {piece}", square("from"), square("to")))
}

fn start(json: &Document, initial: Id) -> Result<Setup, ReadError> {
    let preset = json.member(initial, "preset").and_then(|id| json.text(id)).unwrap_or("HIRATE");
    if let Some((_, handicap)) = PRESETS.iter().find(|(name, _)| *name == preset) {
        return Ok(handicap.setup());
    }
    if preset != "OTHER" {
        return Err(ReadError::Jkf(format!(
            "unknown start position `{}`",
            crate::model::error::quote(preset)
        )));
    }
    let mut setup = Setup::EMPTY;
    let Some(data) = json.member(initial, "data") else { return Ok(setup) };
    let color = |id: Option<Id>| match id.and_then(|id| json.count(id)) {
        Some(1) => Color::White,
        _ => Color::Black,
    };
    setup.side = color(json.member(data, "color"));
    // Columns from file 1, each from rank 1.
    let columns = json.member(data, "board").map_or(&[][..], |board| json.array(board));
    for (file, column) in File::ALL.into_iter().zip(columns) {
        for (rank, &cell) in Rank::ALL.into_iter().zip(json.array(*column)) {
            let kind = json.member(cell, "kind").and_then(|id| json.text(id));
            let Some(kind) = kind else { continue };
            let kind = kind_of(kind).ok_or_else(|| {
                ReadError::Jkf(format!("unknown piece `{}`", crate::model::error::quote(kind)))
            })?;
            let piece = Piece::new(color(json.member(cell, "color")), kind);
            setup.board[Square::new(file, rank).index()] = Some(piece);
        }
    }
    let hands = json.member(data, "hands").map_or(&[][..], |hands| json.array(hands));
    for (hand, &id) in setup.hands.iter_mut().zip(hands) {
        let super::json::Value::Object(members) = json.value(id) else { continue };
        for (name, count) in members {
            let count = json.count(*count).unwrap_or(0);
            let piece = kind_of(name).filter(|kind| !kind.is_promoted()).and_then(shogi::PieceKind::to_hand);
            let Some(piece) = piece else { continue };
            if u64::from(hand.count(piece)) + count > u64::from(Hand::max_count(piece)) {
                return Err(ReadError::Jkf(format!("too many {name} in hand")));
            }
            (0..count).for_each(|_| hand.add(piece));
        }
    }
    if let Some(ply) = json.member(data, "ply").and_then(|id| json.count(id)) {
        setup.ply = u32::try_from(ply).unwrap_or(1).clamp(1, 999_999);
    }
    Ok(setup)
}

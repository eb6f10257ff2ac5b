//! Reads records of Freeze shogi from shogi records with notes.

use super::notes::{self, FreezeNote};
use super::{FreezeRecord, FreezeStart, INLINE};
use crate::text::encoding::{Encoding, decode};
use crate::{
    Fault, FaultReason, Format, IllegalMoves, NodeId, Note, NoteRef, ReadError, ReadOptions, Record, Step,
};
use ::freeze::{Counts, Marker, Move, Position};
use game::Position as _;
use std::collections::BTreeMap;
use std::fmt;

/// A record of Freeze shogi, with its faults and warnings.
#[derive(Debug)]
pub struct FreezeLoaded {
    /// The record.
    pub record: FreezeRecord,
    /// The format.
    pub format: Format,
    /// The encoding.
    pub encoding: Encoding,
    /// Moves that were left out; their lines end before them.
    pub faults: Vec<Fault>,
    /// Notes that contradict the game. The counts in the file are used.
    pub warnings: Vec<Warning>,
}

/// A note that contradicts the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warning {
    /// Counts other than those that the moves lead to.
    Counts {
        /// The number of the move.
        ply: u32,
        /// The counts in the file.
        said: Counts,
    },
    /// A `Z` note with a kind that was not frozen.
    Under {
        /// The number of the move.
        ply: u32,
    },
    /// The start position is invalid.
    Start,
    /// A move with an illegal freeze; its line ends before it.
    Illegal {
        /// The number of the move.
        ply: u32,
    },
    /// The counts at both ends of a USI line contradict each other; those after the moves are used.
    BothCounts,
}

impl Warning {
    /// A short form for counting.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Counts { .. } | Self::BothCounts => "other counts",
            Self::Under { .. } => "other kind frozen",
            Self::Start => "impossible start",
            Self::Illegal { .. } => "illegal",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counts { ply, said } => {
                write!(
                    f,
                    "move {ply}: the record says {said}, which does not follow from the moves; it is believed"
                )
            }
            Self::Under { ply } => write!(f, "move {ply}: the kind of its Z note was not frozen"),
            Self::Start => f.write_str("the start position is impossible; no move is read"),
            Self::Illegal { ply } => write!(f, "move {ply}: illegal in Freeze shogi"),
            Self::BothCounts => {
                f.write_str("the counts before the moves do not lead to those after them, which are believed")
            }
        }
    }
}

/// Reads the first record in `bytes`: KIF and KI2 with notes on freezes, or a USI line.
pub fn read(bytes: &[u8], format: Option<Format>) -> Result<FreezeLoaded, ReadError> {
    let decoded = decode(bytes);
    let encoding = decoded.encoding;
    if format.is_none_or(|format| format == Format::Usi)
        && let Some((record, warnings)) = super::line::read(&decoded.text)
    {
        return Ok(FreezeLoaded { record, format: Format::Usi, encoding, faults: Vec::new(), warnings });
    }
    let text = notes_on_their_own_lines(&decoded.text);
    let options = ReadOptions { format, illegal: IllegalMoves::Keep, ..ReadOptions::default() };
    let loaded = crate::read(text.as_bytes(), &options)?;
    let mut reading = Reading { warnings: Vec::new() };
    let record = reading.record(&loaded.record);
    // Moves that are illegal in shogi are checked again by the rules of Freeze shogi.
    let faults =
        loaded.faults.into_iter().filter(|fault| !matches!(fault.reason, FaultReason::Illegal(_))).collect();
    Ok(FreezeLoaded { record, format: loaded.format, encoding, faults, warnings: reading.warnings })
}

/// Whether bytes contain a game of Freeze shogi: a note on freezes, or a USI line with one.
#[must_use]
pub fn is_freeze(bytes: &[u8]) -> bool {
    if !may_be_freeze(bytes) {
        return false;
    }
    let text = &*decode(bytes).text;
    let first =
        crate::text::lines::lines(text).map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if crate::format::usi::looks_like(first) {
        return super::line::is_freeze(first);
    }
    crate::text::lines::lines(text).any(|line| {
        let comment = line.strip_prefix(['*', '#']).or_else(|| line.strip_prefix("'*"));
        match comment {
            Some(comment) => notes::of_comment(comment.trim_start()).is_some(),
            None => inline_note(line).is_some() && is_numbered(line),
        }
    }) || text.trim_start().starts_with('{') && has_json_note(text)
}

/// A quick test of bytes in any encoding: every record of Freeze shogi contains one of these.
pub(crate) fn may_be_freeze(bytes: &[u8]) -> bool {
    let line_of_usi = bytes.trim_ascii_start().first().is_some_and(u8::is_ascii_lowercase);
    memchr::memchr3_iter(b'z', b'Z', b'F', bytes).any(|at| match bytes[at] {
        b'F' => bytes[at..].starts_with(b"Freeze"),
        // The second byte of a kanji in Shift_JIS may be one of these letters.
        _ => line_of_usi || matches!(at.checked_sub(1).map(|before| bytes[before]), Some(b'*' | b'(' | b'"')),
    })
}

/// Whether a JSON string is a note.
fn has_json_note(text: &str) -> bool {
    text.split('"').any(|string| notes::of_comment(string).is_some())
}

fn is_numbered(line: &str) -> bool {
    line.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// Turns `( 0:00/00:00:00) (z金 先手3回 後手2回)` into a line and a comment.
fn notes_on_their_own_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match inline_note(line).filter(|_| is_numbered(line)) {
            Some((before, note)) => {
                out.extend([before, "\n*", INLINE, " ", note, "\n"]);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// The text before a note in brackets, and the note.
fn inline_note(line: &str) -> Option<(&str, &str)> {
    line.match_indices('(').find_map(|(at, _)| {
        let inner = line[at + 1..].split(')').next()?;
        notes::of_inline(inner.trim()).map(|_| (line[..at].trim_end(), inner.trim()))
    })
}

struct Reading {
    warnings: Vec<Warning>,
}

/// Splits the notes of a node into those on freezes and the others.
fn separated(note: NoteRef<'_>) -> (Vec<FreezeNote>, Note) {
    let mut rest = note.to_note();
    rest.comments.retain(|comment| notes::of_comment(comment).is_none());
    rest.remarks.retain(|remark| notes::of_comment(remark.trim_start()).is_none());
    (note.comments.iter().filter_map(notes::of_comment).collect(), rest)
}

impl Reading {
    fn record(&mut self, plain: &Record) -> FreezeRecord {
        let (start, note) = start(plain);
        let mut record = FreezeRecord::new(start);
        record.header = plain.header.clone();
        *record.tree.note_mut(NodeId::ROOT) = note;
        let Ok(mut position) = record.start.position() else {
            self.warnings.push(Warning::Start);
            return record;
        };
        // Nodes of the shogi record from the root to the current one, the corresponding new nodes, and the counts
        // there.
        let mut path = vec![(NodeId::ROOT, NodeId::ROOT, position.left())];
        for id in plain.tree.walk() {
            let parent = plain.tree.parent(id).unwrap_or(NodeId::ROOT);
            let Some(depth) = path.iter().rposition(|(old, ..)| *old == parent) else { continue };
            while path.len() > depth + 1 {
                path.pop();
                position.undo_move();
            }
            // A note on the first move of another branch may have set other counts.
            position.set_left(path[depth].2);
            let node = &plain.tree[id];
            let (freezes, note) = separated(plain.tree.note(id));
            let warned = self.warnings.len();
            let step = match node.step() {
                Some(Step::Move(base)) => match self.play(&mut position, *base, &freezes, node.ply()) {
                    Some(m) => Step::Move(m),
                    None => continue,
                },
                Some(Step::End(ending)) => Step::End(ending.clone()),
                None => continue,
            };
            let played = matches!(step, Step::Move(_));
            let new = record.tree.add(path[depth].1, step);
            record.tree[new].time = node.time;
            if note != Note::EMPTY {
                *record.tree.note_mut(new) = note;
            }
            if played {
                let contradicted = |warning: &Warning| matches!(warning, Warning::Counts { .. });
                if self.warnings[warned..].iter().any(contradicted) {
                    record.start.said.insert(new, position.left());
                }
                path.push((id, new, position.left()));
            }
        }
        record
    }

    /// Plays a move under its notes; `None` if it is illegal.
    fn play(
        &mut self,
        position: &mut Position,
        base: shogi::Move,
        freezes: &[FreezeNote],
        ply: u32,
    ) -> Option<Move> {
        let moved = freezes.iter().find_map(|note| match *note {
            FreezeNote::Move { marker, left } => Some((marker, left)),
            FreezeNote::Start { .. } => None,
        });
        let (marker, said) = moved.map_or((None, None), |(marker, left)| (marker, Some(left)));
        let m = match marker {
            Some(Marker::Freezes(kind)) => Move::freezing(base, kind),
            _ => Move::bare(base),
        };
        if let Some(Marker::Under(kind)) = marker
            && position.frozen() != Some(kind)
        {
            self.warnings.push(Warning::Under { ply });
        }
        let before = position.left();
        let side = position.side();
        if let Some(said) = said {
            let needed = if m.freezes.is_some() { said.with_one_more(side) } else { said };
            if needed != before {
                self.warnings.push(Warning::Counts { ply, said });
                position.set_left(needed);
            }
        }
        if position.is_legal(m) {
            position.do_move(m);
            return Some(m);
        }
        position.set_left(before);
        self.warnings.push(Warning::Illegal { ply });
        None
    }
}

/// The start position, and the other notes there.
fn start(plain: &Record) -> (FreezeStart, Note) {
    let root = plain.tree.note(NodeId::ROOT);
    let (told, rest) = separated(root);
    let said = |note: FreezeNote| match note {
        FreezeNote::Start { marker, left } => Some((marker, left)),
        FreezeNote::Move { .. } => None,
    };
    let remarks = root.remarks.iter().filter_map(|remark| notes::of_comment(remark.trim_start()));
    // Notes before the first move override the header.
    let given = told.into_iter().rev().find_map(said).or_else(|| remarks.rev().find_map(said));
    let is_freeze = |id: NodeId| {
        let is_freeze =
            |note: &FreezeNote| matches!(note, FreezeNote::Move { marker: Some(Marker::Freezes(_)), .. });
        separated(plain.tree.note(id)).0.iter().any(is_freeze)
    };
    let (marker, left) = given.unwrap_or_else(|| {
        (None, if plain.tree.walk().any(is_freeze) { Counts::USUAL } else { Counts::NONE })
    });
    let frozen = match marker {
        Some(Marker::Freezes(kind)) => Some(kind),
        _ => None,
    };
    (FreezeStart { setup: plain.start.clone(), frozen, left, said: BTreeMap::new() }, rest)
}

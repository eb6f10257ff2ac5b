//! Writes records of Freeze shogi as shogi records with notes.

use super::{FreezeRecord, INLINE, main_line, notes};
use crate::format::usi;
use crate::text::encoding::{LineEnd, encode};
use crate::{Format, Loss, NodeId, Record, Step, WriteOptions, Written};
use ::freeze::{Marker, Position};
use game::Position as _;

/// Where to write notes on freezes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NoteStyle {
    /// As comments after the moves that freeze or are made under a freeze.
    #[default]
    Comments,
    /// On the line of every move, with the remaining counts. Only KIF has such lines; other formats get comments.
    Inline,
}

/// Writes a record. Freezes become notes, or part of the moves in a USI line.
#[must_use]
pub fn write(record: &FreezeRecord, options: &WriteOptions, style: NoteStyle) -> Written {
    if options.format == Format::Usi {
        // Only for the losses.
        let mut written = crate::write(&with_notes(record, NoteStyle::Comments), options);
        written.bytes = encode(usi_line(record, *options), options.encoding()).bytes;
        return written;
    }
    let style = if options.format == Format::Kif { style } else { NoteStyle::Comments };
    let mut written = crate::write(&with_notes(record, style), options);
    // Everywhere else they are comments.
    if matches!(options.format, Format::Bod | Format::Usen) {
        written.losses.push(Loss::Freezes);
    }
    if style == NoteStyle::Inline {
        written.bytes = joined(&written.bytes);
    }
    written
}

/// `startpos z3Z3 moves 7g7fzG 3c3d`, with counts at its end if the file stated them.
fn usi_line(record: &FreezeRecord, options: WriteOptions) -> String {
    let start = &record.start;
    let marker = start.frozen.map_or(String::new(), |kind| format!(" {}", Marker::Freezes(kind)));
    let base = format!("{}{marker} {}", usi::start_text(&start.setup), start.left);
    let words = record.moves().map(|m| m.to_string());
    let left =
        main_line(record).last().filter(|_| !start.said.is_empty()).map(|last| last.left().to_string());
    let ending = record.ending().and_then(crate::Ending::usi).map(str::to_owned);
    usi::line_of(base, words.chain(left).chain(ending)) + options.line_end().as_str()
}

/// Every position of the main line as extended SFEN, one to a line.
#[must_use]
pub fn positions(record: &FreezeRecord, line_end: LineEnd) -> String {
    let end = line_end.as_str();
    main_line(record).iter().map(|position| position.to_text() + end).collect()
}

/// The record of shogi with notes.
pub(crate) fn with_notes(record: &FreezeRecord, style: NoteStyle) -> Record {
    let start = &record.start;
    let mut plain = Record::new(start.setup.clone());
    plain.header = record.header.clone();
    let root = plain.tree.note_mut(NodeId::ROOT);
    *root = record.tree.note(NodeId::ROOT).to_note();
    root.comments.insert_first(&notes::start_text(start.frozen.map(Marker::Freezes), start.left));
    let Ok(mut position) = start.position() else { return plain };
    let mut path = vec![(NodeId::ROOT, NodeId::ROOT, position.left())];
    for id in record.tree.walk() {
        let parent = record.tree.parent(id).unwrap_or(NodeId::ROOT);
        let Some(depth) = path.iter().rposition(|(old, ..)| *old == parent) else { continue };
        while path.len() > depth + 1 {
            path.pop();
            position.undo_move();
        }
        // Another branch may have set other counts here.
        position.set_left(path[depth].2);
        let node = &record.tree[id];
        let (step, note) = match node.step() {
            Some(Step::Move(m)) => {
                let marker = m.freezes.map(Marker::Freezes).or(position.frozen().map(Marker::Under));
                if !start.play(&mut position, id, *m) {
                    continue;
                }
                (Step::Move(m.base), note_of(&position, marker, style))
            }
            Some(Step::End(ending)) => (Step::End(ending.clone()), None),
            None => continue,
        };
        let played = matches!(step, Step::Move(_));
        let new = plain.tree.add(path[depth].1, step);
        plain.tree[new].time = node.time;
        let noted = record.tree.note(id);
        if !noted.is_empty() {
            *plain.tree.note_mut(new) = noted.to_note();
        }
        if let Some(note) = note {
            plain.tree.note_mut(new).comments.insert_first(&note);
        }
        if played {
            path.push((id, new, position.left()));
        }
    }
    plain
}

/// The comment on the move that led to a position.
fn note_of(position: &Position, marker: Option<Marker>, style: NoteStyle) -> Option<String> {
    let text = notes::move_text(marker, position.left());
    match style {
        NoteStyle::Comments => marker.map(|_| text),
        NoteStyle::Inline => Some(format!("{INLINE} {text}")),
    }
}

/// Joins inline notes with the line before.
fn joined(bytes: &[u8]) -> Vec<u8> {
    let mark = format!("*{INLINE} ").into_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let Some(note) = line.strip_prefix(&mark[..]) else {
            out.extend_from_slice(line);
            continue;
        };
        let end = note.iter().position(|b| matches!(b, b'\r' | b'\n')).unwrap_or(note.len());
        while matches!(out.last(), Some(b'\r' | b'\n')) {
            out.pop();
        }
        out.extend_from_slice(b" (");
        out.extend_from_slice(&note[..end]);
        out.push(b')');
        out.extend_from_slice(&note[end..]);
    }
    out
}

//! Writing CSA.

use super::position::{name_of, sign, write_start};
use crate::model::header::kif_to_csa;
use crate::text::encoding::Encoding;
use crate::text::kanji::square_digits;
use crate::text::lines::one_line;
use crate::{Board, Field, NodeId, NoteRef, Record, Step};
use shogi::{Color, Move, Origin};
use std::fmt::Write;

/// The version of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// 2.2: whole seconds.
    V22,
    /// 3.0: fractions of seconds, the encoding named in the first line.
    V3(Encoding),
}

pub(crate) fn write(record: &Record, version: Version, end: &str) -> String {
    let mut out = String::new();
    match version {
        Version::V22 => out.push_str("V2.2"),
        Version::V3(encoding) => {
            let name = if encoding == Encoding::ShiftJis { "SHIFT_JIS" } else { "UTF-8" };
            let _ = write!(out, "'CSA encoding={name}{end}V3.0");
        }
    }
    out.push_str(end);
    write_header(&mut out, record, version, end);
    write_note(&mut out, record.tree.note(NodeId::ROOT), end);
    write_start(&mut out, &record.start, end);
    let mut board = Board::from(&record.start);
    for id in record.tree.main_line() {
        let node = &record.tree[id];
        let written = match node.step() {
            Some(Step::Move(m)) => {
                out.push_str(&move_text(&board, *m));
                board.play(*m);
                true
            }
            Some(Step::End(ending)) => match ending.csa(board.side()) {
                Some(word) => {
                    let _ = write!(out, "%{word}");
                    true
                }
                None => false,
            },
            None => false,
        };
        if written {
            out.push_str(end);
        }
        if let Some(time) = node.time.filter(|_| written) {
            let _ = write!(out, "T{}", time.as_secs());
            if version != Version::V22 && time.subsec_millis() > 0 {
                let fraction = format!("{:03}", time.subsec_millis());
                let _ = write!(out, ".{}", fraction.trim_end_matches('0'));
            }
            out.push_str(end);
        }
        write_note(&mut out, record.tree.note(id), end);
    }
    out
}

fn write_header(out: &mut String, record: &Record, version: Version, end: &str) {
    for (color, prefix) in [(Color::Black, "N+"), (Color::White, "N-")] {
        if let Some(name) = record.header.player(color) {
            let _ = write!(out, "{prefix}{}{end}", one_line(name));
        }
    }
    let players = [Field::Black, Field::White, Field::Lower, Field::Upper].map(Field::kif);
    for (name, value) in
        record.header.iter().filter(|(name, value)| !players.contains(name) && !value.is_empty())
    {
        let keyword = match (kif_to_csa(name), version) {
            ("TIME_LIMIT", Version::V3(_)) => "TIME",
            (keyword, _) => keyword,
        };
        let keyword = one_line(keyword).replace(':', "：");
        let _ = write!(out, "${keyword}:{}{end}", one_line(value));
    }
}

fn write_note(out: &mut String, note: NoteRef<'_>, end: &str) {
    // CSA has no empty comments.
    let worded = note.comments.iter().skip_while(|line| line.is_empty());
    let comments = worded.map(|line| ("'*", line));
    let remarks = note.remarks.iter().map(|line| (if line.starts_with('*') { "' " } else { "'" }, line));
    for (mark, line) in comments.chain(remarks) {
        out.push_str(mark);
        out.push_str(&one_line(line));
        out.push_str(end);
    }
}

/// `+7776FU`
pub(crate) fn move_text(board: &Board, m: Move) -> String {
    let mut text = String::with_capacity("+7776FU".len());
    text.push(sign(board.side()));
    match m.origin() {
        Origin::Board(from) => text.extend(square_digits(from)),
        Origin::Hand(_) => text.push_str("00"),
    }
    text.extend(square_digits(m.to()));
    let kind = board.moving(m).map(shogi::Piece::kind);
    let kind = if m.is_promotion() { kind.and_then(shogi::PieceKind::promoted).or(kind) } else { kind };
    text.push_str(kind.map_or("", name_of));
    text
}

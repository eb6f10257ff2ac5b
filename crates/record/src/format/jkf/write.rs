//! Writing JKF.

use super::json::write_text;
use super::{PRESETS, RELATIVE};
use crate::format::csa::name_of;
use crate::format::spoken::{distinction, may_promote};
use crate::{Board, NodeId, NoteRef, Record, Step};
use shogi::{Color, File, HandPiece, Move, Origin, Rank, Setup, Square};
use std::fmt::Write;
use std::time::Duration;

/// Writes one line of JSON. Branches are written from a list of tasks, so they may be nested to any depth.
pub(crate) fn write(record: &Record) -> String {
    let mut out = String::from("{\"header\":{");
    for (i, (name, value)) in record.header.iter().enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        write_text(&mut out, name);
        out.push(':');
        write_text(&mut out, value);
    }
    out.push_str("},\"initial\":{");
    write_start(&mut out, &record.start);
    out.push_str("},\"moves\":[{");
    write_comments(&mut out, record.tree.note(NodeId::ROOT), "");
    out.push('}');
    Writer { record, out, board: Board::from(&record.start), undos: Vec::new(), used: vec![Duration::ZERO] }
        .lines()
}

struct Writer<'a> {
    record: &'a Record,
    out: String,
    board: Board,
    undos: Vec<Option<crate::Undo>>,
    /// By ply of the current line: the time used by the player of that ply.
    used: Vec<Duration>,
}

/// A part that is still to be written.
enum Task {
    /// A node and the line after it.
    Line(NodeId),
    /// A branch, in brackets of its own.
    Fork(NodeId),
    /// The rest of a node after its forks.
    AfterForks(NodeId),
    Literal(&'static str),
}

impl Writer<'_> {
    fn lines(mut self) -> String {
        let tree = &self.record.tree;
        let mut tasks = vec![Task::Literal("]}")];
        if let Some(first) = tree.next(NodeId::ROOT) {
            tasks.push(Task::Line(first));
            self.out.push(',');
        }
        while let Some(task) = tasks.pop() {
            match task {
                Task::Literal(text) => self.out.push_str(text),
                Task::Fork(id) => {
                    self.out.push('[');
                    tasks.push(Task::Literal("]"));
                    tasks.push(Task::Line(id));
                }
                Task::Line(id) => {
                    self.entry(id);
                    let forks: Vec<NodeId> = if tree.is_first(id) {
                        std::iter::successors(tree.sibling(id), |id| tree.sibling(*id)).collect()
                    } else {
                        Vec::new()
                    };
                    tasks.push(Task::AfterForks(id));
                    if !forks.is_empty() {
                        self.out.push_str(",\"forks\":[");
                        tasks.push(Task::Literal("]"));
                        for (i, fork) in forks.iter().enumerate().rev() {
                            tasks.push(Task::Fork(*fork));
                            if i > 0 {
                                tasks.push(Task::Literal(","));
                            }
                        }
                    }
                }
                Task::AfterForks(id) => {
                    self.out.push('}');
                    // The board may be in a fork.
                    self.go_before(id);
                    self.make(id);
                    if let Some(next) = tree.next(id) {
                        self.out.push(',');
                        tasks.push(Task::Line(next));
                    }
                }
            }
        }
        self.out
    }

    /// Moves the board to just before a node of the current line, or of a branch from it.
    fn go_before(&mut self, id: NodeId) {
        while self.undos.len() >= self.record.tree[id].ply() as usize {
            if let Some(Some(undo)) = self.undos.pop() {
                self.board.take_back(undo);
            }
        }
    }

    fn make(&mut self, id: NodeId) {
        let node = &self.record.tree[id];
        let undo = node.played().and_then(|m| self.board.play(*m));
        self.undos.push(undo);
        let ply = node.ply() as usize;
        self.used.truncate(ply);
        let before = if ply >= 2 { self.used[ply - 2] } else { Duration::ZERO };
        self.used.push(before.saturating_add(node.time.unwrap_or_default()));
    }

    /// A node without its closing brace.
    fn entry(&mut self, id: NodeId) {
        self.go_before(id);
        let tree = &self.record.tree;
        let node = &tree[id];
        self.out.push('{');
        match node.step() {
            Some(Step::Move(m)) => {
                let last = tree.parent(id).and_then(|parent| tree[parent].played().copied());
                write_move(&mut self.out, &self.board, *m, last);
            }
            Some(Step::End(ending)) => {
                self.out.push_str("\"special\":");
                write_text(&mut self.out, ending.csa(self.board.side()).unwrap_or(ending.kif()));
            }
            None => {}
        }
        self.make(id);
        if let Some(time) = node.time {
            let (now, total) = (time.as_secs(), self.used[node.ply() as usize].as_secs());
            let _ = write!(
                self.out,
                ",\"time\":{{\"now\":{{\"m\":{},\"s\":{}}},\"total\":{{\"h\":{},\"m\":{},\"s\":{}}}}}",
                now / 60,
                now % 60,
                total / 3600,
                total / 60 % 60,
                total % 60
            );
        }
        write_comments(&mut self.out, self.record.tree.note(id), ",");
    }
}

fn write_comments(out: &mut String, note: NoteRef<'_>, comma: &str) {
    let bookmark = note.bookmark.map(|name| format!("&{name}"));
    let mut lines = note.comments.iter().chain(bookmark.as_deref()).peekable();
    if lines.peek().is_none() {
        return;
    }
    out.push_str(comma);
    out.push_str("\"comments\":[");
    for (i, line) in lines.enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        write_text(out, line);
    }
    out.push(']');
}

fn write_place(out: &mut String, name: &str, square: Square) {
    let _ =
        write!(out, ",\"{name}\":{{\"x\":{},\"y\":{}}}", square.file() as u8 + 1, square.rank() as u8 + 1);
}

fn write_move(out: &mut String, board: &Board, m: Move, last: Option<Move>) {
    let color = usize::from(board.side() == Color::White);
    let piece = board.moving(m).map_or("", |piece| name_of(piece.kind()));
    let _ = write!(out, "\"move\":{{\"color\":{color},\"piece\":\"{piece}\"");
    if let Origin::Board(from) = m.origin() {
        write_place(out, "from", from);
    }
    write_place(out, "to", m.to());
    if last.is_some_and(|last| last.to() == m.to()) {
        out.push_str(",\"same\":true");
    }
    if m.is_promotion() || may_promote(board, m) {
        let _ = write!(out, ",\"promote\":{}", m.is_promotion());
    }
    if let Some(captured) = board.piece_at(m.to()).filter(|_| !m.is_drop()) {
        let _ = write!(out, ",\"capture\":\"{}\"", name_of(captured.kind()));
    }
    let words = distinction(board, m);
    if !words.is_empty() {
        let letters: String =
            words.chars().filter_map(|c| RELATIVE.iter().find(|(k, _)| *k == c).map(|(_, r)| *r)).collect();
        let _ = write!(out, ",\"relative\":\"{letters}\"");
    }
    out.push('}');
}

fn write_start(out: &mut String, start: &Setup) {
    if let Some((preset, _)) = PRESETS.iter().take(16).find(|(_, handicap)| handicap.setup() == *start) {
        let _ = write!(out, "\"preset\":\"{preset}\"");
        return;
    }
    let color = |color: Color| usize::from(color == Color::White);
    let _ = write!(out, "\"preset\":\"OTHER\",\"data\":{{\"color\":{},\"board\":[", color(start.side));
    for file in File::ALL {
        out.push_str(if file == File::F1 { "[" } else { ",[" });
        for rank in Rank::ALL {
            out.push_str(if rank == Rank::R1 { "" } else { "," });
            match start.piece_at(Square::new(file, rank)) {
                None => out.push_str("{}"),
                Some(piece) => {
                    let _ = write!(
                        out,
                        "{{\"color\":{},\"kind\":\"{}\"}}",
                        color(piece.color()),
                        name_of(piece.kind())
                    );
                }
            }
        }
        out.push(']');
    }
    out.push_str("],\"hands\":[");
    for (i, hand) in start.hands.iter().enumerate() {
        out.push_str(if i > 0 { ",{" } else { "{" });
        for (j, piece) in HandPiece::ALL.into_iter().enumerate() {
            let comma = if j > 0 { "," } else { "" };
            let _ = write!(out, "{comma}\"{}\":{}", name_of(piece.kind()), hand.count(piece));
        }
        out.push('}');
    }
    out.push(']');
    if start.ply != 1 {
        // Not in the format's schema; readers that ignore it count from one.
        let _ = write!(out, ",\"ply\":{}", start.ply);
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use crate::{ReadOptions, read};

    #[test]
    fn forks_tell_the_right_pieces() {
        let kif = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ４五角打\n変化：3手\n   3 ２六歩(27)\n   4 ８四歩(83)\n   5 ５八金(49)\n変化：2手\n   2 ８四歩(83)\n";
        let game = read(kif.as_bytes(), &ReadOptions::default()).unwrap().record;
        let json: serde_json::Value = serde_json::from_str(&super::write(&game)).unwrap();
        let mut told = Vec::new();
        let mut waiting = vec![&json["moves"]];
        while let Some(line) = waiting.pop() {
            for entry in line.as_array().unwrap() {
                let m = &entry["move"];
                if m.is_object() {
                    told.push(format!(
                        "{}{}{}",
                        m["color"],
                        m["piece"],
                        m["relative"].as_str().unwrap_or("")
                    ));
                }
                waiting.extend(entry["forks"].as_array().into_iter().flatten());
            }
        }
        let expected = [
            "0\"FU\"", "1\"FU\"", "0\"KA\"", "1\"GI\"", "0\"KA\"", "0\"FU\"", "1\"FU\"", "0\"KI\"R",
            "1\"FU\"",
        ];
        assert_eq!(told, expected);
    }
}

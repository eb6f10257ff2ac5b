//! Shows games as text for people.

use crate::format::analysis;
use crate::format::kif::{diagram, spoken_moves};
use crate::{Board, NodeId, Record, Step};
use std::fmt::Write;

/// What to show of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ShowOptions {
    /// Only the position after this many moves (or the last one, if there are fewer).
    pub ply: Option<u32>,
    /// A diagram after every so many moves; 0 for only the first and the last.
    pub every: u32,
}

/// Header, diagrams, the main line with comments and engine analysis, then the branches.
///
/// ```
/// let loaded = record::read(b"startpos moves 7g7f 3c3d", &Default::default())?;
/// let text = record::show(&loaded.record, &record::ShowOptions::default());
/// assert!(text.contains("1 ▲７六歩") && text.contains("手数＝2"));
/// # Ok::<(), record::ReadError>(())
/// ```
#[must_use]
pub fn show(record: &Record, options: &ShowOptions) -> String {
    let mut out = String::new();
    if let Some(ply) = options.ply {
        let at = record.positions().take(ply as usize + 1).last().unwrap_or_else(|| record.start.clone());
        return diagram(&at);
    }
    for (name, value) in record.header.iter().filter(|(_, value)| !value.trim().is_empty()) {
        let _ = writeln!(out, "{name}：{value}");
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&diagram(&record.start));
    out.push('\n');
    note(&mut out, record, NodeId::ROOT, None);
    let spoken = spoken_moves(record);
    let mut board = Board::from(&record.start);
    let mut shown = 0;
    let mut played = 0;
    for id in record.tree.main_line() {
        let before = board.clone();
        line(&mut out, record, id, &spoken[id.index()]);
        if let Some(m) = record.tree[id].played() {
            board.play(*m);
            played += 1;
        }
        note(&mut out, record, id, Some((&before, &board)));
        if options.every > 0 && played % options.every == 0 && shown != played {
            shown = played;
            let _ = write!(out, "\n{}\n", diagram(&board.setup(record.start.ply + played)));
        }
    }
    branches(&mut out, record, &spoken);
    if played > shown {
        let _ = write!(out, "\n{}", diagram(&board.setup(record.start.ply + played)));
    }
    out
}

fn line(out: &mut String, record: &Record, id: NodeId, spoken: &str) {
    let node = &record.tree[id];
    let _ = write!(out, "{:>4} ", node.ply());
    match node.step() {
        Some(Step::End(ending)) => {
            let _ = write!(out, "{ending}");
        }
        _ => out.push_str(spoken),
    }
    if let Some(time) = node.time.filter(|time| !time.is_zero()) {
        let seconds = time.as_secs();
        let _ = write!(out, "  {}:{:02}", seconds / 60, seconds % 60);
    }
    let others = record.tree.parent(id).map_or(0, |parent| record.tree.children(parent).count() - 1);
    if others > 0 {
        let _ = write!(out, "  (+{others})");
    }
    out.push('\n');
}

fn note(out: &mut String, record: &Record, id: NodeId, boards: Option<(&Board, &Board)>) {
    let note = record.tree.note(id);
    for comment in note.comments {
        let _ = writeln!(out, "       * {comment}");
    }
    if let Some(name) = note.bookmark {
        let _ = writeln!(out, "       & {name}");
    }
    for found in boards.map(|(before, after)| analysis::find(note, before, after)).unwrap_or_default() {
        let score = match found.score {
            Some(analysis::Score::Value(value)) => format!("{value:+}"),
            Some(analysis::Score::Mate(color, Some(plies))) => format!("mate in {plies} for {color}"),
            Some(analysis::Score::Mate(color, None)) => format!("mate for {color}"),
            None => "?".to_owned(),
        };
        let moves: Vec<String> = found.line.iter().take(15).map(ToString::to_string).collect();
        let _ = writeln!(out, "       = {score}  {}", moves.join(" "));
    }
}

fn branches(out: &mut String, record: &Record, spoken: &[String]) {
    let tree = &record.tree;
    let mut main_line = true;
    for id in tree.walk() {
        if !tree.is_first(id) {
            main_line = false;
            let _ = write!(out, "\n変化：{}手\n", tree[id].ply());
        }
        if !main_line {
            line(out, record, id, &spoken[id.index()]);
            note(out, record, id, None);
        }
    }
}

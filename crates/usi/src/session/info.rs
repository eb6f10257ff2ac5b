//! `info` lines.

use crate::MateReport;
use game::{Declaration, Position};
use search::{BestMove, Bound, Line, Report, Value};
use std::fmt::Write;
use std::time::Duration;

/// The style of values and lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) hundred_centipawns: i32,
    /// Whether to append why a line ends (`rep_draw`, `win`, `resign`).
    pub(super) with_ends: bool,
}

/// One line for each principal variation, joined so that nothing is printed in between.
pub(super) fn lines<P: Position>(root: &P, report: &Report<P::Move>, style: Style) -> String {
    let mut text = String::new();
    for (index, line) in report.lines.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        write_line(&mut text, root, report, index, line, style);
    }
    text
}

fn write_line<P: Position>(
    text: &mut String,
    root: &P,
    report: &Report<P::Move>,
    index: usize,
    line: &Line<P::Move>,
    style: Style,
) {
    let milliseconds = report.elapsed.as_millis();
    let speed = nodes_per_second(report.nodes, report.elapsed);
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {speed} hashfull {} time {milliseconds} pv",
        report.depth,
        line.selective_depth.max(report.depth),
        index + 1,
        score(line.value, style.hundred_centipawns),
        report.nodes,
        report.table_fullness,
    );
    for m in root.line_text(&line.moves) {
        let _ = write!(text, " {m}");
    }
    if style.with_ends
        && let Some(end) = end_of(root, &line.moves)
    {
        let _ = write!(text, " {end}");
    }
}

/// The progress of a mate search.
pub(super) fn mate_line<M: std::fmt::Display>(report: &MateReport<M>) -> String {
    let MateReport::Progress { nodes, elapsed, table_fullness, found, line } = report else {
        return String::new();
    };
    let mut text = format!("info depth {} seldepth {}", line.len().max(1), line.len().max(1));
    if let Some(plies) = found {
        let _ = write!(text, " score mate {}", (*plies).max(1));
    }
    let speed = nodes_per_second(*nodes, *elapsed);
    let time = elapsed.as_millis();
    let _ = write!(text, " nodes {nodes} nps {speed} hashfull {table_fullness} time {time} pv");
    for m in line {
        let _ = write!(text, " {m}");
    }
    text
}

/// `cp N` or `mate N`, always with a number.
pub(super) fn score(value: Value, hundred_centipawns: i32) -> String {
    match value.plies_to_mate() {
        // By convention, already being mated is not shown as 0: hosts do not expect that.
        Some(0) => "mate -1".to_owned(),
        Some(plies) => format!("mate {plies}"),
        None => format!("cp {}", centipawns(value, hundred_centipawns)),
    }
}

pub(super) fn centipawns(value: Value, hundred: i32) -> i32 {
    value.get() * 100 / hundred.max(1)
}

pub(super) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1)
}

/// Why a line ends where it does.
fn end_of<P: Position>(root: &P, moves: &[P::Move]) -> Option<String> {
    let mut position = root.clone();
    for m in moves {
        if !position.is_legal(*m) {
            return None;
        }
        position.do_move(*m);
    }
    if let Some(repetition) = position.repetition(moves.len() + 1) {
        return Some(repetition.to_string());
    }
    match position.declaration() {
        Some(Declaration::Win) => Some("win".to_owned()),
        Some(Declaration::Try(m)) => Some(m.to_string()),
        None => match BestMove::at_end(&position)? {
            BestMove::Declare => Some("win".to_owned()),
            _ => Some("resign".to_owned()),
        },
    }
}

/// The lines before `bestmove resign` and `bestmove win`.
pub(super) const RESIGN: &str =
    "info depth 1 seldepth 1 multipv 1 score mate -1 nodes 0 nps 0 hashfull 0 time 0 pv resign";
pub(super) const WIN: &str =
    "info depth 1 seldepth 1 multipv 1 score mate 1 nodes 0 nps 0 hashfull 0 time 0 pv win";

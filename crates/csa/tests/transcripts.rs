//! What the real shogi-server said to two clients, and the files that it wrote: the same moves, times and clocks.

mod table;

use csa::clock::{Clocks, ResumeClock};
use csa::summary::{Summary, SummaryReader};
use csa::wire::{ServerLine, server_line};
use game::Color;
use std::fs;
use std::path::Path;

/// The summary of a transcript and the moves with their seconds.
fn read(text: &str) -> (Summary, Vec<(String, Color, u64)>) {
    let mut reader = SummaryReader::default();
    let mut summary = None;
    let mut moves = Vec::new();
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("< "));
    lines.by_ref().find(|line| server_line(line) == ServerLine::Summary).unwrap();
    for line in lines {
        if summary.is_none() {
            summary = reader.line(line).unwrap();
        } else if let ServerLine::Move { text, side, time } = server_line(line) {
            moves.push((text.to_owned(), side, time.unwrap().as_secs()));
        }
    }
    (summary.unwrap(), moves)
}

#[test]
fn transcripts_are_read_with_equal_clocks() {
    let Some(folder) = table::public("csa_server_transcripts") else { return };
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("transcript_") {
            continue;
        }
        let (summary, moves) = read(&fs::read_to_string(&path).unwrap());
        let file = folder.join(format!("{}.csa", summary.id));
        // The server's file: a move, and its time in the next line.
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let lines: Vec<&str> = text.lines().collect();
        let is_move = |line: &str| line.len() == 7 && line.starts_with(['+', '-']);
        let kept: Vec<(String, u64)> = (0..lines.len())
            .filter(|at| is_move(lines[*at]))
            .map(|at| (lines[at].to_owned(), lines[at + 1].strip_prefix('T').unwrap().parse().unwrap()))
            .collect();
        let heard: Vec<_> = moves.iter().map(|(text, _, time)| (text.clone(), *time)).collect();
        assert!(kept.starts_with(&heard) || heard.starts_with(&kept), "{name}: {heard:?} {kept:?}");
        assert!(heard.len() + 1 >= kept.len(), "{name}");
        check_clocks(&summary, &moves, &path);
        count += 1;
    }
    assert_eq!(count, 10);
}

/// The clocks after every move, by plain arithmetic on seconds.
fn check_clocks(summary: &Summary, moves: &[(String, Color, u64)], path: &Path) {
    let rule = summary.rules[0];
    let (total, byoyomi, increment) =
        (rule.total.as_secs(), rule.byoyomi.as_secs(), rule.increment.as_secs());
    let expected = if summary.id.contains("-300-10F") { (300, 0, 10) } else { (60, 5, 0) };
    assert_eq!((total, byoyomi, increment), expected, "{}", path.display());
    let mut clocks = Clocks::new(summary.rules, &summary.setup_times(), ResumeClock::Safe);
    let mut left = [total; 2];
    for (_, side, time) in moves {
        clocks.spend(*side, std::time::Duration::from_secs(*time));
        left[side.index()] = (left[side.index()] + increment).saturating_sub(*time);
        assert_eq!(Color::ALL.map(|side| clocks.left(side).as_secs()), left, "{}", path.display());
    }
}

//! Whole sessions with the console.

use search::{BestMove, Bound, Line, Report, Settings, Task, Timer, Value};
use shogi::{Move, Position, Shogi};
use std::io::Cursor;
use std::path::PathBuf;
use std::time::Duration;
use usi::options::Folders;
use usi::{Captured, CommandLimits, Engine, Flow, Session, StaticEval};

/// Plays the first legal move, at once, and expects the same of the opponent.
struct First;

impl Engine<Shogi> for First {
    fn name(&self) -> String {
        "First".into()
    }
    fn author(&self) -> String {
        "test".into()
    }
    fn think(
        &mut self,
        task: &Task<Position, Move>,
        _: &Settings,
        _: &dyn Timer,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        let mut position = task.position.clone();
        let mut moves = Vec::new();
        while moves.len() < 3
            && let Some(&first) = position.legal_moves().first()
        {
            position.do_move(first);
            moves.push(first);
        }
        let Some(&best) = moves.first() else { return BestMove::Resign };
        let ponder = moves.get(1).copied();
        let line = Line { value: Value::new(7), bound: Bound::Exact, moves, selective_depth: 3 };
        let found =
            Report { depth: 1, lines: vec![line], nodes: 3, elapsed: Duration::ZERO, table_fullness: 0 };
        report(&found);
        BestMove::Play { best, ponder, report: found }
    }
    fn static_eval(&mut self) -> Option<&mut dyn StaticEval<Shogi>> {
        Some(self)
    }
}

impl StaticEval<Shogi> for First {
    fn evaluate(&mut self, position: &Position) -> i32 {
        position.legal_moves().len() as i32
    }
}

/// Obeys the lines one by one, then all at once: answers are whole lines of ASCII, complaints leave the position
/// alone, only commands that say so change it, every `go` gets exactly one answer, and the end always comes.
pub fn console(data: &[u8]) {
    let mut tests = 0;
    let lines: Vec<&[u8]> = data
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| is_tame(line))
        .filter(|line| {
            tests += usize::from(is_console_test(line));
            tests <= MOST_TESTS || !is_console_test(line)
        })
        .collect();
    let heard = lines.iter().position(|line| word(line, 0) == "quit").unwrap_or(lines.len());
    let asked = lines[..heard].iter().filter(|line| word(line, 0) == "go" && !has(line, "perft")).count();
    let logs = lines.iter().any(|line| mentions_log(line));
    if logs {
        std::fs::create_dir_all(folder()).expect("there is a folder for temporary files");
    }
    one_by_one(&lines, asked);
    as_a_stream(&lines, asked);
    if logs {
        std::fs::remove_dir_all(folder()).expect("it was written here");
    }
}

fn one_by_one(lines: &[&[u8]], asked: usize) {
    let out = Captured::default();
    let mut session = new(&out);
    for line in lines {
        let before = session.position().sfen();
        let flow = session.execute(line);
        let after = session.position().sfen();
        judge(line, &before, &after);
        if flow == Flow::Quit {
            break;
        }
    }
    let sfen = session.position().sfen();
    assert_eq!(Position::from_sfen(&sfen).map(|position| position.sfen()), Ok(sfen));
    session.position().assert_consistent();
    drop(session);
    judge_answers(&out, lines, asked);
}

fn as_a_stream(lines: &[&[u8]], asked: usize) {
    let out = Captured::default();
    let mut session = new(&out);
    session.run(Cursor::new(lines.concat())).expect("memory can be read");
    drop(session);
    judge_answers(&out, lines, asked);
}

fn judge_answers(out: &Captured, lines: &[&[u8]], asked: usize) {
    let text = out.text();
    assert!(text.is_empty() || text.ends_with('\n'), "half a line was written");
    assert!(!text.contains(char::REPLACEMENT_CHARACTER), "answers are text");
    let answers = text.lines().filter(|line| line.starts_with("bestmove ") || line.starts_with("checkmate "));
    assert_eq!(answers.count(), asked, "every go gets one answer:\n{text}");
    assert!(!text.contains("the engine has failed"), "{text}");
    let kanji = lines.iter().any(|line| has(line, "kanji"));
    assert!(text.is_ascii() || kanji, "other than ASCII was written");
}

/// A session in which no line takes long and files are written and read in one folder only.
fn new(out: &Captured) -> Session<Shogi> {
    let folders = Folders::new("/nonexistent", folder());
    let limits = CommandLimits { perft_depth: 1, repetitions: 1, wait: Duration::ZERO };
    Session::with_folders(Shogi::default(), |_| First, out.output(), folders).with_command_limits(limits)
}

/// This process's own folder, there as long as an input asks for logs.
fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("tsumugi-fuzz-console-{}", std::process::id()))
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_start_matches('\u{feff}').to_owned()
}

fn word(line: &[u8], index: usize) -> String {
    text(line).split_whitespace().nth(index).unwrap_or_default().to_owned()
}

fn has(line: &[u8], wanted: &str) -> bool {
    text(line).split_whitespace().any(|word| word == wanted)
}

fn mentions_log(line: &[u8]) -> bool {
    text(line).to_ascii_lowercase().contains("log")
}

/// Whether a line can do no harm. A log may be written to any path, so only names of files are let through; none
/// that `f` would read, as a session that obeys its own log grows it without end.
fn is_tame(line: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" \t\r\n=_<>".contains(byte);
    !mentions_log(line) || (line.iter().all(plain) && word(line, 0) != "f")
}

/// Games of hundreds of moves, even if it is only one: a few of them are enough.
fn is_console_test(line: &[u8]) -> bool {
    ["test", "unittest", "bench"].contains(&word(line, 0).as_str())
}

const MOST_TESTS: usize = 2;

fn judge(line: &[u8], before: &str, after: &str) {
    let changes = ["position", "sfen", "flip", "matsuri"].contains(&word(line, 0).as_str());
    assert!(changes || before == after, "{line:?} changed the position from {before} to {after}");
}

//! Whole sessions with the console.

use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use usi::options::Folders;
use usi::{Engine, Flow, Output, Session};

/// Plays the first legal move, at once.
struct First;

impl Engine<Shogi> for First {
    fn name(&self) -> String {
        "First".into()
    }
    fn author(&self) -> String {
        "nobody".into()
    }
    fn think(
        &mut self,
        task: &Task<Position, Move>,
        _: &Settings,
        _: &dyn Timer,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        let nothing = Report {
            depth: 1,
            lines: Vec::new(),
            nodes: 0,
            elapsed: std::time::Duration::ZERO,
            table_fullness: 0,
        };
        match task.position.legal_moves().first() {
            Some(&best) => BestMove::Play { best, ponder: None, report: nothing },
            None => BestMove::Resign,
        }
    }
}

/// Output that can be looked at.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer dies").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Obeys the lines one by one: answers are whole lines of ASCII, complaints leave the position alone, only
/// commands that say so change it, every `go` gets exactly one answer, and the end always comes.
pub fn console(data: &[u8]) {
    let out = Shared::default();
    let mut session = new(out.clone());
    let mut asked = 0;
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        if takes_long(line) {
            continue;
        }
        let before = session.position().sfen();
        let flow = session.execute(line);
        let after = session.position().sfen();
        judge(line, &before, &after);
        asked += usize::from(word(line, 0) == "go" && !has(line, "perft"));
        if flow == Flow::Quit {
            break;
        }
    }
    let sfen = session.position().sfen();
    assert_eq!(Position::from_sfen(&sfen).map(|position| position.sfen()), Ok(sfen));
    session.position().assert_consistent();
    drop(session);

    let written = out.0.lock().expect("no writer dies").clone();
    assert!(written.is_empty() || written.ends_with(b"\n"), "half a line was written");
    let text = String::from_utf8(written).expect("answers are text");
    let answers = text.lines().filter(|line| line.starts_with("bestmove ") || line.starts_with("checkmate "));
    assert_eq!(answers.count(), asked, "every go gets one answer:\n{text}");
    let kanji = data.split(|byte| *byte == b'\n').any(|line| has(line, "kanji"));
    assert!(text.is_ascii() || kanji, "other than ASCII was written");
}

/// A session in which no line takes long and no file is read or written.
fn new(out: Shared) -> Session<Shogi> {
    let nowhere = Folders::new("/nonexistent", "/nonexistent");
    Session::with_folders(Shogi::default(), First, Output::new(out), nowhere).with_max_perft_depth(1)
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

/// Commands that wait, measure or write files by design, and the stochastic ponder, whose guess is not answered.
fn takes_long(line: &[u8]) -> bool {
    let first = word(line, 0).to_ascii_lowercase();
    ["wait", "sleep", "bench", "test", "unittest", "log"].contains(&first.as_str())
        || text(line).to_ascii_lowercase().contains("log")
        || text(line).to_ascii_lowercase().contains("stochastic")
}

fn judge(line: &[u8], before: &str, after: &str) {
    let changes = ["position", "sfen", "flip", "matsuri"].contains(&word(line, 0).as_str());
    assert!(changes || before == after, "{line:?} changed the position from {before} to {after}");
}

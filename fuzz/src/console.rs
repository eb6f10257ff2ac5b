//! Whole sessions with the console.

use shogi::{Position, Shogi};
use tsumugi::console::{Console, Flow};

/// Obeys the lines one by one: answers are whole lines of ASCII, complaints leave the position alone, only
/// commands that say so change it; and a session read from a stream answers the same.
pub fn console(data: &[u8]) {
    let mut console = new();
    let mut answers = Vec::new();
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        let before = console.position().sfen();
        let mut out = Vec::new();
        let flow = console.execute(line, &mut out).expect("writing to memory does not fail");
        let after = console.position().sfen();
        judge(line, &out, &before, &after);
        answers.extend(out);
        if flow == Flow::Quit {
            break;
        }
    }
    let sfen = console.position().sfen();
    assert_eq!(Position::from_sfen(&sfen).map(|position| position.sfen()), Ok(sfen));
    console.position().assert_consistent();

    let mut streamed = Vec::new();
    new().run(data, &mut streamed).expect("memory does not fail");
    assert_eq!(without_times(&streamed), without_times(&answers));
}

/// A session in which no line takes long.
fn new() -> Console<Shogi> {
    Console::new(Shogi::default()).with_max_perft_depth(1)
}

fn judge(line: &[u8], out: &[u8], before: &str, after: &str) {
    let line = String::from_utf8_lossy(line);
    let mut words = line.trim_start_matches('\u{feff}').split_whitespace();
    let (word, argument) = (words.next(), words.next());
    let kanji = (word, argument) == (Some("d"), Some("kanji"));
    assert!(out.is_ascii() || kanji, "{line:?} is answered in other than ASCII");
    assert!(out.is_empty() || out.ends_with(b"\n"), "{line:?} is answered by half a line");
    let answer = str::from_utf8(out).expect("answers are text");
    let complaint = answer.starts_with("info string Error!") || answer.starts_with("info string unknown");
    if complaint {
        assert_eq!(answer.lines().count(), 1, "{line:?} costs more than one line");
    }
    let changes = matches!(word, Some("position" | "sfen" | "flip" | "matsuri")) && !complaint;
    assert!(changes || before == after, "{line:?} changed the position from {before} to {after}");
    if (word, argument) == (Some("sfen"), None) {
        assert_eq!(answer.trim_end(), after);
    }
}

/// The answers but for how long something took.
fn without_times(answers: &[u8]) -> Vec<&[u8]> {
    let timed = |line: &[u8]| {
        line.starts_with(b"info string Elapsed Time") || line.trim_ascii_end().ends_with(b" NPS")
    };
    answers.split_inclusive(|byte| *byte == b'\n').filter(|line| !timed(line)).collect()
}

use super::probe::{Probe, ms, position, seconds};
use super::{Trouble, Verdict, fail, warn};
use game::Position as _;
use std::time::Duration;

/// Two golds and a pawn against a bare king.
const MATE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
const NO_MATE: &str = "sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1";
const UNCLEAR: &str = "sfen ln1gk2nl/1r4gb1/p1p1ppsp1/3p2p1p/1p5P1/P1P1P1P1P/1P1PSP3/1BG1G2R1/LNS1K2NL b - 1";

/// The words after `checkmate`.
fn checkmate(probe: &mut Probe, patience: Duration) -> Result<Vec<String>, Trouble> {
    let is = |line: &str| line.starts_with("checkmate") || line.starts_with("bestmove");
    let lines = probe.until("checkmate", patience, is)?;
    let last = lines.last().map_or("", String::as_str);
    let words: Vec<String> = last.split_ascii_whitespace().map(str::to_owned).collect();
    match words.first().map(String::as_str) {
        Some("checkmate") if words.get(1).is_some_and(|word| word == "notimplemented") => {
            warn("checkmate notimplemented")
        }
        Some("checkmate") => Ok(words[1..].to_vec()),
        _ => fail(format!("`{last}` instead of checkmate")),
    }
}

fn ask(probe: &mut Probe, command: &str, go: &str, patience: Duration) -> Result<Vec<String>, Trouble> {
    probe.say_all(&[&format!("position {command}"), go])?;
    checkmate(probe, patience)
}

pub(super) fn finds(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let moves = ask(probe, MATE, "go mate infinite", seconds(8))?;
    let mut board = position(MATE);
    for word in &moves {
        match board.parse_move(word) {
            Ok(m) => board.do_move(m),
            Err(_) => {
                return fail(format!("`{word}` in `checkmate {}` is not a legal move", moves.join(" ")));
            }
        }
    }
    if board.has_legal_move() {
        return fail(format!("`checkmate {}` does not end in mate", moves.join(" ")));
    }
    probe.no_bestmove_for(ms(300), "after checkmate").map(|_| ())
}

pub(super) fn refutes(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let words = ask(probe, NO_MATE, "go mate infinite", seconds(10))?;
    if words == ["nomate"] {
        Ok(())
    } else {
        fail(format!("`checkmate {}` instead of nomate", words.join(" ")))
    }
}

pub(super) fn keeps_time(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    ask(probe, "startpos", "go mate 500", ms(1500)).map(|_| ())
}

pub(super) fn stops(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&[&format!("position {UNCLEAR}"), "go mate infinite"])?;
    // It may be solved before that.
    std::thread::sleep(ms(300));
    probe.say("stop")?;
    checkmate(probe, seconds(3))?;
    let more = probe.no_bestmove_for(ms(300), "after checkmate")?;
    let second = more.iter().any(|line| line.starts_with("checkmate"));
    if second { fail("a second checkmate line") } else { Ok(()) }
}

pub(super) fn other_forms(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    for go in ["go nodes 100000 mate infinite", "go mate nodes 100000", "go mate"] {
        ask(probe, MATE, go, seconds(8))?;
    }
    Ok(())
}

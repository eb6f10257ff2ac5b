//! Sessions of the original program, line by line, apart from its defects.

use binarsi::{Board, Console, Move, Player, Thought};
use platform::Language;
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

/// Plays what the transcript shows.
struct Script(VecDeque<Move>);

const SHRUG: &str = "info depth 0 seldepth 0 time 1 nodes 0 score cp 0 string I'm random move";

impl Player for Script {
    fn think(&mut self, board: &Board) -> Thought {
        let best = self.0.pop_front().expect("the transcript shows a move");
        let wins = board.state().after(best).ending().is_some();
        let info = if wins { format!("info score mate 1 pv {best}") } else { SHRUG.to_owned() };
        Thought { info: vec![info], best }
    }
}

struct Exchange {
    command: String,
    answer: Vec<String>,
}

fn exchanges(name: &str) -> Vec<Exchange> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/binarsi/transcripts").join(name);
    let text = std::fs::read_to_string(path).expect("the file is part of the repository");
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("> ") {
            exchanges.push(Exchange { command: command.to_owned(), answer: Vec::new() });
        } else if let Some(last) = exchanges.last_mut() {
            last.answer.push(line.to_owned());
        }
    }
    exchanges
}

/// The computer's moves: what `go` answers, and every second move of `play`, all moves of `selfmatch`.
fn computer_moves(exchanges: &[Exchange]) -> VecDeque<Move> {
    let mut moves = VecDeque::new();
    for exchange in exchanges {
        let after = |mark: &str| {
            let found = exchange.answer.iter().filter_map(|line| line.split_once(mark)).map(|(_, rest)| rest);
            found.filter_map(|rest| Move::from_text(rest.split_whitespace().next()?)).collect::<Vec<_>>()
        };
        match exchange.command.split_whitespace().next() {
            Some("go") => moves.extend(after("bestmove ")),
            Some("play") => moves.extend(after("| moved ").into_iter().skip(1)),
            Some("selfmatch") => moves.extend(after("| moved ")),
            _ => {}
        }
    }
    moves
}

/// What both may write differently: time, name, the defects of the line "from beginning", the count of edits where there
/// were none, internal names, the points at the end, hints.
fn comparable(line: &str) -> Option<String> {
    let line = line.trim_end();
    // What the original does not say: the points at the end, and a hint where a word is unknown.
    if ["結果：", "点数：", "info string 知らないコマンドです", "info string そのオプションは"]
        .iter()
        .any(|begin| line.starts_with(begin))
    {
        return None;
    }
    if line.starts_with("id name") || line.starts_with("option name") || line.starts_with("[exit code") {
        return None;
    }
    if line.ends_with("usinewgame end") {
        return Some("usinewgame end".to_owned());
    }
    if line.starts_with("[from beginning]") {
        return Some(line.split_once(" moves ").map_or("beginning", |(_, moves)| moves).to_owned());
    }
    if line.starts_with("# gameover") {
        return Some(line.replace("searched_gameover.", "").replace("searched_clear_targets.clear", "clear"));
    }
    if let Some((left, right)) = line.split_once(" edits ") {
        let left = left.rsplit_once("| ").map_or(left, |(left, _)| left);
        return Some(format!("{left}{right}"));
    }
    Some(line.to_owned())
}

fn answer(console: &mut Console<Vec<u8>, Script>, command: &str) -> Vec<String> {
    let before = console.output().len();
    let _ = console.obey(command).expect("writing to memory");
    String::from_utf8(console.output()[before..].to_vec()).unwrap().lines().map(str::to_owned).collect()
}

/// Replays a transcript; `defects` are the commands, by their number, whose answer the original gets wrong.
fn replay(name: &str, defects: &[usize]) {
    replay_parts(name, defects, |_| true);
}

/// The same for those lines only that `part` chooses.
fn replay_parts(name: &str, defects: &[usize], part: fn(&str) -> bool) {
    let exchanges = exchanges(name);
    let script = Script(computer_moves(&exchanges));
    let mut console = Console::new("Test", script, Vec::new(), Language::Japanese, Duration::ZERO);
    let mut different = Vec::new();
    for (number, exchange) in exchanges.iter().enumerate() {
        let found = answer(&mut console, &exchange.command);
        let lines = |lines: &[String]| {
            lines.iter().filter_map(|line| comparable(line)).filter(|line| part(line)).collect::<Vec<_>>()
        };
        let (found, expected) = (lines(&found), lines(&exchange.answer));
        if found != expected {
            if !defects.contains(&number) {
                println!("{}\n{}\n--- expected\n{}", exchange.command, found.join("\n"), expected.join("\n"));
            }
            different.push(number);
        }
    }
    assert_eq!(different, defects, "{name}: commands with another answer than expected");
}

#[test]
fn first_steps() {
    // `dump` shows internals; `inverse 3s1` ends the original.
    replay("seed_01_basic.txt", &[10, 13]);
}

#[test]
fn moves_and_undo() {
    // `inverse` of c and e is not implemented in the original and says so in its own words.
    replay("seed_02_do_undo.txt", &[4, 5]);
}

#[test]
fn play() {
    // The explanation of an illegal move is ours.
    replay("seed_03_play.txt", &[4]);
}

#[test]
fn edits() {
    // The original cannot undo a cut.
    replay("seed_04_edit.txt", &[11]);
}

#[test]
fn positions() {
    // The original forgets targets cleared by `position … moves` and keeps them when the move is undone.
    replay("seed_06_position.txt", &[5, 6, 7, 9, 10, 27, 28]);
}

#[test]
fn a_win() {
    replay("seed_11_win.txt", &[]);
}

#[test]
fn the_computer_wins() {
    // The original congratulates the person who has lost.
    replay("seed_14_computer_wins.txt", &[1]);
}

#[test]
fn games_against_itself() {
    // Headers and SFENs show the targets, where the original overlooks diagonals.
    replay_parts("seed_12_selfmatch.txt", &[], |line| {
        !line.starts_with('[') && !line.starts_with("# gameover")
    });
}

#[test]
fn moves_of_the_bug_list() {
    replay("seed_15_buglist.txt", &[]);
}

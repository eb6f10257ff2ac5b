//! Games and counts made by independent programs.

use binarsi::{Binarsi, Board, Ending, Move, State};
use game::{Color, Game, Position};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/binarsi").join(name);
    let text = std::fs::read_to_string(path).expect("the file is part of the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// The rows of a SFEN as the data draws them.
fn drawn(board: &Board) -> Vec<String> {
    let sfen = board.to_string();
    let rows = sfen.split_whitespace().next().unwrap().split('/');
    let letter = |c: char| match c {
        'x' => "1".to_owned(),
        'o' => "0".to_owned(),
        digit => ".".repeat(digit.to_digit(10).unwrap() as usize),
    };
    rows.map(|row| row.chars().map(letter).collect()).collect()
}

fn check_ply(board: &Board, ply: &Value) {
    let sfen = if *board == Board::START { "startpos".to_owned() } else { board.to_string() };
    assert_eq!(sfen, text(&ply["sfen"]));
    assert_eq!(&text(&ply["sfen"]).parse::<Board>().unwrap(), board);
    let listed = board.state().listed_moves();
    let words = |keep: &dyn Fn(&binarsi::Listed) -> Option<String>| {
        listed.iter().filter_map(keep).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words(&|l| Some(l.code.to_string())), text(&ply["legal"]), "{sfen}");
    assert_eq!(listed.len(), board.state().move_count() as usize);
    assert_eq!(words(&|l| l.same.is_none().then(|| l.code.to_string())), text(&ply["distinct"]), "{sfen}");
    assert_eq!(words(&|l| l.same.map(|same| format!("{}={same}", l.code))), text(&ply["same"]), "{sfen}");
}

#[test]
fn games_are_reproduced() {
    let games = lines("games_shared.jsonl");
    assert_eq!(games.len(), 200);
    for game in &games {
        let mut board = Board::START;
        for ply in game["plies"].as_array().unwrap() {
            assert_eq!(board.state().ending(), None);
            check_ply(&board, ply);
            let m = Move::from_text(text(&ply["move"])).unwrap();
            assert!(board.state().allows(m));
            board = board.after(m);
            assert_eq!(drawn(&board), serde_json::from_value::<Vec<String>>(ply["board"].clone()).unwrap());
            assert_eq!(board.state().locks().to_string(), text(&ply["locks"]));
            let numbers: Vec<i64> =
                binarsi::Target::ALL.map(|t| board.clears().number(t).map_or(-1, i64::from)).into();
            assert_eq!(numbers, serde_json::from_value::<Vec<i64>>(ply["targets"].clone()).unwrap());
        }
        assert_eq!(board.to_string(), text(&game["final_sfen"]));
        let ending = board.state().ending().expect("the game is over");
        let winner = if text(&game["winner"]) == "b" { Color::Black } else { Color::White };
        let expected = match text(&game["reason"]) {
            "targets" => Ending::Targets { winner },
            "simultaneous" => Ending::Simultaneous { winner },
            _ => Ending::Full { winner },
        };
        assert_eq!(ending, expected);
        let stones = ["black", "white"].map(|color| game[color].as_u64().unwrap() as u32);
        assert_eq!(board.state().stones(), stones);
        let whole = Binarsi.position_command(&format!("startpos moves {}", text(&game["moves"]))).unwrap();
        assert_eq!(whole.to_text(), text(&game["final_sfen"]));
        assert_eq!(whole.outcome().and_then(game::Outcome::winner), Some(winner));
        assert!(whole.legal_moves().is_empty());
    }
}

#[test]
fn perft_of_all_moves() {
    for (depth, count) in [(1, 4), (2, 76), (3, 1974), (4, 59_099), (5, 2_065_063)] {
        assert_eq!(game::perft(&mut Binarsi.startpos(), depth), count);
    }
    assert_eq!(game::perft_making_leaves(&mut Binarsi.startpos(), 4), 59_099);
}

#[test]
#[ignore = "slow: `cargo test --release -p tsumugi-binarsi -- --ignored`"]
fn deep_perft_of_all_moves() {
    assert_eq!(game::perft(&mut Binarsi.startpos(), 6), 82_853_428);
    assert_eq!(game::perft(&mut Binarsi.startpos(), 7), 3_790_655_736);
}

fn distinct_perft(state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.ending().is_some() {
        return 0;
    }
    state.distinct_moves().into_iter().map(|m| distinct_perft(&state.after(m), depth - 1)).sum()
}

#[test]
fn perft_of_distinct_moves() {
    for (depth, count) in [(1, 4), (2, 32), (3, 356), (4, 5568), (5, 123_232)] {
        assert_eq!(distinct_perft(&State::START, depth), count);
    }
}

/// The positions after one more move of any of `states`.
fn next_level(states: &HashSet<State>, image: fn(&State) -> State) -> HashSet<State> {
    let mut next = HashSet::new();
    for state in states.iter().filter(|state| state.ending().is_none()) {
        let mut moves = binarsi::Moves::new();
        state.moves(&mut moves);
        next.extend(moves.iter().map(|m| image(&state.after(*m))));
    }
    next
}

#[test]
fn different_positions() {
    let mut all = HashSet::from([State::START]);
    for count in [4, 30, 218, 2070, 23_541] {
        all = next_level(&all, |state| *state);
        assert_eq!(all.len(), count);
    }
    let mut folded = HashSet::from([State::START]);
    for count in [4, 30, 205, 1866, 20_442] {
        folded = next_level(&folded, State::canonical);
        assert_eq!(folded.len(), count);
    }
}

//! Positions solved by another program.

use binarsi::{Binarsi, Move, Moves, Solver};
use game::{Color, Game};
use std::num::NonZeroUsize;
use std::path::Path;

#[test]
fn winners_and_winning_moves() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/binarsi/solved_shared.jsonl");
    let text = std::fs::read_to_string(path).expect("the file is part of the repository");
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let word = |name: &str| line[name].as_str().unwrap().to_owned();
        let position = Binarsi.position_command(&format!("startpos moves {}", word("moves"))).unwrap();
        let state = position.state();
        let solver = Solver::new(16, NonZeroUsize::MIN).unwrap();
        let winner = if word("winner") == "b" { Color::Black } else { Color::White };
        assert_eq!(solver.winner(state), Ok(winner));
        // All moves of the earliest positions would take most of the time of all tests.
        if line["ply"].as_u64() < Some(12) && cfg!(debug_assertions) {
            continue;
        }
        let mut moves = Moves::new();
        state.moves(&mut moves);
        let wins = |m: &Move| solver.winner(&state.after(*m)) == Ok(state.side());
        let mut winning: Vec<_> = moves.iter().filter(|m| wins(m)).map(ToString::to_string).collect();
        winning.sort();
        assert_eq!(winning.join(" "), word("winning_moves"), "{}", word("moves"));
    }
}

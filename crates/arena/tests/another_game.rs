//! A game that is nothing like shogi has the same referee.

#[path = "../../game/tests/tic_tac_toe.rs"]
mod tic_tac_toe;

use arena::{Adjudication, Answer, GameFiles, Referee, Ruling};
use record::notation::Readable;
use tic_tac_toe::TicTacToe;

impl Readable for TicTacToe {}

impl GameFiles for TicTacToe {}

fn answer(best: &str) -> Answer {
    Answer { best: best.to_owned(), ponder: None }
}

#[test]
fn tic_tac_toe_is_refereed() {
    let mut referee = Referee::new(&TicTacToe, "startpos moves 2b", Adjudication::default()).unwrap();
    let mut verdict = None;
    for best in ["1a", "2a", "3c", "2c"] {
        let Ruling::Play(m) = referee.judge(&answer(best)) else { panic!("{best} is legal") };
        assert_eq!(verdict, None);
        verdict = referee.play(m, None);
    }
    assert_eq!(referee.command(), "position startpos moves 2b 1a 2a 3c 2c");
    assert_eq!(verdict.unwrap().to_string(), "black wins, goal reached");

    let referee = Referee::new(&TicTacToe, "startpos moves 2b", Adjudication::default()).unwrap();
    for (best, expected) in [
        ("2b", "black wins, illegal move (2b)"),
        ("4d", "black wins, garbage for a move (4d)"),
        ("win", "black wins, false declaration"),
        ("resign", "black wins, resignation"),
    ] {
        let Ruling::End(None, verdict) = referee.judge(&answer(best)) else { panic!("{best} ends the game") };
        assert_eq!(verdict.to_string(), expected);
    }
}

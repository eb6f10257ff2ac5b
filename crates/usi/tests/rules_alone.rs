//! A game that implements its rules and nothing else has a console and can be played by an engine that does not search.

#[path = "../../game/tests/tic_tac_toe.rs"]
mod tic_tac_toe;

use game::Position as _;
use platform::random::Random;
use search::{BestMove, Bound, Line, Report, Settings, Task, Timer, Value};
use std::time::Duration;
use tic_tac_toe::{Board, Cell, TicTacToe};
use usi::options::Folders;
use usi::{Captured, Engine, Session};

struct RandomMover(Random);

impl Engine<TicTacToe> for RandomMover {
    fn name(&self) -> String {
        "Random Mover".into()
    }

    fn author(&self) -> String {
        "test".into()
    }

    fn think(
        &mut self,
        task: &Task<Board, Cell>,
        _: &Settings,
        _: &dyn Timer,
        _: &mut dyn FnMut(&Report<Cell>),
    ) -> BestMove<Cell> {
        let moves = task.position.legal_moves();
        let best = moves[self.0.below(moves.len())];
        let line = Line { value: Value::ZERO, bound: Bound::Exact, moves: vec![best], selective_depth: 1 };
        let report =
            Report { depth: 1, lines: vec![line], nodes: 1, elapsed: Duration::ZERO, table_fullness: 0 };
        BestMove::Play { best, ponder: None, report }
    }
}

#[test]
fn the_rules_give_a_console_and_a_random_player() {
    let out = Captured::default();
    let nowhere = Folders::new("/nonexistent", "/nonexistent");
    let mut session =
        Session::with_folders(TicTacToe, |_| RandomMover(Random::new(1)), out.output(), nowhere);
    let input = "position startpos moves 1a 2b 3c 1c 3a 2a 2c\nd\nmoves\nsfen\ngo perft 2\ngo\nwait\n";
    session.run(std::io::Cursor::new(input.to_owned())).unwrap();
    drop(session);
    let lines = out.lines();
    let text = "1a 2b 3c 1c 3a 2a 2c";
    assert_eq!(lines[..4], [text, &format!("sfen {text}"), "1b 3b", text]);
    assert!(lines.contains(&"Nodes searched: 2".to_owned()), "{lines:?}");
    let answer = lines.last().unwrap();
    assert!(["bestmove 1b", "bestmove 3b"].contains(&answer.as_str()), "{answer}");
}

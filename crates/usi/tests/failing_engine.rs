//! An engine that panics: the host gets its answers all the same, and the session goes on.

use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use usi::options::{Folders, Options, PlaySettings};
use usi::{Captured, Engine, Mate, MateLimits, MateSolver, Session, StaticEval};

/// Panics whenever it is Black's turn, and in everything that has no turn.
struct Failing;

fn fail(position: &Position) {
    assert!(position.side() != game::Color::Black, "it is Black's turn");
}

impl Engine<Shogi> for Failing {
    fn name(&self) -> String {
        "Failing".into()
    }
    fn author(&self) -> String {
        "test".into()
    }
    fn prepare(&mut self, _: &PlaySettings, _: &Options, _: &mut dyn FnMut(&str)) -> Result<(), String> {
        panic!("not ready");
    }
    fn new_game(&mut self) {
        panic!("{} games are enough", 0);
    }
    fn think(
        &mut self,
        task: &Task<Position, Move>,
        _: &Settings,
        _: &dyn Timer,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        fail(&task.position);
        BestMove::Declare
    }
    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<Shogi>> {
        Some(self)
    }
    fn static_eval(&mut self) -> Option<&mut dyn StaticEval<Shogi>> {
        Some(self)
    }
}

impl MateSolver<Shogi> for Failing {
    fn solve_mate(
        &mut self,
        position: &Position,
        _: &MateLimits,
        _: &dyn Timer,
        _: &mut dyn FnMut(usi::MateReport<Move>),
    ) -> Mate<Move> {
        fail(position);
        Mate::NoMate
    }
}

impl StaticEval<Shogi> for Failing {
    fn evaluate(&mut self, position: &Position) -> i32 {
        fail(position);
        7
    }
}

/// What a session answers, each line obeyed to its end before the next is said.
fn answers(lines: &[&str]) -> Vec<String> {
    let out = Captured::default();
    let nowhere = Folders::new("/nonexistent", "/nonexistent");
    let mut session = Session::with_folders(Shogi::default(), |_| Failing, out.output(), nowhere);
    for line in lines {
        let _ = session.execute(line.as_bytes());
    }
    drop(session);
    out.lines()
}

const NOT_READY: &str = "info string Error! the engine has failed: not ready";
const BLACK: &str = "info string Error! the engine has failed: it is Black's turn";
const WIN: &str = "info depth 1 seldepth 1 multipv 1 score mate 1 nodes 0 nps 0 hashfull 0 time 0 pv win";

#[test]
fn every_go_is_answered() {
    assert_eq!(answers(&["go byoyomi 1", "wait"]), [NOT_READY, BLACK, "bestmove resign"]);
    assert_eq!(answers(&["go mate infinite", "wait"]), [NOT_READY, BLACK, "checkmate timeout"]);
    // Still not before `stop`.
    let mut said = answers(&["go infinite", "wait 30", "side", "stop", "wait", "side"]);
    said.retain(|line| !line.starts_with("info"));
    assert_eq!(said, ["black", "bestmove resign", "black"]);
}

#[test]
fn the_session_goes_on() {
    let said = answers(&["isready", "go", "wait", "position startpos moves 7g7f", "go", "wait", "go mate"]);
    let expected = [NOT_READY, "readyok", BLACK, "bestmove resign", WIN, "bestmove win", "checkmate nomate"];
    assert_eq!(said, expected);
    let said = answers(&["isready", "usinewgame", "eval", "position startpos moves 7g7f", "eval", "bench"]);
    let new_game = "info string Error! the engine has failed: 0 games are enough";
    assert_eq!(said, [NOT_READY, "readyok", new_game, BLACK, "eval = 7", new_game]);
}

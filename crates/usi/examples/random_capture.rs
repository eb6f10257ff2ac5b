//! A USI engine for the lower end of the ladder of levels (`docs/levels.md`): it captures at random where it can, and else
//! plays any legal move.

use platform::Random;
use search::{BestMove, Bound, Line, Report, Settings, Task, Timer, Value};
use shogi::{Move, Position, Shogi};
use std::time::Duration;
use usi::{Engine, Output, Session};

struct RandomCapture(Random);

impl Engine<Shogi> for RandomCapture {
    fn name(&self) -> String {
        "random captures".to_owned()
    }

    fn author(&self) -> String {
        "Tsumugi".to_owned()
    }

    fn think(
        &mut self,
        task: &Task<Position, Move>,
        _: &Settings,
        _: &dyn Timer,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        let moves = game::Position::legal_moves(&task.position);
        let captures: Vec<Move> = moves.iter().copied().filter(|m| task.position.is_capture(*m)).collect();
        let among = if captures.is_empty() { &moves[..] } else { &captures };
        let Some(best) = among.get(self.0.below(among.len())).copied() else { return BestMove::Resign };
        let line = Line { value: Value::ZERO, bound: Bound::Exact, moves: vec![best], selective_depth: 0 };
        let report =
            Report { depth: 1, lines: vec![line], nodes: 1, elapsed: Duration::ZERO, table_fullness: 0 };
        BestMove::Play { best, ponder: None, report }
    }
}

fn main() -> std::io::Result<()> {
    let engine = |_: &mut usi::options::Options| RandomCapture(Random::new(Random::fresh_seed()));
    Session::new(Shogi::default(), engine, Output::new(std::io::stdout())).run(std::io::stdin())
}

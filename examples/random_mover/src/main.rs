//! A complete USI engine: it plays random moves.

use platform::Random;
use search::{BestMove, Bound, Line, Report, Settings, Task, Timer, Value};
use shogi::{Move, Position, Shogi};
use std::io;
use std::time::Duration;
use usi::options::{Options, PlaySettings, SpinId};
use usi::{Engine, Output, Session};

/// Declares wins, resigns when mated, and otherwise plays any legal move.
struct RandomMover {
    seed: SpinId,
    random: Random,
}

impl RandomMover {
    /// Declares its option.
    fn new(options: &mut Options) -> Self {
        let seed = options.spin("Seed", 0, 0..=1 << 32, "the same games again; 0 = other ones each time");
        Self { seed, random: Random::new(0) }
    }
}

impl Engine<Shogi> for RandomMover {
    fn name(&self) -> String {
        "Random Mover".into()
    }

    fn author(&self) -> String {
        "the Tsumugi contributors".into()
    }

    fn prepare(
        &mut self,
        _: &PlaySettings,
        options: &Options,
        _: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let seed = options.get(self.seed) as u64;
        self.random = Random::new(if seed == 0 { Random::fresh_seed() } else { seed });
        Ok(())
    }

    fn think(
        &mut self,
        task: &Task<Position, Move>,
        _: &Settings,
        _: &dyn Timer,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        let moves = task.position.legal_moves();
        if moves.is_empty() {
            return BestMove::Resign;
        }
        if task.position.declaration().is_some() {
            return BestMove::Declare;
        }
        let best = moves[(self.random.next() % moves.len() as u64) as usize];
        let line = Line { value: Value::ZERO, bound: Bound::Exact, moves: vec![best], selective_depth: 1 };
        let report =
            Report { depth: 1, lines: vec![line], nodes: 1, elapsed: Duration::ZERO, table_fullness: 0 };
        BestMove::Play { best, ponder: None, report }
    }
}

fn main() -> io::Result<()> {
    let mut session = Session::new(Shogi::default(), RandomMover::new, Output::new(io::stdout()));
    session.start_up();
    session.run(io::stdin())
}

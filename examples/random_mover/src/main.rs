//! A complete USI engine: it plays random moves.

use search::{BestMove, Bound, Line, Report, Settings, Task, Timer, Value};
use shogi::{Move, Position, Shogi};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::time::Duration;
use usi::options::{Options, SpinId};
use usi::{Engine, Output, Session};

/// Declares wins, resigns when mated, and otherwise plays any legal move.
#[derive(Default)]
struct RandomMover {
    seed: Option<SpinId>,
    state: u64,
}

impl RandomMover {
    /// The next number of `SplitMix64`.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

impl Engine<Shogi> for RandomMover {
    fn name(&self) -> String {
        "Random Mover".into()
    }

    fn author(&self) -> String {
        "the Tsumugi contributors".into()
    }

    fn declare_options(&mut self, options: &mut Options) {
        self.seed =
            Some(options.spin("Seed", 0, 0..=1 << 32, "the same games again; 0 = other ones each time"));
    }

    fn prepare(&mut self, options: &Options, _: &mut dyn FnMut(&str)) -> Result<(), String> {
        let seed = self.seed.map_or(0, |id| options.get(id));
        self.state = if seed == 0 { RandomState::new().hash_one(0) } else { seed as u64 };
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
        let best = moves[(self.random() % moves.len() as u64) as usize];
        let line = Line { value: Value::ZERO, bound: Bound::Exact, moves: vec![best], selective_depth: 1 };
        let report =
            Report { depth: 1, lines: vec![line], nodes: 1, elapsed: Duration::ZERO, table_fullness: 0 };
        BestMove::Play { best, ponder: None, report }
    }
}

fn main() -> io::Result<()> {
    let mut session = Session::new(Shogi::default(), RandomMover::default(), Output::new(io::stdout()));
    session.start_up();
    session.run(io::stdin())
}

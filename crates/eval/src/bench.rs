//! `bench eval`: evaluations per second.

use crate::Evaluator;
use crate::nnue::Isa;
use game::Evaluation;
use shogi::{Change, Position};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// When a measurement ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchLength {
    /// After this time.
    Time(Duration),
    /// After this many passes over the positions.
    Rounds(u64),
}

/// Positions of games with random moves, the same on every machine.
#[derive(Clone, Debug)]
pub struct EvalBench {
    positions: Vec<Position>,
    moves: u64,
    changes: Vec<Change>,
}

impl Default for EvalBench {
    fn default() -> Self {
        Self::new()
    }
}

impl EvalBench {
    /// Makes the positions.
    #[must_use]
    pub fn new() -> Self {
        const POSITIONS: usize = 120;
        let mut position = Position::startpos();
        let mut random = 20_261_115_u64;
        let mut positions = Vec::new();
        while positions.len() < POSITIONS {
            let moves = position.legal_moves();
            if moves.is_empty() {
                position = Position::startpos();
                continue;
            }
            positions.push(position.clone());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.do_move(moves[(random >> 33) as usize % moves.len()]);
        }
        let moves = positions.iter().map(|position| position.legal_moves().len() as u64).sum();
        Self { positions, moves, changes: Vec::new() }
    }

    /// Measures an evaluation: on one instruction set, or a network on each of this processor. `line` gets the lines to show.
    pub fn run<E>(
        &mut self,
        mut evaluator: Evaluator,
        isa: Option<Isa>,
        length: BenchLength,
        mut line: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        line(&format!("{} positions, {} moves", self.positions.len(), self.moves))?;
        let moves_alone = self.seconds_for_each(length, Self::make_moves);
        line(&format!("making and taking back a move: {:.1} ns", 1e9 * moves_alone))?;
        line(&format!("{:<12} {:>14} {:>14}", "", "incremental/s", "refresh/s"))?;
        let sets: Vec<Isa> = match (&evaluator, isa) {
            (Evaluator::Nnue(_), None) => Isa::available().collect(),
            _ => vec![isa.unwrap_or_else(Isa::best)],
        };
        for isa in sets {
            let row = if let Evaluator::Nnue(evaluation) = &mut evaluator {
                **evaluation = evaluation.on(isa);
                isa.to_string()
            } else {
                "-".to_owned()
            };
            let incremental = self.seconds_for_each(length, |bench| bench.evaluate_moves(&mut evaluator));
            let refresh = self.seconds_for_each(length, |bench| bench.evaluate_afresh(&mut evaluator));
            let rate = |seconds: f64| 1.0 / seconds.max(1e-12);
            line(&format!("{row:<12} {:>14.0} {:>14.0}", rate(incremental - moves_alone), rate(refresh)))?;
        }
        Ok(())
    }

    /// Seconds per item of `walk`, which returns the number of items it did.
    fn seconds_for_each(&mut self, length: BenchLength, mut walk: impl FnMut(&mut Self) -> u64) -> f64 {
        let start = Instant::now();
        let (mut done, mut rounds) = (0, 0);
        loop {
            done += walk(self);
            rounds += 1;
            let over = match length {
                BenchLength::Time(time) => start.elapsed() >= time,
                BenchLength::Rounds(most) => rounds >= most,
            };
            if over {
                return start.elapsed().as_secs_f64() / done as f64;
            }
        }
    }

    fn make_moves(&mut self) -> u64 {
        for position in &mut self.positions {
            for m in &position.legal_moves() {
                self.changes.clear();
                position.do_move_observed(m, |change| self.changes.push(change));
                black_box(&self.changes);
                position.undo_move();
            }
        }
        self.moves
    }

    fn evaluate_moves(&mut self, evaluator: &mut Evaluator) -> u64 {
        for position in &mut self.positions {
            evaluator.refresh(position);
            evaluator.value(position);
            for m in &position.legal_moves() {
                self.changes.clear();
                position.do_move_observed(m, |change| self.changes.push(change));
                evaluator.push(&self.changes);
                black_box(evaluator.value(position));
                position.undo_move();
                evaluator.pop();
            }
        }
        self.moves
    }

    fn evaluate_afresh(&mut self, evaluator: &mut Evaluator) -> u64 {
        for position in &self.positions {
            evaluator.refresh(position);
            black_box(evaluator.value(position));
        }
        self.positions.len() as u64
    }
}

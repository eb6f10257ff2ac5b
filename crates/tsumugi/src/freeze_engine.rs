//! The engine of Freeze shogi: its search with shogi's evaluation files and books.

use crate::games::{AUTHOR, NAME};
use crate::shogi_engine::ShogiEngine;
use eval::Evaluator;
use freeze::{Acceptance, Freeze, FreezeError, FreezeEvaluation, Move, Position};
use game::{Game, PositionCommandError};
use search::{BestMove, Report, Settings, Task, Timer};
use usi::options::Options;
use usi::{Engine, Extension, Mate, MateLimits, MateReport, SearchEngine};

/// Freeze shogi is played instead of shogi while the option FREEZE says so: hosts need not know `USI_Variant`.
pub fn extension() -> Extension {
    Extension {
        base: "shogi",
        game: "freeze",
        switch: Freeze::OPTION,
        off: Acceptance::None.word(),
        options: Freeze::default().options(),
        check: |name, value| Freeze::default().set_option(name, value),
        refusal: |arguments| match Freeze::default().position_command(arguments) {
            Ok(_) | Err(PositionCommandError::Text(FreezeError::Sfen(_))) => None,
            Err(PositionCommandError::Text(error)) => Some(error.to_string()),
            Err(_) => None,
        },
    }
}

/// The search of Freeze shogi, with what shogi's engine loads.
pub struct FreezeEngine {
    inner: SearchEngine<Freeze, FreezeEvaluation<Evaluator>>,
    files: ShogiEngine,
}

impl FreezeEngine {
    /// An engine that has loaded nothing yet.
    pub fn new() -> Self {
        let evaluation = FreezeEvaluation(Evaluator::default());
        // The built-in network has never seen a freeze, and material did no worse (crates/freeze/BENCHMARKS.md).
        Self { inner: SearchEngine::new(NAME, AUTHOR, evaluation), files: ShogiEngine::without_network() }
    }
}

impl Engine<Freeze> for FreezeEngine {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn author(&self) -> String {
        self.inner.author()
    }

    fn declare_options(&mut self, options: &mut Options) {
        self.inner.declare_options(options);
        self.files.declare_files(options);
    }

    fn prepare(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<(), String> {
        self.inner.prepare(options, note)?;
        if options.parsed::<String>(Freeze::OPTION).as_deref() == Some(Acceptance::None.word()) {
            note("FREEZE is NONE: neither side may freeze; set FREEZE to OK, ALLOW_FREEZE or CAN_FREEZE");
        }
        if self.files.prepare_files(options, note)? {
            self.inner.set_evaluation(FreezeEvaluation(self.files.evaluation().clone()));
        }
        Ok(())
    }

    /// Books know nothing of freezes: they are asked only while none is in force.
    fn consult_book(
        &mut self,
        task: &Task<Position, Move>,
        say: &mut dyn FnMut(&str),
    ) -> Option<(Move, Option<Move>)> {
        let bare = task.only.iter().filter(|m| m.freezes.is_none());
        let only: Vec<shogi::Move> = bare.map(|m| m.base).collect();
        if task.position.frozen().is_some() || only.is_empty() != task.only.is_empty() {
            return None;
        }
        let (best, reply) = self.files.book_move(task.position.shogi(), &only, say)?;
        Some((Move::bare(best), reply.map(Move::bare)))
    }

    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        self.inner.game_over(result, note);
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn think(
        &mut self,
        task: &Task<Position, Move>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        freeze::think_to_the_end(task, timer, |task, reported, timer| {
            let mut heard = |news: &Report<Move>| {
                if reported {
                    report(news);
                }
            };
            self.inner.think(task, settings, timer, &mut heard)
        })
    }

    fn solve_mate(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<Move>),
    ) -> Mate<Move> {
        self.inner.solve_mate(position, limits, timer, report)
    }

    fn evaluate(&mut self, position: &Position) -> Option<i32> {
        self.inner.evaluate(position)
    }

    fn hundred_centipawns(&self) -> i32 {
        self.inner.hundred_centipawns()
    }

    fn set_table_size(&mut self, megabytes: usize) {
        self.inner.set_table_size(megabytes);
    }
}

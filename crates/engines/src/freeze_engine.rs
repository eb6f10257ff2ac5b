//! The engine of Freeze shogi: its search with shogi's evaluation files and books.

use crate::freeze_swindle::swindle;
use crate::shogi_engine::ShogiFiles;
use crate::{AUTHOR, NAME};
use eval::Evaluator;
use freeze::{Acceptance, Freeze, FreezeError, FreezeEvaluation, Move, Position};
use game::{Game, PositionCommandError};
use search::{BestMove, Report, Settings, Task, Timer};
use usi::options::{Folders, Options, PlaySettings};
use usi::{BookMoves, Engine, Extension, MateSolver, SearchEngine, StaticEval};

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

/// The search of Freeze shogi, with shogi's evaluation files and books.
pub struct FreezeEngine {
    inner: SearchEngine<Freeze, FreezeEvaluation<Evaluator>>,
    files: ShogiFiles,
}

impl FreezeEngine {
    /// An engine that has loaded nothing yet.
    pub fn new(options: &mut Options) -> Self {
        let evaluation = FreezeEvaluation(Evaluator::default());
        let inner = SearchEngine::new(NAME, AUTHOR, evaluation, options);
        // The built-in network has never seen a freeze, and material did no worse (crates/freeze/BENCHMARKS.md).
        Self { inner, files: ShogiFiles::declare(options, Folders::of_process(), None) }
    }
}

impl Engine<Freeze> for FreezeEngine {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn author(&self) -> String {
        self.inner.author()
    }

    fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        self.inner.prepare(settings, options, note)?;
        let acceptance = options.find(Freeze::OPTION).map(|id| options.entry(id).value());
        if acceptance.as_deref() == Some(Acceptance::None.word()) {
            note("FREEZE is NONE: neither side may freeze; set FREEZE to OK, ALLOW_FREEZE or CAN_FREEZE");
        }
        self.files.open_books(settings, options, note);
        if let Some(evaluation) = self.files.load_evaluation(options, note)? {
            self.inner.set_evaluation(FreezeEvaluation(evaluation));
        }
        Ok(())
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
        swindle(task, timer, |task, reported, timer| {
            let mut show = |found: &Report<Move>| {
                if reported {
                    report(found);
                }
            };
            self.inner.think(task, settings, timer, &mut show)
        })
    }

    fn set_table_size(&mut self, megabytes: usize) {
        self.inner.set_table_size(megabytes);
    }

    fn book(&mut self) -> Option<&mut dyn BookMoves<Freeze>> {
        Some(self)
    }

    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<Freeze>> {
        self.inner.mate_solver()
    }

    fn static_eval(&mut self) -> Option<&mut dyn StaticEval<Freeze>> {
        self.inner.static_eval()
    }
}

/// Books know nothing of freezes: they are looked up only while none is in force.
impl BookMoves<Freeze> for FreezeEngine {
    fn book_move(
        &mut self,
        task: &Task<Position, Move>,
        say: &mut dyn FnMut(&str),
    ) -> Option<(Move, Option<Move>)> {
        let bare = task.only.iter().filter(|m| m.freezes.is_none());
        let only: Vec<shogi::Move> = bare.map(|m| m.base).collect();
        if task.position.frozen().is_some() || only.is_empty() != task.only.is_empty() {
            return None;
        }
        let (best, reply) = self.files.books.choose(task.position.shogi(), &only, say)?;
        Some((Move::bare(best), reply.map(Move::bare)))
    }
}

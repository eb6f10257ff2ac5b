//! The engine of Freeze shogi: its search with shogi's evaluation files and books.

use crate::freeze_swindle::swindle;
use crate::shogi_engine::ShogiFiles;
use crate::{AUTHOR, NAME};
use eval::Evaluator;
use freeze::{Acceptance, Freeze, FreezeError, FreezeEvaluation, Move, Position};
use game::{Game, PositionCommandError};
use search::{BestMove, Report, Settings, Task, Timer};
use usi::options::{Folders, Options, PlaySettings};
use usi::{BookMoves, Engine, Extension, SearchEngine};

/// The option FREEZE turns shogi into Freeze shogi, for hosts without `USI_Variant`.
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
    /// An engine without loaded files.
    pub fn new(options: &mut Options) -> Self {
        let evaluation = FreezeEvaluation(Evaluator::default());
        let inner = SearchEngine::new(NAME, AUTHOR, evaluation, options);
        // The built-in network was trained without freezes, and material is no worse (crates/freeze/BENCHMARKS.md).
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

    fn base(&mut self) -> Option<&mut dyn Engine<Freeze>> {
        Some(&mut self.inner)
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

    fn book(&mut self) -> Option<&mut dyn BookMoves<Freeze>> {
        Some(self)
    }
}

/// Books have no freezes: they are used only while none is active.
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

//! Shogi's engine: the search with the built-in network, and the mate engine.

use crate::catalogue::{AUTHOR, NAME};
use crate::kernel_test::test_kernels;
use eval::{Evaluator, LoadOptions};
use mate::{Goal, Limits, Progress, Solver, Verdict};
use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use std::time::Duration;
use usi::options::{Options, PlaySettings};
use usi::{Engine, EngineTests, Mate, MateLimits, MateReport, MateSolver, SearchEngine};

/// The search with what its evaluation and mates need.
pub struct ShogiEngine {
    inner: SearchEngine<Shogi, Evaluator>,
    has_evaluation: bool,
    solver: Option<Solver>,
    megabytes: usize,
    interval: Duration,
}

impl ShogiEngine {
    /// An engine that has loaded nothing yet.
    pub fn new(options: &mut Options) -> Self {
        Self {
            inner: SearchEngine::new(NAME, AUTHOR, Evaluator::default(), options),
            has_evaluation: false,
            solver: None,
            megabytes: 1,
            interval: Duration::ZERO,
        }
    }
}

impl Engine<Shogi> for ShogiEngine {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn author(&self) -> String {
        self.inner.author()
    }

    fn base(&mut self) -> Option<&mut dyn Engine<Shogi>> {
        Some(&mut self.inner)
    }

    fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        self.inner.prepare(settings, options, note)?;
        if self.megabytes != settings.hash_megabytes {
            self.solver = None;
            self.megabytes = settings.hash_megabytes;
        }
        self.interval = settings.pv_interval;
        if !self.has_evaluation {
            let evaluator = Evaluator::built_in(LoadOptions::default()).map_err(|error| error.to_string())?;
            if let Evaluator::Nnue(network) = &evaluator {
                let network = network.network();
                note(&format!("built-in network {} ({})", network.architecture(), network.isa()));
            }
            self.inner.set_evaluation(evaluator);
            self.has_evaluation = true;
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.inner.new_game();
        self.solver = None;
    }

    fn think(
        &mut self,
        task: &Task<Position, Move>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        self.inner.think(task, settings, timer, report)
    }

    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<Shogi>> {
        Some(self)
    }

    fn tests(&mut self) -> Option<&mut dyn EngineTests> {
        Some(self)
    }
}

impl MateSolver<Shogi> for ShogiEngine {
    fn solve_mate(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<Move>),
    ) -> Mate<Move> {
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => match Solver::with_megabytes(self.megabytes) {
                Ok(solver) => none.insert(solver),
                Err(error) => {
                    report(MateReport::Note(format!("Error! {error}")));
                    return Mate::Timeout;
                }
            },
        };
        let mut tell = |progress: &Progress| report(shown(progress));
        let stop = || timer.must_stop();
        let limits = Limits {
            nodes: limits.nodes,
            plies: limits.depth,
            stop: &stop,
            report: Some((self.interval, &mut tell)),
        };
        let verdict = solver.solve(position, Goal::Shortest, limits);
        report(shown(solver.progress()));
        match verdict {
            Verdict::Mate(mate) => {
                report(MateReport::Note(format!("mate in {}", mate.length)));
                Mate::Found(mate.line)
            }
            Verdict::NoMate => Mate::NoMate,
            Verdict::Unknown(reason) => {
                report(MateReport::Note(reason.to_string()));
                Mate::Timeout
            }
        }
    }
}

fn shown(progress: &Progress) -> MateReport<Move> {
    MateReport::Progress {
        nodes: progress.nodes,
        elapsed: progress.time,
        table_fullness: progress.hashfull,
        found: progress.found.map(mate::MateLength::plies),
        line: progress.line.clone(),
    }
}

impl EngineTests for ShogiEngine {
    fn usage(&self) -> &'static [&'static str] {
        &["kernels"]
    }

    fn test(&mut self, words: &str, _: &Options, say: &mut dyn FnMut(&str)) -> Option<Result<(), String>> {
        (words.trim() == "kernels").then(|| test_kernels(say))
    }
}

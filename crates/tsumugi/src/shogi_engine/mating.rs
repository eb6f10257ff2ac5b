//! `go mate`: the mate engine behind the playing engine.

use ::mate::{Goal, Limits, Progress, Reporter, Solver, Verdict};
use search::Timer;
use shogi::{Move, Position};
use std::time::Duration;
use usi::options::{ComboId, Options};
use usi::{Mate, MateLimits, MateReport};

/// A solver that is there when it is needed, and what the options say about it.
pub(super) struct Mating {
    solver: Option<Solver>,
    megabytes: usize,
    threads: usize,
    interval: Duration,
    goal: Goal,
    level: Option<ComboId>,
}

impl Default for Mating {
    fn default() -> Self {
        Self {
            solver: None,
            megabytes: 16,
            threads: 1,
            interval: Duration::from_secs(1),
            goal: Goal::Shortest,
            level: None,
        }
    }
}

/// The first mate found is good enough.
const NONE: &str = "None";
/// The shortest is looked for.
const MIN_LENGTH: &str = "MinLength";

impl Mating {
    pub(super) fn declare(&mut self, options: &mut Options) {
        self.level = Some(options.combo(
            "PostSearchLevel",
            MIN_LENGTH,
            &[NONE, MIN_LENGTH],
            "`go mate`: answer with the first mate found, or prove the shortest",
        ));
    }

    pub(super) fn prepare(&mut self, options: &Options, threads: usize) {
        let megabytes = options.parsed("USI_Hash").unwrap_or(16);
        if megabytes != self.megabytes {
            self.give_back();
            self.megabytes = megabytes;
        }
        self.threads = threads;
        self.interval = Duration::from_millis(options.parsed("PvInterval").unwrap_or(1000));
        if let Some(id) = self.level {
            self.goal = if options.get(id).word == NONE { Goal::Any } else { Goal::Shortest };
        }
    }

    /// Frees the memory.
    pub(super) fn give_back(&mut self) {
        self.solver = None;
    }

    pub(super) fn solve(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<Move>),
    ) -> Mate<Move> {
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => match Solver::new(self.megabytes << 20) {
                Ok(solver) => none.insert(solver),
                Err(error) => {
                    report(MateReport::Note(format!(
                        "Error! no memory for USI_Hash {}: {error}",
                        self.megabytes
                    )));
                    return Mate::Timeout;
                }
            },
        };
        solver.set_threads(self.threads);
        let mut tell = |progress: &Progress| report(told(progress));
        let stop = || timer.must_stop();
        let reporting: Option<Reporter<'_>> = Some((self.interval, &mut tell));
        let verdict = solver.solve(
            position,
            self.goal,
            Limits { nodes: limits.nodes, plies: limits.depth, stop: &stop, report: reporting },
        );
        report(told(solver.progress()));
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

fn told(progress: &Progress) -> MateReport<Move> {
    MateReport::Progress {
        nodes: progress.nodes,
        elapsed: progress.time,
        table_fullness: progress.hashfull,
        found: progress.found.map(::mate::MateLength::plies),
        line: progress.line.clone(),
    }
}

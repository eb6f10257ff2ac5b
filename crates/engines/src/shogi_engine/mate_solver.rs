//! `go mate`: the solver of the crate `mate`.

use mate::{Goal, Limits, Progress, Reporter, Solver, Verdict};
use search::Timer;
use shogi::{Move, Position, Shogi};
use std::time::Duration;
use usi::options::{ComboId, Options, PlaySettings};
use usi::{Mate, MateLimits, MateReport, MateSolver};

/// A solver, allocated when it is needed, with its settings.
pub(super) struct MateEngine {
    solver: Option<Solver>,
    megabytes: usize,
    threads: usize,
    interval: Duration,
    goal: Goal,
    /// `PostSearchLevel`.
    level: ComboId,
}

/// Stop at the first mate found.
const NONE: &str = "None";
/// Look for the shortest mate.
const MIN_LENGTH: &str = "MinLength";

impl MateEngine {
    pub(super) fn declare(options: &mut Options) -> Self {
        let level = options.combo(
            "PostSearchLevel",
            MIN_LENGTH,
            &[NONE, MIN_LENGTH],
            "`go mate`: answer with the first mate found, or prove the shortest",
        );
        Self { solver: None, megabytes: 1, threads: 1, interval: Duration::ZERO, goal: Goal::Shortest, level }
    }

    pub(super) fn prepare(&mut self, settings: &PlaySettings, options: &Options, threads: usize) {
        if settings.hash_megabytes != self.megabytes {
            self.free();
            self.megabytes = settings.hash_megabytes;
        }
        self.threads = threads;
        self.interval = settings.pv_interval;
        self.goal = if options.get(self.level).word == NONE { Goal::Any } else { Goal::Shortest };
    }

    /// Frees the memory.
    pub(super) fn free(&mut self) {
        self.solver = None;
    }
}

impl MateSolver<Shogi> for MateEngine {
    fn solve_mate(
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
        let mut tell = |progress: &Progress| report(mate_report(progress));
        let stop = || timer.must_stop();
        let reporting: Option<Reporter<'_>> = Some((self.interval, &mut tell));
        let verdict = solver.solve(
            position,
            self.goal,
            Limits { nodes: limits.nodes, plies: limits.depth, stop: &stop, report: reporting },
        );
        report(mate_report(solver.progress()));
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

fn mate_report(progress: &Progress) -> MateReport<Move> {
    MateReport::Progress {
        nodes: progress.nodes,
        elapsed: progress.time,
        table_fullness: progress.hashfull,
        found: progress.found.map(mate::MateLength::plies),
        line: progress.line.clone(),
    }
}

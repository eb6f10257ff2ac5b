//! The solver: verdicts, lengths, lines and certificates.

use crate::certificate::Certificate;
use crate::length::Length;
use crate::search::Searcher;
use crate::search::walk::Walk;
use crate::search::workers::Workers;
use crate::solve_session::{MainMonitor, SolveSession};
use crate::table::Table;
use crate::table::loops::Loops;
use crate::table::memory::Memory;
use crate::verdict::{Goal, Interpositions, Limits, Progress, Reason, Verdict};
use shogi::{Color, Position};
use std::io;

/// Solves mates, with a table of bounded size.
///
/// ```
/// use mate::{Goal, Limits, MateLength, Solver, Verdict};
/// use shogi::Position;
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")?;
/// let mut solver = Solver::new(16 << 20)?;
/// let Verdict::Mate(mate) = solver.solve(&position, Goal::Shortest, Limits::none()) else { panic!() };
/// assert_eq!(mate.length, MateLength::Exact(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    table: Table,
    loops: Loops,
    threads: usize,
    interpositions: Interpositions,
    /// The progress of the last problem.
    progress: Progress,
}

/// Not enough memory for the table.
#[derive(Debug, thiserror::Error)]
#[error("no memory for a table of {megabytes} MB")]
pub struct NoMemory {
    megabytes: usize,
    source: io::Error,
}

/// The fraction of memory (1/32) for verdicts that hold on one path only.
const LOOPS_PART: usize = 32;

impl Solver {
    /// A solver with tables of `bytes`; fails if there is not enough memory.
    pub fn new(bytes: usize) -> io::Result<Self> {
        let for_loops = bytes / LOOPS_PART;
        let (table, loops) = (Table::new(bytes - for_loops, true)?, Loops::new(for_loops, true)?);
        Ok(Self {
            table,
            loops,
            threads: 1,
            interpositions: Interpositions::All,
            progress: Progress::default(),
        })
    }

    /// A solver with tables of `megabytes`, at least one.
    pub fn with_megabytes(megabytes: usize) -> Result<Self, NoMemory> {
        let bytes = megabytes.max(1).saturating_mul(1 << 20);
        Self::new(bytes).map_err(|source| NoMemory { megabytes, source })
    }

    /// Touches all memory now, so that page faults do not slow down the search.
    pub fn warm_up(&mut self) {
        self.table.warm_up();
        self.loops.warm_up();
    }

    /// Sets the number of threads, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, MAX_THREADS);
    }

    /// Chooses the strict or the customary count; certificates are for the strict one only. Clears the table.
    pub fn set_interpositions(&mut self, interpositions: Interpositions) {
        if self.interpositions != interpositions {
            self.interpositions = interpositions;
            self.table.clear(&|| false);
        }
    }

    /// The effort of the last search.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Who attacks: the side to move, unless it has the only king on the board.
    #[must_use]
    pub fn attacker(position: &Position) -> Color {
        let side = position.side();
        if position.king(!side).is_none() { !side } else { side }
    }

    /// Solves a problem from scratch.
    pub fn solve(&mut self, position: &Position, goal: Goal, limits: Limits<'_>) -> Verdict {
        self.solve_as(position, Self::attacker(position), goal, limits)
    }

    /// Solves a problem from scratch, for either attacker and either side to move.
    pub fn solve_as(
        &mut self,
        position: &Position,
        attacker: Color,
        goal: Goal,
        limits: Limits<'_>,
    ) -> Verdict {
        self.table.clear(limits.stop);
        self.go_on(position, attacker, goal, limits)
    }

    /// Solves a problem with the table of the last one, which must have had the same pieces and the same attacker: for
    /// example a position from its line.
    pub fn go_on(&mut self, position: &Position, attacker: Color, goal: Goal, limits: Limits<'_>) -> Verdict {
        self.with_session(position, attacker, limits, |session| session.solve(goal))
    }

    /// A proof, checked by the crate `proof`, of a mate within `plies`. It starts from the table of the last problem,
    /// which must have been this one.
    pub fn certificate(
        &mut self,
        position: &Position,
        attacker: Color,
        plies: u32,
        limits: Limits<'_>,
    ) -> Result<Certificate, Reason> {
        let length = Length::new(u16::try_from(plies).unwrap_or(u16::MAX));
        let proof = self.with_session(position, attacker, limits, |session| session.proof(length));
        Ok(Certificate::new(position, attacker, proof?))
    }

    /// The length of a mate within `plies`, if there is one: a bound, not always the shortest. It starts from the table
    /// of the last problem, which must have had the same pieces and the same attacker.
    pub fn mate_within(
        &mut self,
        position: &Position,
        attacker: Color,
        plies: u32,
        limits: Limits<'_>,
    ) -> Result<Option<u32>, Reason> {
        let length = Length::new(u16::try_from(plies).unwrap_or(u16::MAX));
        let found = self.with_session(position, attacker, limits, |session| session.mate_within(length))?;
        Ok(found.map(|length| u32::from(length.plies())))
    }

    /// Whether there is a mate that never passes through any of the positions `avoided`, from scratch.
    pub fn solve_avoiding(
        &mut self,
        position: &Position,
        attacker: Color,
        avoided: &[Position],
        limits: Limits<'_>,
    ) -> Verdict {
        self.table.clear(limits.stop);
        let verdict = self.with_walk(position, attacker, limits, avoided, |session| session.solve(Goal::Any));
        // What was disproved may have mates through those positions.
        self.table.clear(&|| false);
        verdict
    }

    fn with_session<T>(
        &mut self,
        position: &Position,
        attacker: Color,
        limits: Limits<'_>,
        ask: impl FnOnce(&mut SolveSession<'_, '_>) -> T,
    ) -> T {
        self.with_walk(position, attacker, limits, &[], ask)
    }

    fn with_walk<T>(
        &mut self,
        position: &Position,
        attacker: Color,
        limits: Limits<'_>,
        avoided: &[Position],
        ask: impl FnOnce(&mut SolveSession<'_, '_>) -> T,
    ) -> T {
        self.loops.begin_problem();
        let memory = Memory { table: &self.table, loops: &self.loops };
        let workers = Workers::default();
        workers.begin(1);
        let searcher = |thread| {
            let mut walk = Walk::new(position, attacker, self.interpositions);
            walk.avoid(avoided);
            Searcher::new(memory, &workers, walk, thread)
        };
        let helpers = (1..self.threads).map(searcher).collect();
        let mut session = SolveSession::new(
            searcher(0),
            helpers,
            &workers,
            MainMonitor::new(limits, &self.table, &workers),
        );
        let answer = ask(&mut session);
        self.progress = session.progress();
        answer
    }
}

/// More threads do not help.
const MAX_THREADS: usize = 256;

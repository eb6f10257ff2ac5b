//! Solving problems: the verdict, the length, the line.

use crate::certificate::Certificate;
use crate::crew::Crew;
use crate::expansion::Memory;
use crate::length::Length;
use crate::loops::Loops;
use crate::quest::{Quest, Watch};
use crate::search::{Interruption, Searcher};
use crate::table::Table;
use crate::walk::Walk;
use shogi::{Color, Move, Position};
use std::io;
use std::time::Duration;

/// How much is to be found out about a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// That there is one.
    Any,
    /// The shortest, proved to be so.
    #[default]
    Shortest,
}

/// Which of the defender's interpositions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpositions {
    /// Every one: the strict count.
    #[default]
    All,
    /// The customary count: a position is mate if nothing is left to the defender but putting between pieces that the
    /// checking piece can take, and given back to him they leave him mated in the same way (無駄合).
    Useful,
}

/// How long a mate takes, in plies, and how certain that is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateLength {
    /// The attacker cannot do it faster, the defender cannot hold out longer.
    Exact(u32),
    /// The attacker can do it as fast as this; faster may be possible.
    AtMost(u32),
}

impl MateLength {
    /// The number of plies.
    #[must_use]
    pub fn plies(self) -> u32 {
        match self {
            Self::Exact(plies) | Self::AtMost(plies) => plies,
        }
    }

    /// Whether it is proved to be the shortest.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }
}

impl std::fmt::Display for MateLength {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact(_) => f.write_str("exactly "),
            Self::AtMost(_) => f.write_str("at most "),
        }?;
        match self.plies() {
            1 => f.write_str("1 ply"),
            plies => write!(f, "{plies} plies"),
        }
    }
}

/// A forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// How long it takes.
    pub length: MateLength,
    /// A line that ends in mate, or by the customary count where only useless interpositions are left. With an exact length
    /// it is that long, and both sides play as well as they can.
    pub line: Vec<Move>,
}

/// The answer to a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It mates.
    Mate(Mate),
    /// It does not, whatever the attacker does.
    NoMate,
    /// It was not found out.
    Unknown(Reason),
}

/// Why a problem was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The search was stopped, by the caller or at its limit of positions.
    Stopped,
    /// Lines of thousands of plies would have to be searched.
    TooDeep,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped before anything was proved",
            Self::TooDeep => "lines of more than 4000 plies would have to be searched",
        })
    }
}

impl From<Interruption> for Reason {
    fn from(interruption: Interruption) -> Self {
        match interruption {
            Interruption::Stopped => Self::Stopped,
            Interruption::TooDeep => Self::TooDeep,
        }
    }
}

/// What a search has done so far.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Positions searched.
    pub nodes: u64,
    /// Time since the beginning.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: usize,
    /// The length of the mate found so far.
    pub found: Option<MateLength>,
    /// The moves that are being looked at.
    pub line: Vec<Move>,
}

/// How often someone wants to hear of the progress, and who.
pub type Reporter<'a> = (Duration, &'a mut dyn FnMut(&Progress));

/// When to stop, and whom to tell.
pub struct Limits<'a> {
    /// So many positions at most.
    pub nodes: Option<u64>,
    /// Only mates within so many plies; that there is none of them does not mean that there is none.
    pub plies: Option<u32>,
    /// Asked again and again; `true` stops the search.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told what is going on, about once in so long.
    pub report: Option<Reporter<'a>>,
}

impl Limits<'_> {
    /// None at all.
    #[must_use]
    pub fn none() -> Self {
        Self { nodes: None, plies: None, stop: &|| false, report: None }
    }

    /// So many positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::none() }
    }
}

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
    /// How many there have been.
    problems: u64,
    /// Of the last problem.
    progress: Progress,
}

/// One part of so many is for verdicts that hold on one path only.
const LOOPS_PART: usize = 32;

impl Solver {
    /// A solver that uses so many bytes, and a little for its stack; fails if there are not so many.
    pub fn new(bytes: usize) -> io::Result<Self> {
        let for_loops = bytes / LOOPS_PART;
        let (table, loops) = (Table::new(bytes - for_loops, true)?, Loops::new(for_loops, true)?);
        Ok(Self {
            table,
            loops,
            threads: 1,
            interpositions: Interpositions::All,
            problems: 0,
            progress: Progress::default(),
        })
    }

    /// Has the system hand out all memory now rather than in the middle of a search.
    pub fn warm_up(&mut self) {
        self.table.warm_up();
        self.loops.warm_up();
    }

    /// Has so many threads search, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, MAX_THREADS);
    }

    /// Has problems solved by the strict count, or by the customary one; certificates are for strict ones only. What was
    /// known of the last problem is forgotten.
    pub fn set_interpositions(&mut self, interpositions: Interpositions) {
        if self.interpositions != interpositions {
            self.interpositions = interpositions;
            self.table.clear(&|| false);
        }
    }

    /// What the search for the last problem took.
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

    /// Solves a problem from scratch, whoever attacks and whoever is to move.
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

    /// Solves a problem with what is known from the last one, which must have had the same pieces and the same attacker: a
    /// position from its lines, say.
    pub fn go_on(&mut self, position: &Position, attacker: Color, goal: Goal, limits: Limits<'_>) -> Verdict {
        self.with_quest(position, attacker, limits, |quest| quest.solve(goal))
    }

    /// A proof, for anyone to check, of a mate that takes so many plies at most. It begins with what is known from the last
    /// problem, which must have been this one.
    pub fn certificate(
        &mut self,
        position: &Position,
        attacker: Color,
        plies: u32,
        limits: Limits<'_>,
    ) -> Result<Certificate, Reason> {
        let length = Length::new(u16::try_from(plies).unwrap_or(u16::MAX));
        let proof = self.with_quest(position, attacker, limits, |quest| quest.proof(length));
        Ok(Certificate::new(position, attacker, proof?))
    }

    fn with_quest<T>(
        &mut self,
        position: &Position,
        attacker: Color,
        limits: Limits<'_>,
        ask: impl FnOnce(&mut Quest<'_, '_>) -> T,
    ) -> T {
        self.problems += 1;
        let memory = Memory { table: &self.table, loops: &self.loops };
        let crew = Crew::default();
        crew.begin(1);
        let searcher = |thread| {
            let walk = Walk::new(position, attacker, self.interpositions, self.problems);
            Searcher::new(memory, &crew, walk, thread)
        };
        let helpers = (1..self.threads).map(searcher).collect();
        let mut quest = Quest::new(searcher(0), helpers, &crew, Watch::new(limits, &self.table, &crew));
        let answer = ask(&mut quest);
        self.progress = quest.progress();
        answer
    }
}

/// More do not help each other.
const MAX_THREADS: usize = 256;

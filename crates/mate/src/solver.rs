//! Solving problems: the verdict, the length, the line.

use crate::crew::Crew;
use crate::expansion::Memory;
use crate::length::Length;
use crate::loops::Loops;
use crate::search::{Interruption, Searcher, Surroundings};
use crate::table::Table;
use crate::walk::Walk;
use shogi::{Color, Move, Position};
use std::io;
use std::time::{Duration, Instant};

/// How much is to be found out about a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// That there is one.
    Any,
    /// The shortest, proved to be so.
    #[default]
    Shortest,
}

/// How long a mate takes, in plies, and how certain that is.
///
/// Every interposition counts, also a useless one.
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
            Self::Exact(plies) => write!(f, "exactly {plies}"),
            Self::AtMost(plies) => write!(f, "at most {plies}"),
        }
    }
}

/// A forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// How long it takes.
    pub length: MateLength,
    /// A line that ends in mate. With an exact length it is that long, and both sides play as well as they can.
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

/// When to stop, and whom to tell.
pub struct Limits<'a> {
    /// So many positions at most.
    pub nodes: Option<u64>,
    /// Only mates within so many plies; that there is none of them does not mean that there is none.
    pub plies: Option<u32>,
    /// Asked again and again; `true` stops the search.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told what is going on, about once in so long.
    pub report: Option<(Duration, &'a mut dyn FnMut(&Progress))>,
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
/// assert_eq!(mate.length, MateLength::Exact(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    table: Table,
    loops: Loops,
    threads: usize,
    /// How many there have been.
    problems: u64,
    /// Of the last problem.
    progress: Progress,
}

/// One part of so many is for verdicts that hold on one path only.
const LOOPS_PART: usize = 16;

impl Solver {
    /// A solver that uses so many bytes, and a little for its stack; fails if there are not so many.
    pub fn new(bytes: usize) -> io::Result<Self> {
        let for_loops = bytes / LOOPS_PART;
        let (table, loops) = (Table::new(bytes - for_loops, true)?, Loops::new(for_loops, true)?);
        Ok(Self { table, loops, threads: 1, problems: 0, progress: Progress::default() })
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
        self.table.clear();
        self.problems += 1;
        let memory = Memory { table: &self.table, loops: &self.loops };
        let crew = Crew::default();
        let attacker = Self::attacker(position);
        let searcher =
            |thread| Searcher::new(memory, &crew, Walk::new(position, attacker, self.problems), thread);
        let mut quest = Quest {
            searcher: searcher(0),
            helpers: (1..self.threads).map(searcher).collect(),
            crew: &crew,
            watch: Watch {
                limits,
                nodes: 0,
                start: Instant::now(),
                last_report: Instant::now(),
                found: None,
                table: &self.table,
                crew: &crew,
            },
        };
        let verdict = quest.solve(goal);
        self.progress = quest.watch.progress(quest.best_line(&verdict));
        verdict
    }
}

/// More do not help each other.
const MAX_THREADS: usize = 256;

/// Counts, listens and reports.
struct Watch<'a, 'b> {
    limits: Limits<'b>,
    nodes: u64,
    start: Instant,
    last_report: Instant,
    found: Option<MateLength>,
    table: &'a Table,
    crew: &'a Crew,
}

/// Positions between two looks at the clock.
const GLANCE: u64 = 128;

impl Surroundings for Watch<'_, '_> {
    #[inline]
    fn visit(&mut self, walk: &Walk) -> bool {
        self.nodes += 1;
        if self.nodes % GLANCE != 1 {
            return self.is_at_limit();
        }
        self.look_up(walk)
    }
}

impl Watch<'_, '_> {
    fn is_at_limit(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.nodes + self.crew.nodes() > limit)
    }

    #[cold]
    fn look_up(&mut self, walk: &Walk) -> bool {
        let due = |interval: &Duration| self.last_report.elapsed() >= *interval;
        if self.limits.report.as_ref().is_some_and(|(interval, _)| due(interval)) {
            self.last_report = Instant::now();
            let progress = self.progress(walk.position.moves_played().flatten().collect());
            if let Some((_, report)) = &mut self.limits.report {
                report(&progress);
            }
        }
        self.crew.is_done() || (self.limits.stop)() || self.is_at_limit()
    }

    fn progress(&self, line: Vec<Move>) -> Progress {
        Progress {
            nodes: self.nodes + self.crew.nodes(),
            time: self.start.elapsed(),
            hashfull: self.table.fill(),
            found: self.found,
            line,
        }
    }
}

/// Counts for another thread than the first.
struct HelperWatch<'a> {
    crew: &'a Crew,
    nodes: u64,
}

impl Surroundings for HelperWatch<'_> {
    #[inline]
    fn visit(&mut self, _: &Walk) -> bool {
        self.nodes += 1;
        if self.nodes % GLANCE != 0 {
            return false;
        }
        self.crew.count(GLANCE);
        self.crew.is_done()
    }
}

/// One problem being solved.
struct Quest<'a, 'b> {
    searcher: Searcher<'a>,
    helpers: Vec<Searcher<'a>>,
    crew: &'a Crew,
    watch: Watch<'a, 'b>,
}

impl Quest<'_, '_> {
    fn solve(&mut self, goal: Goal) -> Verdict {
        let bound = self
            .watch
            .limits
            .plies
            .map_or(Length::NEVER, |plies| Length::new(u16::try_from(plies).unwrap_or(u16::MAX)));
        let first = match self.decide_together(bound) {
            Ok(Some(length)) => length,
            Ok(None) if bound.is_never() => return Verdict::NoMate,
            Ok(None) => return Verdict::Unknown(Reason::Stopped),
            Err(interruption) => return Verdict::Unknown(interruption.into()),
        };
        let at_most = |length: Length| MateLength::AtMost(u32::from(length.plies()));
        self.watch.found = Some(at_most(first));
        let mut best = match self.line(first, false) {
            Ok(line) => Mate { length: at_most(first), line },
            Err(interruption) => return Verdict::Unknown(interruption.into()),
        };
        if goal == Goal::Shortest {
            let _ = self.shorten(first, &mut best);
        }
        Verdict::Mate(best)
    }

    /// Looks for shorter mates until there is none; what was found before an interruption stays.
    fn shorten(&mut self, first: Length, best: &mut Mate) -> Result<(), Interruption> {
        let mut length = first;
        while length > Length::ONE {
            let Some(shorter) = self.decide_together(length.minus(2))? else { break };
            length = shorter;
            let line = self.line(length, false)?;
            *best = Mate { length: MateLength::AtMost(u32::from(length.plies())), line };
            self.watch.found = Some(best.length);
        }
        let line = self.line(length, true)?;
        *best = Mate { length: MateLength::Exact(u32::from(length.plies())), line };
        Ok(())
    }

    fn best_line(&self, verdict: &Verdict) -> Vec<Move> {
        match verdict {
            Verdict::Mate(mate) => mate.line.clone(),
            _ => Vec::new(),
        }
    }

    /// As [`Quest::decide`], by all threads.
    fn decide_together(&mut self, length: Length) -> Result<Option<Length>, Interruption> {
        self.crew.begin(1 + self.helpers.len());
        let Self { searcher, helpers, crew, watch } = self;
        let crew: &Crew = crew;
        let table = watch.table;
        let results: Vec<_> = std::thread::scope(|scope| {
            let work = |helper: &mut Searcher<'_>| {
                let result = helper.decide(length, &mut HelperWatch { crew, nodes: 0 });
                if result.is_ok() {
                    crew.finish();
                }
                crew.leave(table);
                result
            };
            let others: Vec<_> = helpers.iter_mut().map(|helper| scope.spawn(move || work(helper))).collect();
            let own = searcher.decide(length, watch);
            crew.finish();
            crew.leave(table);
            let others = others.into_iter().filter_map(|other| other.join().ok());
            std::iter::once(own).chain(others).collect()
        });
        // Alone again: whoever needs room makes it.
        self.crew.begin(1);
        let decided = results.iter().copied().find(Result::is_ok).unwrap_or(results[0]);
        decided.map(|outcome| outcome.is_proven().then_some(outcome.length))
    }

    /// The length of a mate within `length`, if there is one.
    fn decide(&mut self, length: Length) -> Result<Option<Length>, Interruption> {
        let outcome = self.searcher.decide(length, &mut self.watch)?;
        Ok(outcome.is_proven().then_some(outcome.length))
    }

    /// A line of a mate that is known to take `length` plies at most, or exactly.
    fn line(&mut self, length: Length, exact: bool) -> Result<Vec<Move>, Interruption> {
        let start = self.searcher.walk.depth();
        let result = self.follow(length, exact);
        let line = self.searcher.line();
        while self.searcher.walk.depth() > start {
            self.searcher.walk.leave();
        }
        result.map(|()| line)
    }

    /// Plays the line on the board.
    fn follow(&mut self, mut length: Length, exact: bool) -> Result<(), Interruption> {
        loop {
            if self.searcher.walk.attacks() {
                if let Some(m) = self.searcher.walk.position.mate_in_one() {
                    self.searcher.walk.enter(m);
                    return Ok(());
                }
                let (m, next) = self.attack(length)?;
                self.searcher.walk.enter(m);
                length = next;
            } else {
                if self.searcher.walk.moves().is_empty() {
                    return Ok(());
                }
                let (m, next) = if exact { self.longest_defence(length)? } else { self.defence(length)? };
                self.searcher.walk.enter(m);
                length = next;
            }
        }
    }

    /// Bounds of the lengths after each move: at least, at most.
    fn ranges(&self) -> Vec<(Move, Length, Length)> {
        let walk = &self.searcher.walk;
        let table = self.searcher.memory().table;
        let range = |m: &Move| {
            let (at_least, at_most) = table.range(walk.position.board_key_after(*m), walk.hand_after(*m));
            (*m, at_least, at_most)
        };
        walk.moves().iter().map(range).collect()
    }

    fn attack(&mut self, length: Length) -> Result<(Move, Length), Interruption> {
        let bound = length.minus(1);
        let shortest = |quest: &Self| {
            let known = quest.ranges().into_iter().map(|(m, _, at_most)| (m, at_most));
            known.filter(|(_, at_most)| *at_most <= bound).min_by_key(|(_, at_most)| *at_most)
        };
        if let Some(found) = shortest(self) {
            return Ok(found);
        }
        self.decide(length)?;
        if let Some(found) = shortest(self) {
            return Ok(found);
        }
        self.expanded(length, |outcome| outcome.is_proven() && outcome.length <= bound)
    }

    fn defence(&mut self, length: Length) -> Result<(Move, Length), Interruption> {
        let bound = length.minus(1);
        let longest = |quest: &Self| {
            let ranges = quest.ranges();
            let complete = ranges.iter().all(|(_, _, at_most)| *at_most <= bound);
            let known = ranges.into_iter().map(|(m, _, at_most)| (m, at_most));
            known.max_by_key(|(_, at_most)| *at_most).filter(|_| complete)
        };
        if let Some(found) = longest(self) {
            return Ok(found);
        }
        self.decide(length)?;
        if let Some(found) = longest(self) {
            return Ok(found);
        }
        self.expanded(length, |outcome| outcome.is_proven() && outcome.length <= bound)
    }

    fn longest_defence(&mut self, length: Length) -> Result<(Move, Length), Interruption> {
        let bound = length.minus(1);
        let holds = |quest: &Self| {
            let known = quest.ranges().into_iter().find(|(_, at_least, _)| *at_least >= bound);
            known.map(|(m, ..)| (m, bound))
        };
        if let Some(found) = holds(self) {
            return Ok(found);
        }
        self.decide(length.minus(2))?;
        if let Some(found) = holds(self) {
            return Ok(found);
        }
        let (m, _) = self.expanded(length.minus(2), |outcome| outcome.is_disproven())?;
        Ok((m, bound))
    }

    /// A move with such an outcome, where the table alone does not tell.
    fn expanded(
        &mut self,
        length: Length,
        fits: impl Fn(&crate::outcome::Outcome) -> bool,
    ) -> Result<(Move, Length), Interruption> {
        let expansion = self.searcher.expand_here(length);
        let found = expansion.outcomes().find(|(_, outcome)| fits(outcome)).map(|(m, o)| (m, o.length));
        found.ok_or(Interruption::Stopped)
    }
}

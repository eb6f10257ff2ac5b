//! Solves one problem: searches with a bound of plies, and reads lines from the table.

mod monitor;
mod proof;

pub(crate) use monitor::MainMonitor;

use crate::length::Length;
use crate::outcome::Outcome;
use crate::search::Searcher;
use crate::search::expansion::Expansion;
use crate::search::workers::Workers;
use crate::verdict::{Goal, Mate, MateLength, Progress, Reason, Verdict};
use monitor::HelperMonitor;
use shogi::Move;

/// The solution of one problem.
pub(crate) struct SolveSession<'a, 'b> {
    pub(crate) searcher: Searcher<'a>,
    helpers: Vec<Searcher<'a>>,
    workers: &'a Workers,
    monitor: MainMonitor<'a, 'b>,
    /// The line of the answer.
    line: Vec<Move>,
}

impl<'a, 'b> SolveSession<'a, 'b> {
    pub(crate) fn new(
        searcher: Searcher<'a>,
        helpers: Vec<Searcher<'a>>,
        workers: &'a Workers,
        monitor: MainMonitor<'a, 'b>,
    ) -> Self {
        Self { searcher, helpers, workers, monitor, line: Vec::new() }
    }

    /// The progress, with the line of the answer.
    pub(crate) fn progress(&self) -> Progress {
        self.monitor.progress(self.line.clone())
    }

    /// Solves the problem.
    pub(crate) fn solve(&mut self, goal: Goal) -> Verdict {
        let verdict = self.verdict(goal);
        if let Verdict::Mate(mate) = &verdict {
            self.line.clone_from(&mate.line);
        }
        verdict
    }

    /// The length of a mate within `length`, found by all threads.
    pub(crate) fn mate_within(&mut self, length: Length) -> Result<Option<Length>, Reason> {
        if self.is_stalemate() { Ok(None) } else { self.decide_together(length) }
    }

    /// No legal move but not in check: lost, but not by mate.
    fn is_stalemate(&self) -> bool {
        let walk = &self.searcher.walk;
        !walk.attacks() && !walk.position.in_check() && walk.moves().is_empty()
    }

    fn verdict(&mut self, goal: Goal) -> Verdict {
        if self.is_stalemate() {
            return Verdict::NoMate;
        }
        let bound = self
            .monitor
            .limits
            .plies
            .map_or(Length::NEVER, |plies| Length::new(u16::try_from(plies).unwrap_or(u16::MAX)));
        let first = match self.decide_together(bound) {
            Ok(Some(length)) => length,
            Ok(None) if bound.is_never() => return Verdict::NoMate,
            Ok(None) => return Verdict::Unknown(Reason::Stopped),
            Err(reason) => return Verdict::Unknown(reason),
        };
        let at_most = |length: Length| MateLength::AtMost(u32::from(length.plies()));
        self.monitor.found = Some(at_most(first));
        let mut best = match self.line(first, false) {
            Ok(line) => Mate { length: at_most(first), line },
            Err(reason) => return Verdict::Unknown(reason),
        };
        if goal == Goal::Shortest {
            let _ = self.shorten(first, &mut best);
        }
        Verdict::Mate(best)
    }

    /// Searches for shorter mates until there is none. If it is stopped, the last result stays.
    fn shorten(&mut self, first: Length, best: &mut Mate) -> Result<(), Reason> {
        let mut length = first;
        while length > Length::ONE {
            let Some(shorter) = self.decide_together(length.minus(2))? else { break };
            length = shorter;
            let line = self.line(length, false)?;
            *best = Mate { length: MateLength::AtMost(u32::from(length.plies())), line };
            self.monitor.found = Some(best.length);
        }
        let line = self.line(length, true)?;
        *best = Mate { length: MateLength::Exact(u32::from(length.plies())), line };
        Ok(())
    }

    /// Like [`SolveSession::decide`], on all threads.
    fn decide_together(&mut self, length: Length) -> Result<Option<Length>, Reason> {
        self.workers.begin(1 + self.helpers.len());
        let Self { searcher, helpers, workers, monitor, .. } = self;
        let workers: &Workers = workers;
        let (table, stop) = (monitor.table, monitor.limits.stop);
        let results: Vec<_> = std::thread::scope(|scope| {
            let work = |helper: &mut Searcher<'_>| {
                let result = helper.decide(length, &mut HelperMonitor { workers, stop, nodes: 0 });
                if result.is_ok() {
                    workers.finish();
                }
                workers.leave(table, stop);
                result
            };
            let mut others = Vec::new();
            for helper in helpers.iter_mut() {
                match std::thread::Builder::new().spawn_scoped(scope, move || work(helper)) {
                    Ok(other) => others.push(other),
                    // No memory, or a limit of the system: the others go on without it.
                    Err(_) => workers.leave(table, stop),
                }
            }
            let own = searcher.decide(length, monitor);
            workers.finish();
            workers.leave(table, stop);
            let others = others.into_iter().filter_map(|other| other.join().ok());
            std::iter::once(own).chain(others).collect()
        });
        // Only this thread is left to clean the table.
        self.workers.begin(1);
        let decided = results.iter().copied().find(Result::is_ok).unwrap_or(results[0]);
        decided.map(|outcome| outcome.is_proven().then_some(outcome.length))
    }

    /// The length of a mate within `length`, if there is one.
    pub(crate) fn decide(&mut self, length: Length) -> Result<Option<Length>, Reason> {
        let outcome = self.searcher.decide(length, &mut self.monitor)?;
        Ok(outcome.is_proven().then_some(outcome.length))
    }

    /// A line of a mate with at most, or exactly, `length` plies.
    fn line(&mut self, length: Length, exact: bool) -> Result<Vec<Move>, Reason> {
        let start = self.searcher.walk.depth();
        let result = self.follow(length, exact);
        let line = self.searcher.line();
        while self.searcher.walk.depth() > start {
            self.searcher.walk.leave();
        }
        result.map(|()| line)
    }

    /// Plays the line on the board.
    fn follow(&mut self, mut length: Length, exact: bool) -> Result<(), Reason> {
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

    /// A check that keeps to the bound, and the remaining length.
    pub(crate) fn attack(&mut self, length: Length) -> Result<(Move, Length), Reason> {
        let bound = length.minus(1);
        let shortest = |session: &Self| {
            let known = session.ranges().into_iter().map(|(m, _, at_most)| (m, at_most));
            known.filter(|(_, at_most)| *at_most <= bound).min_by_key(|(_, at_most)| *at_most)
        };
        if let Some(found) = shortest(self) {
            return Ok(found);
        }
        self.shown(length, |outcome| outcome.is_proven() && outcome.length <= bound)
    }

    fn defence(&mut self, length: Length) -> Result<(Move, Length), Reason> {
        let bound = length.minus(1);
        let longest = |session: &Self| {
            let ranges = session.ranges();
            let complete = ranges.iter().all(|(_, _, at_most)| *at_most <= bound);
            let known = ranges.into_iter().map(|(m, _, at_most)| (m, at_most));
            known.max_by_key(|(_, at_most)| *at_most).filter(|_| complete)
        };
        if let Some(found) = longest(self) {
            return Ok(found);
        }
        self.shown(length, |outcome| outcome.is_proven() && outcome.length <= bound)
    }

    fn longest_defence(&mut self, length: Length) -> Result<(Move, Length), Reason> {
        let bound = length.minus(1);
        let holds = |session: &Self| {
            let known = session.ranges().into_iter().find(|(_, at_least, _)| *at_least >= bound);
            known.map(|(m, ..)| (m, bound))
        };
        if let Some(found) = holds(self) {
            return Ok(found);
        }
        let (m, _) = self.shown(length.minus(2), Outcome::is_disproven)?;
        Ok((m, bound))
    }

    /// A move with such an outcome, found by searching where the table lacks it. Among several the attacker takes the
    /// shortest, the defender the longest.
    fn shown(&mut self, length: Length, fits: impl Fn(&Outcome) -> bool) -> Result<(Move, Length), Reason> {
        let choose = |expansion: &Expansion| {
            let fitting = expansion.outcomes().filter(|(_, outcome)| fits(outcome));
            let chosen = if expansion.attacks {
                fitting.min_by_key(|(_, outcome)| outcome.length)
            } else {
                fitting.max_by_key(|(_, outcome)| outcome.length)
            };
            chosen.map(|(m, outcome)| (m, outcome.length))
        };
        let (_, chosen) = self.searcher.decide_and_show(length, &mut self.monitor, choose)?;
        chosen.ok_or(Reason::Stopped)
    }
}

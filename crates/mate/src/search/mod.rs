//! Depth-first proof-number search, without recursion.

mod child;
mod estimate;
pub(crate) mod expansion;
mod path;
mod postpone;
pub(crate) mod walk;
pub(crate) mod workers;

use crate::length::Length;
use crate::outcome::{INFINITE, Numbers, Outcome};
use crate::table::entry::NOWHERE;
use crate::table::memory::Memory;
use crate::table::{Found, Question};
use crate::verdict::Reason;
use estimate::Weights;
use expansion::{DOUBLE_COUNT_SLACK, Expansion};
use path::MAX_DEPTH;
use shogi::Move;
use walk::Walk;
use workers::Workers;

/// Callbacks of a search.
pub(crate) trait Monitor {
    /// Called at every position; returns whether to stop.
    fn visit(&mut self, walk: &Walk) -> bool;

    /// Whether to stop; polled during work on the whole table.
    fn must_stop(&self) -> bool;
}

/// A position being searched, with its thresholds.
struct Frame {
    expansion: Expansion,
    /// The thresholds handed down by the parent.
    given: Numbers,
    /// The thresholds in use, raised as needed to get past old results.
    thresholds: Numbers,
    /// The value of [`Searcher::debt`] when the position was entered.
    debt: u32,
    /// Whether the debt was paid below: the position then returns to its parent at once.
    is_done: bool,
}

/// A search. It keeps the memory of its stack for the next one.
pub(crate) struct Searcher<'a> {
    memory: Memory<'a>,
    workers: &'a Workers,
    weights: Weights,
    pub(crate) walk: Walk,
    frames: Vec<Frame>,
    spare: Vec<Expansion>,
    /// Number of new positions to reach before thresholds apply again. Results of searches nearer to the root may
    /// exceed the thresholds already, and returning at once would loop (Kishimoto's threshold control).
    debt: u32,
    /// Growth of the thresholds from one iteration to the next.
    growth: f64,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(memory: Memory<'a>, workers: &'a Workers, walk: Walk, thread: usize) -> Self {
        Self {
            memory,
            workers,
            weights: Weights::of_thread(thread),
            walk,
            frames: Vec::new(),
            spare: Vec::new(),
            debt: 0,
            growth: 1.7 + 0.3 * thread as f64,
        }
    }

    pub(crate) fn memory(&self) -> Memory<'a> {
        self.memory
    }

    /// Decides whether the current position has a mate within `length`.
    pub(crate) fn decide(&mut self, length: Length, monitor: &mut impl Monitor) -> Result<Outcome, Reason> {
        match self.memory.table.look_up(&self.question(length), &mut false) {
            Found::Final(outcome) => Ok((outcome, ())),
            Found::Known { outcome, .. } => self.decide_by_moves(length, &outcome, monitor, |_| ()),
            Found::Bounds(numbers) => {
                let known = Outcome::unknown(numbers, 1, 0, true);
                self.decide_by_moves(length, &known, monitor, |_| ())
            }
        }
        .map(|(outcome, ())| outcome)
    }

    /// Like [`Self::decide`], but also finds the deciding moves. The table may have the verdict without a move: from
    /// another hand, or because the move's entry was dropped.
    pub(crate) fn decide_and_show<T>(
        &mut self,
        length: Length,
        monitor: &mut impl Monitor,
        show: impl FnOnce(&Expansion) -> T,
    ) -> Result<(Outcome, T), Reason> {
        let known = Outcome::unknown(Numbers::new(1, 1), 1, 0, true);
        self.decide_by_moves(length, &known, monitor, show)
    }

    fn question(&self, length: Length) -> Question {
        let walk = &self.walk;
        Question { board: walk.board(), hand: walk.hand(), depth: walk.depth(), length }
    }

    fn decide_by_moves<T>(
        &mut self,
        length: Length,
        known: &Outcome,
        monitor: &mut impl Monitor,
        show: impl FnOnce(&Expansion) -> T,
    ) -> Result<(Outcome, T), Reason> {
        let mut thresholds =
            if length.is_never() { Numbers::new(1, 1) } else { Numbers::new(INFINITE, INFINITE) };
        self.debt = 0;
        let first = Outcome { is_new: true, ..*known };
        self.push(length, &first, NOWHERE, thresholds);
        let outcome = loop {
            let verdict = self.run(monitor);
            let Some(root) = self.frames.last() else { break Err(Reason::Stopped) };
            let outcome = root.expansion.outcome(&self.walk);
            if let Err(reason) = verdict {
                break Err(reason);
            }
            if outcome.is_final() {
                break Ok(outcome);
            }
            if thresholds == Numbers::new(INFINITE, INFINITE) {
                // Impossible: numbers of undecided positions are smaller.
                break Err(Reason::Stopped);
            }
            let grow = |number: u32| ((f64::from(number) * self.growth) as u32 + 1).min(INFINITE);
            thresholds = Numbers::new(
                thresholds.proof.max(grow(outcome.numbers.proof)),
                thresholds.disproof.max(grow(outcome.numbers.disproof)),
            );
            if let Some(root) = self.frames.last_mut() {
                root.given = thresholds;
                root.thresholds = thresholds;
            }
        };
        let Some(root) = self.frames.pop() else { return Err(Reason::Stopped) };
        let shown = outcome.map(|outcome| (outcome, show(&root.expansion)));
        self.spare.push(root.expansion);
        let (outcome, shown) = shown?;
        if outcome.is_disproven() && self.workers.was_too_deep() {
            return Err(Reason::TooDeep);
        }
        self.memory.store(&self.question(length), self.walk.path.key(), &outcome, NOWHERE, NOWHERE);
        Ok((outcome, shown))
    }

    fn push(&mut self, length: Length, known: &Outcome, slot: u32, thresholds: Numbers) {
        let mut expansion = self.spare.pop().unwrap_or_else(Expansion::empty);
        expansion.expand(self.memory, &mut self.walk, &self.weights, length, known, slot);
        self.frames.push(Frame { expansion, given: thresholds, thresholds, debt: self.debt, is_done: false });
    }

    /// Starts the search of the position that was pushed last.
    fn begin(&mut self, monitor: &mut impl Monitor) -> Result<(), Reason> {
        if monitor.visit(&self.walk) {
            return Err(Reason::Stopped);
        }
        if self.memory.table.is_crowded() {
            self.workers.make_room(self.memory.table, &|| monitor.must_stop());
            self.frames.iter_mut().for_each(|frame| frame.expansion.slot = NOWHERE);
        }
        self.resolve_double_count();
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.debt = self.debt;
        frame.is_done = false;
        if frame.expansion.has_old_child {
            self.debt += 1;
        }
        Self::widen(frame, self.debt);
        Ok(())
    }

    /// While there is a debt, raises the thresholds slightly above the current numbers.
    fn widen(frame: &mut Frame, debt: u32) {
        frame.thresholds = frame.given;
        let numbers = frame.expansion.numbers();
        if debt > 0 && numbers.proof > 0 && numbers.disproof > 0 {
            frame.thresholds = Numbers::new(
                frame.given.proof.max((numbers.proof + 1).min(INFINITE)),
                frame.given.disproof.max((numbers.disproof + 1).min(INFINITE)),
            );
        }
    }

    /// Searches the topmost position until its thresholds are reached.
    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Reason> {
        let bottom = self.frames.len();
        let result = self.begin(monitor).and_then(|()| self.run_above(bottom, monitor));
        if result.is_err() {
            while self.frames.len() > bottom {
                self.pop();
            }
        }
        result
    }

    fn run_above(&mut self, bottom: usize, monitor: &mut impl Monitor) -> Result<(), Reason> {
        loop {
            let Some(frame) = self.frames.last() else { return Ok(()) };
            if frame.is_done || frame.expansion.numbers().reach(frame.thresholds) {
                self.debt = self.debt.min(frame.debt);
                if self.frames.len() == bottom {
                    return Ok(());
                }
                self.hand_over();
            } else {
                self.descend(monitor)?;
            }
        }
    }

    /// Pushes the best move's position. Returns at once if it is new and already beyond its thresholds.
    fn descend(&mut self, monitor: &mut impl Monitor) -> Result<(), Reason> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let expansion = &mut frame.expansion;
        if expansion.slot == NOWHERE {
            let question = Question {
                board: expansion.board,
                hand: expansion.hand,
                depth: expansion.depth,
                length: expansion.length,
            };
            let numbers = expansion.numbers();
            let outcome = Outcome::unknown(numbers, 1, 0, false);
            expansion.slot = self.memory.table.store(&question, &outcome, NOWHERE, NOWHERE);
        }
        let Some(best) = expansion.best().copied() else { return Ok(()) };
        let thresholds = expansion.thresholds_of_best(frame.thresholds);
        let length = expansion.length.minus(1);
        self.walk.enter(best.m);
        if self.walk.depth() >= MAX_DEPTH {
            // Not a verdict: it only keeps the search away from here, and must not count as one at the root.
            self.workers.note_too_deep();
            let hand = self.walk.hand();
            self.walk.leave();
            if let Some(frame) = self.frames.last_mut() {
                frame.expansion.update_best(self.memory, Outcome::disproven(hand, Length::NEVER, 1, 0));
            }
            return Ok(());
        }
        self.push(length, &best.outcome, best.slot, thresholds);
        if best.outcome.is_new {
            self.debt = self.debt.saturating_sub(1);
            if let Some(frame) = self.frames.last()
                && frame.expansion.numbers().reach(thresholds)
            {
                self.hand_over();
                return Ok(());
            }
        }
        self.begin(monitor)
    }

    /// Pops the topmost position and reports its outcome to the parent.
    fn hand_over(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let outcome = frame.expansion.outcome(&self.walk);
        self.pop();
        if let Some(parent) = self.frames.last_mut() {
            parent.expansion.update_best(self.memory, outcome);
            parent.is_done = self.debt == 0 && parent.debt > 0;
            Self::widen(parent, self.debt);
        }
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.spare.push(frame.expansion);
            self.walk.leave();
        }
    }

    /// Detects double counting: the best move leads to a position that was last searched from another branch below a
    /// position of the path.
    fn resolve_double_count(&mut self) {
        let table = self.memory.table;
        let Some(frame) = self.frames.last() else { return };
        let Some(best) = frame.expansion.best() else { return };
        let (mut place, own) = (best.slot, frame.expansion.slot);
        let mut attacks = frame.expansion.attacks;
        let (mut proof_may, mut disproof_may) = (true, true);
        let mut last = Numbers::new(INFINITE, INFINITE);
        for step in 0..self.walk.depth() {
            let Some((parent, numbers)) = table.parent(place) else { return };
            if step == 0 && parent == own {
                return;
            }
            disproof_may &= numbers.disproof <= last.disproof.saturating_add(DOUBLE_COUNT_SLACK);
            proof_may &= numbers.proof <= last.proof.saturating_add(DOUBLE_COUNT_SLACK);
            if !(proof_may || disproof_may) {
                return;
            }
            let Some((board, hand)) = table.who(parent) else { return };
            if self.walk.path.contains(board, hand) {
                if attacks && disproof_may || !attacks && proof_may {
                    self.resolve_at(parent, place, attacks);
                }
                return;
            }
            place = parent;
            last = numbers;
            attacks = !attacks;
        }
    }

    /// Records double counting at the position of the path with the slot `branch`.
    fn resolve_at(&mut self, branch: u32, place: u32, attacks: bool) {
        let frames = self.frames.len();
        for frame in self.frames[..frames - 1].iter_mut().rev() {
            if frame.expansion.slot == branch {
                frame.expansion.resolve_double_count(place);
                return;
            }
            if frame.expansion.attacks == attacks && frame.expansion.is_dominated_by_others() {
                return;
            }
        }
    }

    /// The moves from the root to the current position.
    pub(crate) fn line(&self) -> Vec<Move> {
        self.walk.position.moves_played().flatten().collect()
    }
}

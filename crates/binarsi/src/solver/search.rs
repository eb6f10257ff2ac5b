//! Depth-first proof-number search: follows the cheapest move within thresholds.

use super::endgame;
use super::key::{Key, canonical};
use super::successors::{Rectangle, result, visit_results, wins_at_once};
use super::table::{Entry, Numbers, Table, effort};
use crate::estimate::{log_odds, missing};
use crate::position::MAX_PLIES;
use crate::state::State;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// Positions with at most this many moves left are searched exhaustively.
const ENDGAME: u32 = 6;
/// Added to the number of a position for each further move that has to be answered. Less than the full sum, because the
/// same positions arise after many moves.
const EACH: u32 = 8;
/// The number of a balanced position.
const BASE: f32 = 16.0;
/// Nodes between two checks of the clock and of the other threads.
const PULSE: u64 = 1024;
/// Threads avoid each other's positions if at least this many moves are left.
const SHARED: u32 = 12;
const BUSY_BITS: u32 = 16;

/// Shared by all threads.
pub(crate) struct Shared {
    pub(crate) table: Table,
    pub(crate) stop: AtomicBool,
    pub(crate) nodes: AtomicU64,
    /// Number of threads below a position, by its hash.
    busy: Vec<AtomicU8>,
}

impl Shared {
    pub(crate) fn new(table: Table) -> Self {
        let busy = (0..1 << BUSY_BITS).map(|_| AtomicU8::new(0)).collect();
        Self { table, stop: AtomicBool::new(false), nodes: AtomicU64::new(0), busy }
    }

    fn busy(&self, key: Key) -> &AtomicU8 {
        &self.busy[(key.hash() >> (64 - BUSY_BITS)) as usize]
    }
}

/// An undecided position after a move.
#[derive(Clone, Copy)]
struct Child {
    state: State,
    rectangle: Rectangle,
    key: Key,
    numbers: Numbers,
}

/// The numbers of the children combined.
struct Sum {
    numbers: Numbers,
    /// The child to search next.
    best: usize,
    /// The limit up to which that child stays the best.
    next_best: u32,
    open: u32,
}

/// The search of one thread.
pub(crate) struct Worker<'a> {
    shared: &'a Shared,
    /// Whether there are several threads.
    company: bool,
    children: Vec<Vec<Child>>,
    path: Vec<Key>,
    nodes: u64,
    /// Number of nodes already added to the shared count.
    flushed: u64,
    most_nodes: u64,
    /// The depth to return to: deeper frames no longer matter.
    unwind: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared, company: bool, most_nodes: u64) -> Self {
        let children = (0..=MAX_PLIES).map(|_| Vec::with_capacity(64)).collect();
        Self {
            shared,
            company,
            children,
            path: Vec::new(),
            nodes: 0,
            flushed: 0,
            most_nodes,
            unwind: usize::MAX,
        }
    }

    /// Searches a position that fills a rectangle and is not over, until it is decided or the search is stopped.
    pub(crate) fn solve(&mut self, state: &State) -> Numbers {
        let (state, rectangle) = canonical(state);
        let key = Key::of(&state, rectangle);
        loop {
            let numbers = self.search(
                &state,
                rectangle,
                key,
                Numbers { win: Numbers::INFINITE, loss: Numbers::INFINITE },
            );
            self.flush();
            self.unwind = usize::MAX;
            if numbers.verdict().is_some() || self.shared.stop.load(Relaxed) {
                return numbers;
            }
        }
    }

    fn flush(&mut self) {
        let new = self.nodes - self.flushed;
        if self.shared.nodes.fetch_add(new, Relaxed) + new >= self.most_nodes {
            self.shared.stop.store(true, Relaxed);
        }
        self.flushed = self.nodes;
    }

    /// Checks the clock, and whether other threads have decided a position of the path.
    fn pulse(&mut self) {
        self.flush();
        if self.shared.stop.load(Relaxed) {
            self.unwind = 0;
        } else if self.company {
            let decided = |key: &Key| self.shared.table.probe(*key).is_some_and(|n| n.verdict().is_some());
            // The thread that decides the root sets `stop`. The root may be won although the entry of the winning move
            // is lost.
            if let Some(depth) = self.path.iter().skip(1).position(decided) {
                self.unwind = depth + 1;
            }
        }
    }

    fn search(&mut self, state: &State, rectangle: Rectangle, key: Key, limits: Numbers) -> Numbers {
        let depth = self.path.len();
        let left = rectangle.moves_left(state);
        let start = self.nodes;
        if left <= ENDGAME {
            let numbers = Numbers::decided(endgame::wins(state, &mut self.nodes));
            self.remember(key, numbers, start);
            return numbers;
        }
        self.nodes += 1;
        let mut children = std::mem::take(&mut self.children[depth]);
        let decided = self.expand(state, left, &mut children);
        self.path.push(key);
        let numbers = decided.unwrap_or_else(|| self.search_children(&mut children, left, limits));
        self.path.pop();
        self.children[depth] = children;
        if self.unwind == depth {
            // Another thread has decided this position, or the search has been stopped.
            self.unwind = usize::MAX;
            if self.shared.stop.load(Relaxed) {
                self.unwind = 0;
            } else if let Some(known) = self.shared.table.probe(key) {
                return known;
            }
        }
        self.remember(key, numbers, start);
        numbers
    }

    fn remember(&self, key: Key, numbers: Numbers, start: u64) {
        let effort = effort(self.nodes - start);
        self.shared.table.store(Entry { key, numbers, effort });
    }

    fn search_children(&mut self, children: &mut Vec<Child>, left: u32, limits: Numbers) -> Numbers {
        let shares = self.company && left > SHARED;
        loop {
            let sum = self.sum_up(children, shares);
            if sum.numbers.win >= limits.win
                || sum.numbers.loss >= limits.loss
                || self.unwind < self.path.len()
            {
                return sum.numbers;
            }
            if self.nodes - self.flushed >= PULSE {
                self.pulse();
                continue;
            }
            let child = children[sum.best];
            let within = Numbers {
                win: limits
                    .loss
                    .saturating_sub((sum.open - 1) * EACH)
                    .max(child.numbers.win + 1)
                    .min(Numbers::INFINITE),
                loss: limits
                    .win
                    .min(sum.next_best.saturating_add(sum.next_best / 8 + 1))
                    .max(child.numbers.loss + 1)
                    .min(Numbers::INFINITE),
            };
            if shares {
                self.shared.busy(child.key).fetch_add(1, Relaxed);
            }
            let numbers = self.search(&child.state, child.rectangle, child.key, within);
            if shares {
                self.shared.busy(child.key).fetch_sub(1, Relaxed);
            }
            if !Self::take(children, sum.best, numbers) {
                return Numbers::WON;
            }
            if shares && self.refresh(children) {
                return Numbers::WON;
            }
        }
    }

    /// Stores a child's numbers; returns `false` if the child is lost for the opponent.
    fn take(children: &mut Vec<Child>, index: usize, numbers: Numbers) -> bool {
        match numbers.verdict() {
            Some(true) => {
                children.swap_remove(index);
            }
            Some(false) => return false,
            None => children[index].numbers = numbers,
        }
        true
    }

    /// Looks up results of other threads; returns `true` if a child is lost for the opponent.
    fn refresh(&self, children: &mut Vec<Child>) -> bool {
        let mut lost = false;
        children.retain_mut(|child| {
            if let Some(numbers) = self.shared.table.probe(child.key) {
                child.numbers = numbers;
            }
            lost |= child.numbers.verdict() == Some(false);
            child.numbers.verdict() != Some(true)
        });
        lost
    }

    fn sum_up(&self, children: &[Child], shares: bool) -> Sum {
        let (mut win, mut hardest) = (Numbers::INFINITE, 0);
        let (mut best, mut best_value, mut next_best) = (0, u32::MAX, Numbers::INFINITE);
        for (i, child) in children.iter().enumerate() {
            win = win.min(child.numbers.loss);
            hardest = hardest.max(child.numbers.win);
            let others = if shares { u32::from(self.shared.busy(child.key).load(Relaxed)) } else { 0 };
            let value = child.numbers.loss + child.numbers.loss / 2 * others;
            if value < best_value {
                (best, next_best, best_value) = (i, best_value.min(Numbers::INFINITE), value);
            } else {
                next_best = next_best.min(value);
            }
        }
        let open = children.len() as u32;
        let loss = if open == 0 { 0 } else { (hardest + (open - 1) * EACH).min(Numbers::INFINITE - 1) };
        let win = if open == 0 { Numbers::INFINITE } else { win };
        Sum { numbers: Numbers { win, loss }, best, next_best, open }
    }

    /// Fills `children` with the undecided ones; returns the numbers if the position is decided.
    fn expand(&self, state: &State, left: u32, children: &mut Vec<Child>) -> Option<Numbers> {
        children.clear();
        let mut any = false;
        let won = visit_results(state, |black, occupied, locks| {
            any = true;
            let after = result(state, black, occupied, locks);
            match endgame::winner(&after, left - 1) {
                Some(winner) if winner == state.side => return ControlFlow::Break(()),
                Some(_) => {}
                None => {
                    let (state, rectangle) = canonical(&after);
                    let key = Key::of(&state, rectangle);
                    self.shared.table.prefetch(key);
                    children.push(Child { state, rectangle, key, numbers: Numbers::WON });
                }
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return Some(Numbers::WON);
        }
        if !any {
            return Some(Numbers::decided(state.leader() == state.side));
        }
        let mut lost = false;
        children.retain_mut(|child| {
            child.numbers = self.shared.table.probe(child.key).unwrap_or_else(|| first_guess(&child.state));
            lost |= child.numbers.verdict() == Some(false);
            child.numbers.verdict() != Some(true)
        });
        if lost { Some(Numbers::WON) } else { None }
    }
}

/// Results that need no table: wins with the next move, and ended games.
pub(crate) fn seen_at_once(state: &State) -> Option<Numbers> {
    if wins_at_once(state, &missing(state)) {
        return Some(Numbers::WON);
    }
    let late = Rectangle::around(state.occupied).moves_left(state) <= ENDGAME;
    late.then(|| Numbers::decided(endgame::wins(state, &mut 0)))
}

/// The initial numbers of a position.
pub(crate) fn first_guess(state: &State) -> Numbers {
    let missing = missing(state);
    if wins_at_once(state, &missing) {
        return Numbers::WON;
    }
    let lean = (log_odds(state, &missing) as f32 / 200.0).exp();
    let number = |cost: f32| (cost as u32).clamp(1, 4096);
    Numbers { win: number(BASE / lean), loss: number(BASE * lean) }
}

//! One thread of a search: iterative deepening from the root.

use crate::node::Window;
use crate::ordering::{Ordering, Ranked};
use crate::report::{Bound, Line};
use crate::{MAX_PLY, Settings, Table, Task, Timer, Value};
use game::{Color, Evaluation, MoveSet, Position};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) settings: &'a Settings,
    pub(crate) timer: &'a dyn Timer,
    pub(crate) stop: &'a AtomicBool,
    /// Nodes of each thread.
    pub(crate) nodes: &'a [AtomicU64],
    pub(crate) node_limit: u64,
    pub(crate) depth_limit: usize,
}

impl Shared<'_> {
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// A move at the root with what is known of it.
#[derive(Clone)]
pub(crate) struct RootMove<M> {
    pub(crate) value: Value,
    pub(crate) previous: Value,
    pub(crate) line: Vec<M>,
    pub(crate) selective_depth: usize,
}

/// A thread's own position, evaluation and statistics.
pub(crate) struct Worker<'a, P: Position, E> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) index: usize,
    pub(crate) position: P,
    pub(crate) evaluation: E,
    pub(crate) ordering: Ordering<P>,
    pub(crate) root_side: Color,
    pub(crate) root_moves: Vec<RootMove<P::Move>>,
    pub(crate) nodes: u64,
    pub(crate) selective_depth: usize,
    /// The best line from each ply on.
    pub(crate) lines: Vec<Vec<P::Move>>,
    /// Ranked moves of each ply, kept to reuse their memory.
    pub(crate) ranked: Vec<Vec<Ranked<P::Move>>>,
    pub(crate) changes: Vec<P::Change>,
}

/// Clocks are looked at every so many nodes.
const CLOCK_INTERVAL: u64 = 256;

impl<'a, P: Position, E: Evaluation<P>> Worker<'a, P, E> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        index: usize,
        task: &Task<P, P::Move>,
        mut evaluation: E,
    ) -> Self {
        let position = task.position.clone();
        evaluation.refresh(&position);
        let mut moves = P::Moves::default();
        position.generate(MoveSet::Legal, shared.settings.promotions, &mut moves);
        // Moves asked for by name count even where the search would leave them out.
        let wanted: Vec<P::Move> = if task.only.is_empty() {
            moves.to_vec()
        } else {
            task.only.iter().copied().filter(|m| position.is_legal(*m)).collect()
        };
        let root_moves = wanted
            .into_iter()
            .map(|m| RootMove {
                value: -Value::INFINITE,
                previous: -Value::INFINITE,
                line: vec![m],
                selective_depth: 0,
            })
            .collect();
        Self {
            shared,
            index,
            root_side: position.side(),
            position,
            evaluation,
            ordering: Ordering::new(),
            root_moves,
            nodes: 0,
            selective_depth: 0,
            lines: vec![Vec::new(); MAX_PLY + 2],
            ranked: vec![Vec::new(); MAX_PLY + 2],
            changes: Vec::with_capacity(8),
        }
    }

    /// Deepens until told to stop; `report` hears of each finished iteration, and of each value that turned out to lie
    /// outside of the window it was looked for in.
    pub(crate) fn run(&mut self, mut report: impl FnMut(usize, &[RootMove<P::Move>], Bound)) {
        let mut stable = 0;
        let mut last_best = None;
        for depth in 1..=self.shared.depth_limit.min(MAX_PLY - 1) {
            // Helpers skip some depths so that threads do not all do the same.
            if self.index > 0 && (depth + self.index).is_multiple_of(3) && depth > 2 {
                continue;
            }
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
            }
            let lines = self.shared.settings.lines.clamp(1, self.root_moves.len().max(1));
            for first in 0..lines {
                self.selective_depth = 0;
                self.aspire(first, depth as i32, &mut report);
                if self.stopped() {
                    break;
                }
            }
            if self.stopped() && depth > 1 {
                break;
            }
            report(depth, &self.root_moves, Bound::Exact);
            let best = self.root_moves.first().map(|m| m.line[0]);
            stable = if best == last_best { stable + 1 } else { 0 };
            last_best = best;
            if self.index == 0 && (self.stopped() || !self.shared.timer.may_deepen(stable)) {
                break;
            }
        }
    }

    /// Searches the root moves from `first` on in a window around the value of the last iteration.
    fn aspire(
        &mut self,
        first: usize,
        depth: i32,
        report: &mut impl FnMut(usize, &[RootMove<P::Move>], Bound),
    ) {
        let expected = self.root_moves[first].previous;
        let mut delta = 25;
        let mut window = Window { alpha: -Value::INFINITE, beta: Value::INFINITE };
        if depth >= 4 && expected.plies_to_mate().is_none() {
            window = Window { alpha: expected.offset(-delta), beta: expected.offset(delta) };
        }
        loop {
            let value = self.search_root(first, window, depth);
            self.root_moves[first..].sort_by_key(|m| std::cmp::Reverse(m.value));
            if self.stopped() {
                return;
            }
            if first == 0 && self.shared.settings.report_fails && self.index == 0 {
                if value <= window.alpha && window.alpha > -Value::INFINITE {
                    report(depth as usize, &self.root_moves, Bound::Upper);
                } else if value >= window.beta && window.beta < Value::INFINITE {
                    report(depth as usize, &self.root_moves, Bound::Lower);
                }
            }
            delta += delta;
            if value <= window.alpha && window.alpha > -Value::INFINITE {
                window.alpha = if delta > 1000 { -Value::INFINITE } else { value.offset(-delta) };
            } else if value >= window.beta && window.beta < Value::INFINITE {
                window.beta = if delta > 1000 { Value::INFINITE } else { value.offset(delta) };
            } else {
                return;
            }
        }
    }

    fn search_root(&mut self, first: usize, window: Window, depth: i32) -> Value {
        let mut alpha = window.alpha;
        let mut best = -Value::INFINITE;
        for root_move in &mut self.root_moves[first..] {
            root_move.value = -Value::INFINITE;
        }
        for index in first..self.root_moves.len() {
            let m = self.root_moves[index].line[0];
            self.play(m);
            let mut value = -Value::INFINITE;
            if index > first {
                value = -self.search(1, Window::null(-alpha), depth - 1);
            }
            if index == first || value > alpha {
                value = -self.search(1, Window { alpha: -window.beta, beta: -alpha }, depth - 1);
            }
            self.take_back();
            if self.stopped() {
                return best;
            }
            if index == first || value > alpha {
                let selective_depth = self.selective_depth;
                let root_move = &mut self.root_moves[index];
                root_move.value = value;
                root_move.selective_depth = selective_depth;
                root_move.line.truncate(1);
                root_move.line.extend_from_slice(&self.lines[1]);
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }

    pub(crate) fn play(&mut self, m: P::Move) {
        self.changes.clear();
        let changes = &mut self.changes;
        self.position.do_move_observed(m, |change| changes.push(change));
        self.evaluation.push(&self.changes);
    }

    pub(crate) fn take_back(&mut self) {
        self.position.undo_move();
        self.evaluation.pop();
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.shared.stop.load(Relaxed)
    }

    /// Counts a node and looks at the limits now and then.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
        let looks = self.nodes.is_multiple_of(CLOCK_INTERVAL) && self.index == 0;
        let alone = self.shared.nodes.len() == 1;
        let over = if alone {
            self.nodes >= self.shared.node_limit
        } else {
            looks && self.shared.total_nodes() >= self.shared.node_limit
        };
        if over || looks && self.shared.timer.must_stop() {
            self.shared.stop.store(true, Relaxed);
        }
    }

    /// The best lines as far as they are known.
    pub(crate) fn best_lines(root_moves: &[RootMove<P::Move>], count: usize) -> Vec<Line<P::Move>> {
        root_moves
            .iter()
            .take(count.max(1))
            .map(|m| Line {
                value: if m.value == -Value::INFINITE { m.previous } else { m.value },
                bound: Bound::Exact,
                moves: m.line.clone(),
                selective_depth: m.selective_depth,
            })
            .filter(|line| line.value != -Value::INFINITE)
            .collect()
    }
}

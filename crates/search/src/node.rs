//! The search of one node.

use crate::ordering::Ordering;
use crate::report::Bound;
use crate::table::Entry;
use crate::worker::Worker;
use crate::{MAX_PLY, Value};
use game::{Evaluation, MoveSet, Position, Repetition};

/// What values matter: between what we have already and what the opponent allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
}

impl Window {
    /// Only asks whether the value is beyond `beta`'s neighbour.
    pub(crate) fn null(beta: Value) -> Self {
        Self { alpha: beta.offset(-1), beta }
    }

    fn is_null(self) -> bool {
        self.alpha.offset(1) == self.beta
    }

    /// As the opponent sees it.
    fn reversed(self, alpha: Value) -> Self {
        Self { alpha: -self.beta, beta: -alpha }
    }
}

impl<P: Position, E: Evaluation<P>> Worker<'_, P, E> {
    /// Value of the present position, `ply` moves from the root.
    pub(crate) fn search(&mut self, ply: usize, mut window: Window, depth: i32) -> Value {
        self.lines[ply].clear();
        let in_check = P::HAS_CHECK && self.position.in_check();
        let depth = if in_check { depth + 1 } else { depth };
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(ply, window);
        }
        self.count_node();
        if self.stopped() {
            return Value::ZERO;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(value) = self.decided(ply) {
            return value;
        }
        // No line from here can be better than mating or worse than being mated right now.
        window.alpha = window.alpha.max(-Value::mate_in(ply));
        window.beta = window.beta.min(Value::mate_in(ply + 1));
        if window.alpha >= window.beta {
            return window.alpha;
        }

        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        if let Some(value) = entry.and_then(|entry| usable(entry, ply, window, depth)) {
            return value;
        }
        if let Some(value) = self.try_passing(ply, window, depth, in_check) {
            return value;
        }
        self.search_moves(ply, window, depth, in_check, key, entry.map_or(0, |entry| entry.best))
    }

    /// The value of a position that the rules decide.
    fn decided(&self, ply: usize) -> Option<Value> {
        if let Some(repetition) = self.position.repetition(ply) {
            return Some(match repetition {
                Repetition::Draw => self.draw_value(),
                Repetition::Win => Value::mate_in(ply),
                Repetition::Lose => -Value::mate_in(ply),
                Repetition::Superior => Value::SUPERIOR,
                Repetition::Inferior => -Value::SUPERIOR,
            });
        }
        if self.position.move_limit_reached() && !self.position.legal_moves().is_empty() {
            return Some(self.draw_value());
        }
        self.position.declaration().map(|_| Value::mate_in(ply + 1))
    }

    fn draw_value(&self) -> Value {
        let value = Value::new(self.shared.settings.draw_value[self.root_side.index()]);
        if self.position.side() == self.root_side { value } else { -value }
    }

    /// If passing still fails high, some move surely does.
    fn try_passing(&mut self, ply: usize, window: Window, depth: i32, in_check: bool) -> Option<Value> {
        if !P::HAS_NULL_MOVE
            || in_check
            || depth < 3
            || !window.is_null()
            || window.beta.plies_to_mate().is_some()
        {
            return None;
        }
        if self.evaluate() < window.beta {
            return None;
        }
        self.position.do_null_move();
        self.evaluation.push(&[]);
        let value = -self.search(ply + 1, window.reversed(window.beta.offset(-1)), depth - 3 - depth / 4);
        self.position.undo_null_move();
        self.evaluation.pop();
        (value >= window.beta && !self.stopped()).then_some(window.beta)
    }

    fn search_moves(
        &mut self,
        ply: usize,
        window: Window,
        depth: i32,
        in_check: bool,
        key: u64,
        table_move: u32,
    ) -> Value {
        let mut moves = P::Moves::default();
        self.position.generate(MoveSet::Legal, self.shared.settings.promotions, &mut moves);
        if moves.is_empty() {
            return -Value::mate_in(ply);
        }
        let mut ranked = std::mem::take(&mut self.ranked[ply]);
        self.ordering.rank(&self.position, &moves, ply, table_move, &mut ranked);
        let mut alpha = window.alpha;
        let mut best = -Value::INFINITE;
        let mut best_move = None;
        for index in 0..ranked.len() {
            let m = Ordering::<P>::pick(&mut ranked, index);
            let quiet = !self.position.is_capture(m);
            let reduction = if index >= 4 && depth >= 3 && quiet && !in_check {
                (1 + index as i32 / 8 + depth / 6).min(depth - 2)
            } else {
                0
            };
            self.play(m);
            let mut value = -Value::INFINITE;
            if index > 0 {
                value = -self.search(ply + 1, Window::null(-alpha), depth - 1 - reduction);
                if value > alpha && reduction > 0 {
                    value = -self.search(ply + 1, Window::null(-alpha), depth - 1);
                }
            }
            if index == 0 || value > alpha && value < window.beta {
                value = -self.search(ply + 1, window.reversed(alpha), depth - 1);
            }
            self.take_back();
            if self.stopped() {
                self.ranked[ply] = ranked;
                return Value::ZERO;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                best_move = Some(m);
                self.extend_line(ply, m);
                if alpha >= window.beta {
                    if quiet {
                        self.ordering.reward(&self.position, m, &ranked[..index], ply, depth);
                    }
                    break;
                }
            }
        }
        self.ranked[ply] = ranked;
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { best: best_move.map_or(0, P::pack_move), value: best.at_node(ply), depth, bound };
        self.shared.table.store(key, entry);
        best
    }

    /// Looks at captures only, until the position is quiet; in check at everything.
    fn quiesce(&mut self, ply: usize, window: Window) -> Value {
        self.count_node();
        if self.stopped() {
            return Value::ZERO;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(value) = self.decided(ply) {
            return value;
        }
        let in_check = P::HAS_CHECK && self.position.in_check();
        let mut alpha = window.alpha;
        let mut best = -Value::INFINITE;
        let mut moves = P::Moves::default();
        let promotions = self.shared.settings.promotions;
        if in_check && ply < MAX_PLY {
            self.position.generate(MoveSet::Evasions, promotions, &mut moves);
            if moves.is_empty() {
                return -Value::mate_in(ply);
            }
        } else {
            best = self.evaluate();
            if best >= window.beta || ply >= MAX_PLY {
                return best;
            }
            alpha = alpha.max(best);
            self.position.generate(MoveSet::Captures, promotions, &mut moves);
        }
        let mut ranked = std::mem::take(&mut self.ranked[ply]);
        self.ordering.rank(&self.position, &moves, ply, 0, &mut ranked);
        for index in 0..ranked.len() {
            let m = Ordering::<P>::pick(&mut ranked, index);
            if !in_check && !self.position.exchange_at_least(m, 0) {
                continue;
            }
            self.play(m);
            let value = -self.quiesce(ply + 1, window.reversed(alpha));
            self.take_back();
            if self.stopped() {
                break;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.extend_line(ply, m);
                if alpha >= window.beta {
                    break;
                }
            }
        }
        self.ranked[ply] = ranked;
        best
    }

    fn evaluate(&mut self) -> Value {
        Value::new(self.evaluation.value(&self.position))
    }

    /// The best line from `ply` is now `m` and what follows it.
    fn extend_line(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }
}

/// The value of a table entry, if it settles the node. Nodes with an open window are searched, for their line.
fn usable(entry: Entry, ply: usize, window: Window, depth: i32) -> Option<Value> {
    if entry.depth < depth || !window.is_null() {
        return None;
    }
    let value = entry.value.at_root(ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= window.beta,
        Bound::Upper => value <= window.alpha,
    };
    settles.then_some(value)
}

//! Iterative deepening from the root.

use crate::node::{Root, Window};
use crate::parameters as p;
use crate::report::Bound;
use crate::task::{Next, Progress};
use crate::worker::{RootMove, Worker};
use crate::{MAX_PLY, Value};
use game::{Evaluation, Searchable};
use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

impl<P: Searchable, E: Evaluation<P>> Worker<'_, P, E> {
    /// Deepens until a limit or the timer stops it. Calls `report` after each iteration and for each value outside of
    /// the aspiration window.
    pub(crate) fn run(&mut self, mut report: impl FnMut(usize, &[RootMove<P::Move>], Bound)) {
        let mut best_since = 0;
        let mut values = Vec::new();
        // A decayed count.
        let mut best_changes = 0.0;
        for depth in 1..=self.shared.depth_limit.min(MAX_PLY - 1) {
            self.root_depth = depth as i32;
            self.held_back = p::again_reduction() * (self.shared.again.load(Relaxed) + 1) / 4;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
            }
            let before = self.root_moves.first().map(|m| (m.line.clone(), m.value));
            let multi_pv = self.shared.settings.multi_pv.clamp(1, self.root_moves.len().max(1));
            for pv_index in 0..multi_pv {
                self.pv_index = pv_index;
                self.selective_depth = 0;
                self.aspiration_search(&mut report);
                self.root_moves[..=pv_index].sort_by_key(|m| Reverse(m.value));
                if self.stopped() {
                    break;
                }
            }
            if self.stopped() && depth > 1 {
                self.distrust_a_loss_cut_short(before);
                break;
            }
            let Some(best) = self.root_moves.first() else { break };
            self.finished_depth = depth;
            if self.best_line.first() != best.line.first() {
                best_since = depth;
            }
            self.best_line.clone_from(&best.line);
            let value = best.value;
            let effort = best.effort as f64 / self.nodes.max(1) as f64;
            values.push(value);
            report(depth, &self.root_moves, Bound::Exact);
            if multi_pv == 1 && is_settled(value, depth) {
                break;
            }
            if self.index > 0 {
                continue;
            }
            best_changes = best_changes / 2.0 + self.shared.take_best_changes();
            let progress = Progress {
                depth,
                stable_iterations: (depth - best_since) as u32,
                best_changes,
                effort,
                value,
                earlier_value: values[values.len().saturating_sub(5)],
                expected_value: self.shared.expected_value,
                only_move: self.root_moves.len() == 1,
            };
            if self.stopped() {
                break;
            }
            match self.shared.timer.after_iteration(&progress) {
                Next::Stop => break,
                Next::Again => drop(self.shared.again.fetch_add(1, Relaxed)),
                Next::Deeper => {}
            }
        }
    }

    /// Restores the last iteration's best move if this one was stopped while all moves seen so far were lost: a move
    /// not searched yet may still hold.
    fn distrust_a_loss_cut_short(&mut self, before: Option<(Vec<P::Move>, Value)>) {
        let lost = self.root_moves.first().is_some_and(|m| m.value.is_loss() && m.value != -Value::INFINITE);
        let Some((line, value)) = before.filter(|(_, value)| lost && !value.is_loss()) else { return };
        if let Some(index) = self.root_moves.iter().position(|m| m.line[0] == line[0]) {
            self.root_moves[..=index].rotate_right(1);
            self.root_moves[0].line = line;
            self.root_moves[0].value = value;
        }
    }

    /// Searches the root moves from [`Worker::pv_index`] on, in a window around the expected value.
    fn aspiration_search(&mut self, report: &mut impl FnMut(usize, &[RootMove<P::Move>], Bound)) {
        let pv_index = self.pv_index;
        let mut window = Window { alpha: -Value::INFINITE, beta: Value::INFINITE };
        let mut delta = 2 * Value::INFINITE.get();
        if let Some((mean, square)) = self.root_moves[pv_index].mean {
            delta = p::aspiration_base()
                + (self.index % 8) as i32
                + square.abs() / p::aspiration_square_divisor();
            let mean = Value::ZERO.offset(mean);
            window = Window { alpha: mean.offset(-delta), beta: mean.offset(delta) };
        }
        // After a fail high the depth is reduced, but not to less than half.
        let depth = (self.root_depth - self.held_back).max(1);
        let mut failed_high = 0;
        loop {
            self.root_width = window.beta.get() - window.alpha.get();
            let value = self.search::<Root>(0, window, (depth - failed_high).max((depth + 1) / 2), false);
            self.root_moves[pv_index..].sort_by_key(|m| Reverse(m.value));
            if self.stopped() {
                return;
            }
            let bound = if value <= window.alpha {
                window = Window { alpha: value.offset(-delta), beta: window.alpha };
                failed_high = 0;
                Bound::Upper
            } else if value >= window.beta {
                let alpha = window.beta.offset(-delta).max(window.alpha);
                window = Window { alpha, beta: value.offset(delta) };
                failed_high += 1;
                Bound::Lower
            } else {
                return;
            };
            if pv_index == 0 && self.shared.settings.report_fails && self.index == 0 {
                report(self.root_depth as usize, &self.root_moves, bound);
            }
            delta += delta / p::aspiration_growth_divisor();
        }
    }
}

/// Whether the mate is so near that deeper iterations will not change it.
fn is_settled(value: Value, depth: usize) -> bool {
    value.plies_to_mate().is_some_and(|plies| (plies.unsigned_abs() as usize + 2) * 5 / 2 < depth)
}

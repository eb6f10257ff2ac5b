//! Pruning: nodes that are cut by their evaluation, and moves that are not searched.

use crate::Value;
use crate::history::{MoveTag, Rows};
use crate::node::{Node, NodeKind, NonPv, Window};
use crate::parameters as p;
use crate::picker::Picker;
use crate::report::Bound;
use crate::table::Entry;
use crate::worker::Worker;
use game::{Evaluation, Searchable};

impl<P: Searchable, E: Evaluation<P>> Worker<'_, P, E> {
    /// Cuts a node whose evaluation is far outside of the window, and adjusts its depth.
    pub(crate) fn prune<K: NodeKind>(&mut self, node: &mut Node<P::Move>) -> Option<Value> {
        if !self.position.material_counts() {
            return None;
        }
        self.use_hindsight(node);
        if let Some(value) = self.razor::<K>(node) {
            return Some(value);
        }
        if !K::PV
            && let Some(value) = reverse_futility(node).or_else(|| self.try_null_move(node))
        {
            return Some(value);
        }
        node.improving |= node.static_eval >= node.window.beta;
        // Internal iterative reduction: without a move from the table, a shallower search finds one first.
        if !node.is_all::<K>()
            && node.depth >= p::internal_reduction_depth()
            && node.table_move.is_none()
            && node.prior_reduction <= p::internal_reduction_prior()
            && !self.stack[node.ply].follows_pv
        {
            node.depth -= 1;
        }
        if K::ROOT { None } else { self.probe_cut(node) }
    }

    /// Hindsight: adjusts the depth after a reduced move by what the evaluation says of that move now.
    fn use_hindsight(&self, node: &mut Node<P::Move>) {
        if node.prior_reduction >= p::hindsight_deeper_reduction() && !node.worsening {
            node.depth += 1;
        }
        let sum = node.static_eval.get() + self.stack.before(node.ply, 1).static_eval.get();
        if node.prior_reduction >= p::hindsight_shallower_reduction()
            && node.depth >= 2
            && sum > p::hindsight_margin()
        {
            node.depth -= 1;
        }
    }

    /// Razoring: so far behind that only captures can help, so only those are searched.
    fn razor<K: NodeKind>(&mut self, node: &Node<P::Move>) -> Option<Value> {
        let margin = p::razoring_base() + p::razoring_per_depth_squared() * node.depth * node.depth;
        let behind = !K::PV && node.estimate.offset(margin) < node.window.alpha;
        behind.then(|| self.quiesce::<NonPv>(node.ply, node.window))
    }

    /// Null move pruning: if even passing fails high, some move surely does.
    fn try_null_move(&mut self, node: &Node<P::Move>) -> Option<Value> {
        let Node { ply, window, depth, .. } = *node;
        let margin = p::null_move_margin()
            - p::null_move_per_depth() * depth
            - p::null_move_improving() * i32::from(node.improving);
        if !node.cut
            || node.excluded.is_some()
            || node.static_eval < window.beta.offset(margin)
            || ply < self.null_move_min_ply
            || window.beta.is_loss()
            || ply > 0 && self.stack.before(ply, 1).played.is_none()
            || !self.do_null_move(ply)
        {
            return None;
        }
        let reduced = depth - (p::null_move_reduction() + depth / p::null_move_depth_divisor());
        let value = -self.search::<NonPv>(ply + 1, window.reversed(window.alpha), reduced, false);
        self.undo_null_move();
        if value < window.beta || value.is_win() || self.stopped() {
            return None;
        }
        if self.null_move_min_ply > 0 || depth < p::null_move_verification_depth() {
            return Some(value);
        }
        // Deep nodes are verified by a search without null moves near them, against zugzwang.
        self.null_move_min_ply = ply + (3 * reduced / 4).max(0) as usize;
        let verified = self.search::<NonPv>(ply, window, reduced, false);
        self.null_move_min_ply = 0;
        (verified >= window.beta).then_some(value)
    }

    /// `ProbCut`: a capture that fails high far above beta in a shallow search will fail high at full depth, too.
    fn probe_cut(&mut self, node: &Node<P::Move>) -> Option<Value> {
        let Node { ply, window, depth, .. } = *node;
        let goal =
            window.beta.offset(p::probcut_margin() - p::probcut_improving() * i32::from(node.improving));
        let refuted = node.table_value.is_some_and(|(value, _)| value < goal);
        if depth < p::probcut_depth() || refuted || window.beta.is_decisive() {
            return None;
        }
        let needed = goal.get() - node.static_eval.get();
        let rows = self.rows(ply);
        let buffers = self.buffers();
        let promotions = self.shared.settings.promotions;
        let mut picker = Picker::gains(&self.position, needed, node.table_move, rows, promotions, buffers);
        let mut found = None;
        while let Some(m) = picker.next(&self.position, self.history, &self.checks[ply]) {
            if Some(m) == node.excluded {
                continue;
            }
            let tag = self.tag(m);
            self.play(ply, m, tag);
            let below = Window::null(goal).reversed(goal.offset(-1));
            let mut value = -self.quiesce::<NonPv>(ply + 1, below);
            if value >= goal && depth > p::probcut_reduction() {
                value = -self.search::<NonPv>(ply + 1, below, depth - p::probcut_reduction(), !node.cut);
            }
            self.take_back();
            if self.stopped() {
                break;
            }
            if value >= goal {
                let entry = Entry {
                    best: P::pack_move(m),
                    value: Some((value.at_node(ply), Bound::Lower)),
                    evaluation: node.raw_eval,
                    depth: depth - p::probcut_reduction() + 1,
                    tt_pv: node.tt_pv,
                };
                self.shared.table.store(self.key(), entry);
                if !value.is_decisive() {
                    found = Some(value.offset(window.beta.get() - goal.get()));
                    break;
                }
            }
        }
        self.give_back(picker.into_buffers());
        found
    }

    /// Whether to skip a late move of a shallow node with bad histories. The most that it could gain may raise the best
    /// value.
    #[allow(clippy::too_many_arguments, reason = "what distinguishes a move within its node")]
    pub(crate) fn should_prune<K: NodeKind>(
        &self,
        node: &Node<P::Move>,
        rows: &Rows,
        m: P::Move,
        tag: MoveTag,
        gives_check: bool,
        reduction: i32,
        (best_value, has_best, alpha): (&mut Value, bool, Value),
    ) -> bool {
        if !self.position.material_counts() {
            return false;
        }
        let mut depth = node.depth - 1 - reduction / 1024;
        if tag.captured().is_some() || gives_check {
            let history = tag.captured().map_or(0, |captured| self.history.capture(tag.slot(), captured));
            if !gives_check && depth < p::capture_futility_depth() {
                let futility_value = node.static_eval.offset(
                    p::capture_futility_base()
                        + p::capture_futility_per_depth() * depth
                        + self.position.capture_value(m)
                        + p::capture_futility_history() * history / 1024,
                );
                if futility_value <= alpha {
                    return true;
                }
            }
            let loss = (p::capture_exchange_per_depth() * node.depth
                + history * p::capture_exchange_history() / 1024)
                .max(0);
            return !self.position.exchange_at_least(m, -loss);
        }
        if K::PV && self.stack[node.ply].follows_pv {
            return false;
        }
        let threat = self.position.threat_value(m);
        let mut history =
            self.history.after_two(tag.slot(), rows) + self.history.pawns.get(rows.pawns + tag.slot());
        if threat == 0 && history < -p::history_pruning_per_depth() * node.depth {
            return true;
        }
        history += p::butterfly_pruning() * self.history.butterfly.get(tag.butterfly()) / 32;
        depth += history / p::history_per_depth();
        if !node.in_check && depth < p::futility_depth() {
            let futility_value = node.static_eval.offset(
                p::futility_base()
                    + if has_best { 0 } else { p::futility_without_best() }
                    + p::futility_per_depth() * depth
                    + if node.static_eval > alpha { p::futility_above() } else { 0 }
                    + threat,
            );
            if futility_value <= alpha {
                if *best_value <= futility_value && !best_value.is_decisive() && !futility_value.is_win() {
                    *best_value = futility_value;
                }
                return true;
            }
        }
        let depth = depth.max(0);
        !self.position.exchange_at_least(m, -p::quiet_exchange_per_depth() * depth * depth)
    }
}

/// Reverse futility: so far ahead that the opponent will avoid the node.
fn reverse_futility<M>(node: &Node<M>) -> Option<Value> {
    let Node { window, depth, estimate, .. } = *node;
    let step =
        p::reverse_futility_per_depth() - if node.hit { 0 } else { p::reverse_futility_without_entry() };
    let rising = p::reverse_futility_improving() * i32::from(node.improving)
        + p::reverse_futility_worsening() * i32::from(node.worsening);
    let margin =
        step * depth - rising * step / 1024 + node.correction.abs() / p::reverse_futility_correction();
    let cut = !node.tt_pv
        && depth <= p::reverse_futility_depth()
        && estimate >= window.beta
        && estimate.offset(-margin) >= window.beta
        && (node.table_move.is_none() || node.table_capture)
        && !window.beta.is_loss()
        && !estimate.is_win();
    cut.then(|| Value::ZERO.offset((2 * window.beta.get() + estimate.get()) / 3))
}

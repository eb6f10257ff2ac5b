//! The search of one node: probes and pruning before its moves, and the loop over them.

use crate::history::{MoveTag, Rows};
use crate::parameters as p;
use crate::picker::Picker;
use crate::report::Bound;
use crate::table::Entry;
use crate::worker::Worker;
use crate::{MAX_PLY, Value};
use game::{Evaluation, Searchable};
use std::sync::atomic::Ordering::Relaxed;

/// The search window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
}

impl Window {
    /// The null window below `beta`.
    pub(crate) fn null(beta: Value) -> Self {
        Self { alpha: beta.offset(-1), beta }
    }

    /// The window of the opponent, with `alpha` raised to this value.
    pub(crate) fn reversed(self, alpha: Value) -> Self {
        Self { alpha: -self.beta, beta: -alpha }
    }

    /// The null window above `alpha`, for the opponent.
    fn against(alpha: Value) -> Self {
        Self::null(-alpha)
    }
}

/// The kind of a node, known at compile time.
pub(crate) trait NodeKind {
    /// Whether the window is open: the exact value and the line matter.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool;
}

/// The root of the search.
pub(crate) struct Root;
/// A node on the principal variation, with an open window.
pub(crate) struct Pv;
/// A node with a null window.
pub(crate) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// Data of a node before its moves are searched.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Node<M> {
    pub(crate) ply: usize,
    pub(crate) window: Window,
    pub(crate) depth: i32,
    /// A cut node: a fail high is expected.
    pub(crate) cut: bool,
    pub(crate) in_check: bool,
    pub(crate) excluded: Option<M>,
    pub(crate) hit: bool,
    /// Depth of the table's entry, if it has a value.
    pub(crate) table_depth: i32,
    pub(crate) table_value: Option<(Value, Bound)>,
    pub(crate) table_move: Option<M>,
    pub(crate) table_capture: bool,
    /// Whether the position is or was part of a principal variation.
    pub(crate) tt_pv: bool,
    /// The reduction with which the move to here is being searched.
    pub(crate) prior_reduction: i32,
    /// The correction of the evaluation; see [`crate::history::History::correction`].
    pub(crate) correction: i32,
    /// The evaluation before correction; `None` in check.
    pub(crate) raw_eval: Option<Value>,
    /// The corrected evaluation. In check it is that of two plies before.
    pub(crate) static_eval: Value,
    /// The evaluation, or a better estimate from the table.
    pub(crate) estimate: Value,
    /// Whether the evaluation has risen since our last move.
    pub(crate) improving: bool,
    /// Whether the opponent's evaluation has fallen with the last move.
    pub(crate) worsening: bool,
}

impl<M> Node<M> {
    /// Whether it is an all node: no move is expected to raise alpha.
    pub(crate) fn is_all<K: NodeKind>(&self) -> bool {
        !K::PV && !self.cut
    }

    /// Whether the table bounds the value from below by `value`.
    fn table_at_least(&self, value: Value) -> bool {
        self.table_value.is_some_and(|(known, bound)| bound != Bound::Upper && known >= value)
    }
}

/// The best move and value found so far in a node.
struct Best<M> {
    value: Value,
    m: Option<M>,
    alpha: Value,
}

impl<P: Searchable, E: Evaluation<P>> Worker<'_, P, E> {
    /// Value of the current position, `ply` moves from the root.
    pub(crate) fn search<K: NodeKind>(
        &mut self,
        ply: usize,
        mut window: Window,
        depth: i32,
        cut: bool,
    ) -> Value {
        if depth <= 0 {
            return if K::PV { self.quiesce::<Pv>(ply, window) } else { self.quiesce::<NonPv>(ply, window) };
        }
        if self.stopped() {
            return Value::ZERO;
        }
        if K::PV {
            self.pv[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        let in_check = P::HAS_CHECK && self.position.in_check();
        if !K::ROOT {
            if let Some(value) = self.terminal_value(ply) {
                return value;
            }
            if ply >= MAX_PLY {
                return if in_check { self.draw_value() } else { self.evaluate() };
            }
            // No line from here can be better than mating or worse than being mated right now.
            window.alpha = window.alpha.max(-Value::mate_in(ply));
            window.beta = window.beta.min(Value::mate_in(ply + 1));
            if let Some(value) = self.value_of_return(ply) {
                window.alpha = window.alpha.max(value);
            }
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        let mut node = self.enter::<K>(ply, window, depth.min(MAX_PLY as i32 - 1), cut, in_check);
        if !K::PV
            && node.excluded.is_none()
            && let Some(value) = self.table_cutoff(&node)
        {
            return value;
        }
        let mut checks_known = false;
        if !K::ROOT && !node.hit && node.excluded.is_none() && !in_check {
            self.find_checks(ply, checks_known);
            checks_known = true;
            if let Some(m) = self.position.mate_in_one(&self.checks[ply]) {
                return self.remember_mate::<K>(ply, m, 1, node.depth + p::settled_depth_bonus(), node.tt_pv);
            }
            if let Some(m) = self.position.mate_in_three() {
                return self.remember_mate::<K>(ply, m, 3, node.depth + p::settled_depth_bonus(), node.tt_pv);
            }
        }
        if K::PV
            && !K::ROOT
            && node.excluded.is_none()
            && node.depth >= p::mate_probe_depth()
            && let Some(mate_probe) = &mut self.mate_probe
            && let Some((m, plies)) = mate_probe.forced_win(&self.position)
            && ply + plies <= MAX_PLY
        {
            return self.remember_mate::<K>(ply, m, plies, node.depth + p::settled_depth_bonus(), node.tt_pv);
        }
        self.set_static_eval(&mut node);
        if !in_check && let Some(value) = self.prune::<K>(&mut node) {
            return value;
        }
        if let Some(value) = small_probcut(&node) {
            return value;
        }
        self.find_checks(ply, checks_known);
        self.search_moves::<K>(&mut node)
    }

    /// Probes the table and prepares the node's frame.
    fn enter<K: NodeKind>(
        &mut self,
        ply: usize,
        window: Window,
        depth: i32,
        cut: bool,
        in_check: bool,
    ) -> Node<P::Move> {
        let excluded = self.stack[ply].excluded;
        let entry = self.shared.table.probe(self.key());
        let table_move = if K::ROOT {
            Some(self.root_moves[self.pv_index].line[0])
        } else {
            entry.and_then(|entry| self.position.unpack_move(entry.best))
        };
        let table_value =
            entry.and_then(|entry| entry.value).map(|(value, bound)| (value.at_root(ply), bound));
        let parent = self.stack.before_mut(ply, 1);
        let prior_reduction = std::mem::take(&mut parent.reduction);
        let follows_pv = K::ROOT
            || parent.follows_pv
                && parent.played.is_some_and(|(m, _)| self.best_line.get(ply - 1) == Some(&m));
        let frame = &mut self.stack[ply];
        frame.in_check = in_check;
        frame.hit = entry.is_some();
        frame.follows_pv = follows_pv;
        frame.move_count = 0;
        frame.stat_score = 0;
        if excluded.is_none() {
            frame.tt_pv = K::PV || entry.is_some_and(|entry| entry.tt_pv);
        }
        let tt_pv = frame.tt_pv;
        self.stack[ply + 2].cutoffs = 0;
        Node {
            ply,
            window,
            depth,
            cut,
            in_check,
            excluded,
            hit: entry.is_some(),
            table_depth: entry.filter(|_| table_value.is_some()).map_or(Entry::UNSEARCHED, |e| e.depth),
            table_value,
            table_move,
            table_capture: table_move.is_some_and(|m| self.position.is_capture(m)),
            tt_pv,
            prior_reduction,
            correction: 0,
            raw_eval: entry.and_then(|entry| entry.evaluation),
            static_eval: Value::ZERO,
            estimate: Value::ZERO,
            improving: false,
            worsening: false,
        }
    }

    /// The value of the table's entry, if it cuts the node off.
    fn table_cutoff(&mut self, node: &Node<P::Move>) -> Option<Value> {
        let Node { ply, window, depth, .. } = *node;
        let (value, bound) = node.table_value?;
        let deep = node.table_depth > depth - i32::from(value <= window.beta);
        let expected = node.cut == (value >= window.beta) || depth > p::table_cutoff_any_depth();
        if !deep || !expected || !bound.proves(value, window.beta) {
            return None;
        }
        if let Some(m) = node.table_move.filter(|_| value >= window.beta) {
            self.learn_from_cutoff(ply, depth, m);
        }
        Some(value)
    }

    /// Evaluates the node.
    fn set_static_eval(&mut self, node: &mut Node<P::Move>) {
        let ply = node.ply;
        node.correction = self.correction(ply);
        if node.in_check {
            node.static_eval = self.stack.before(ply, 2).static_eval;
            node.estimate = node.static_eval;
            self.stack[ply].static_eval = node.static_eval;
            return;
        }
        if node.excluded.is_some() {
            node.static_eval = self.stack[ply].static_eval;
            node.estimate = node.static_eval;
        } else {
            let raw = node.raw_eval.unwrap_or_else(|| self.evaluate());
            node.raw_eval = Some(raw);
            node.static_eval = raw.corrected(node.correction);
            self.stack[ply].static_eval = node.static_eval;
            node.estimate = node.static_eval;
            match node.table_value {
                Some((value, bound)) if bound.refines(value, node.static_eval) => node.estimate = value,
                _ => {}
            }
            if !node.hit {
                let depth = Entry::UNSEARCHED;
                let entry = Entry { best: 0, value: None, evaluation: Some(raw), depth, tt_pv: node.tt_pv };
                self.shared.table.store(self.key(), entry);
            }
            self.learn_from_evaluation(node);
        }
        node.improving = node.static_eval > self.stack.before(ply, 2).static_eval;
        node.worsening = node.static_eval > -self.stack.before(ply, 1).static_eval;
    }

    fn search_moves<K: NodeKind>(&mut self, node: &mut Node<P::Move>) -> Value {
        let ply = node.ply;
        let rows = self.rows(ply);
        self.forget_tried(ply);
        let buffers = self.buffers();
        let promotions = self.promotions(K::ROOT);
        let mut picker = Picker::all(&self.position, node.depth, node.table_move, rows, promotions, buffers);
        let wanted = if K::ROOT { self.open_root_moves() } else { Vec::new() };
        let mut best = Best { value: -Value::INFINITE, m: None, alpha: node.window.alpha };
        let mut width_bonus = self.width_bonus(node, best.alpha);
        let mut cutoff = None;
        let mut move_count = 0;
        while let Some(m) = picker.next(&self.position, self.history, &self.checks[ply]) {
            if Some(m) == node.excluded {
                continue;
            }
            let place = place_of(&wanted, m);
            if K::ROOT && place.is_none() {
                continue;
            }
            move_count += 1;
            self.stack[ply].move_count = move_count;
            let tag = self.tag(m);
            let gives_check = P::HAS_CHECK && self.position.gives_check(&self.checks[ply], m);
            let mut reduction = reduction(node, move_count) - width_bonus;
            if !K::ROOT && !best.value.is_loss() {
                // Half as many unless the evaluation rises.
                let enough = (p::move_count_base() + node.depth * node.depth) >> i32::from(!node.improving);
                if move_count >= enough {
                    picker.skip_quiets();
                }
                let Best { value, m: found, alpha } = &mut best;
                let best = (value, found.is_some(), *alpha);
                if self.should_prune::<K>(node, &rows, m, tag, gives_check, reduction, best) {
                    continue;
                }
            }
            // An extension deepens the node for the moves after this one, too, but this one only once.
            let depth = node.depth - 1;
            let extension = match self.extension::<K>(node, m) {
                Ok(extension) => extension,
                Err(value) => {
                    cutoff = Some(value);
                    break;
                }
            };
            if K::PV {
                // An equal move may become the best without a line of its own: it must not get that of the move before.
                self.pv[ply + 1].clear();
            }
            let nodes_before = self.nodes;
            self.stack[ply].stat_score = self.stat_score(m, tag, &rows);
            self.play(ply, m, tag);
            reduction = self.adjusted_reduction::<K>(node, reduction, m, move_count, best.alpha);
            let value =
                self.search_move::<K>(node, &best, m, move_count, depth + extension, reduction, &rows);
            self.take_back();
            if self.stopped() {
                break;
            }
            if let Some(place) = place {
                self.note_root_move(self.pv_index + place, move_count, value, best.alpha, nodes_before);
            }
            // Near the leaves an equal move sometimes replaces the best, which varies the line.
            let replaces_equal = value == best.value
                && ply as i32 + 2 >= self.root_depth
                && self.nodes & 0b1110 == 0
                && !value.is_decisive();
            if value > best.value || replaces_equal {
                best.value = value;
                if value > best.alpha || replaces_equal && value == best.alpha {
                    best.m = Some(m);
                    if K::PV && !K::ROOT {
                        self.update_pv(ply, m);
                    }
                    if value >= node.window.beta {
                        self.stack[ply].cutoffs += i32::from(extension < 2 || K::PV);
                        break;
                    }
                    // With a good move found, the others need less depth to be refuted.
                    if node.depth > p::alpha_raised_depth_min()
                        && node.depth < p::alpha_raised_depth_max()
                        && !value.is_decisive()
                    {
                        node.depth -= p::alpha_raised_reduction();
                    }
                    best.alpha = value;
                    width_bonus = self.width_bonus(node, value);
                }
            }
            if Some(m) != best.m && move_count <= TRIED_MAX {
                self.tried[ply][usize::from(tag.captured().is_some())].push(m);
            }
        }
        self.give_back(picker.into_buffers());
        if let Some(value) = cutoff {
            value
        } else if self.stopped() {
            Value::ZERO
        } else {
            self.conclude::<K>(node, &best, move_count)
        }
    }

    #[inline]
    fn forget_tried(&mut self, ply: usize) {
        self.tried[ply].iter_mut().for_each(Vec::clear);
    }

    /// Updates the histories and stores the result in the table.
    fn conclude<K: NodeKind>(
        &mut self,
        node: &Node<P::Move>,
        best: &Best<P::Move>,
        move_count: i32,
    ) -> Value {
        let Node { ply, window, depth, .. } = *node;
        let mut value = best.value;
        if move_count == 0 {
            // Only the excluded move is legal, or none is.
            value = if node.excluded.is_some() { best.alpha } else { self.no_move_value(ply) };
        } else {
            if value >= window.beta && !value.is_decisive() && !best.alpha.is_decisive() {
                // A fail-soft value is pulled towards beta, the more the shallower the search was.
                value = Value::ZERO.offset((value.get() * depth + window.beta.get()) / (depth + 1));
            }
            if let Some(m) = best.m {
                self.learn(node, m);
                if !K::PV {
                    let kept = Some(m) == node.table_move;
                    self.history.add_table_move(if kept {
                        p::table_move_kept()
                    } else {
                        -p::table_move_dropped()
                    });
                }
            } else {
                self.learn_from_failure(node, value);
            }
        }
        if value <= best.alpha {
            let parent = self.stack.before(ply, 1).tt_pv;
            self.stack[ply].tt_pv |= parent;
        }
        if node.excluded.is_none() && !(K::ROOT && self.pv_index > 0) {
            let bound = if value >= window.beta {
                Bound::Lower
            } else if K::PV && best.m.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                best: best.m.map_or(0, P::pack_move),
                value: Some((value.at_node(ply), bound)),
                evaluation: node.raw_eval.filter(|_| !node.in_check),
                depth: if move_count == 0 { depth + p::settled_depth_bonus() } else { depth },
                tt_pv: self.stack[ply].tt_pv,
            };
            self.shared.table.store(self.key(), entry);
        }
        self.learn_correction(node, value, best.m);
        value
    }

    /// Searches the move just played to depth `full`: late moves first at reduced depth with a null window.
    #[allow(clippy::too_many_arguments, reason = "what distinguishes a move within its node")]
    fn search_move<K: NodeKind>(
        &mut self,
        node: &Node<P::Move>,
        best: &Best<P::Move>,
        m: P::Move,
        move_count: i32,
        mut full: i32,
        mut reduction: i32,
        rows: &Rows,
    ) -> Value {
        let Node { ply, window, depth, cut, .. } = *node;
        let alpha = best.alpha;
        let mut value = -Value::INFINITE;
        if depth >= 2 && move_count > 1 {
            let reduced = (full - reduction / 1024).min(full + 2).max(1) + i32::from(K::PV);
            self.stack[ply].reduction = full - reduced;
            value = -self.search::<NonPv>(ply + 1, Window::against(alpha), reduced, true);
            self.stack[ply].reduction = 0;
            if value > alpha {
                // Search again without the reduction: a little deeper if it is much better, less if hardly so.
                full += i32::from(reduced < full && value > best.value.offset(p::deeper_margin()));
                full -= i32::from(value < best.value.offset(p::shallower_margin()));
                if full > reduced {
                    value = -self.search::<NonPv>(ply + 1, Window::against(alpha), full, !cut);
                }
                if let Some((_, tag)) = self.stack[ply].played {
                    self.history.add_continuations(
                        tag.slot(),
                        &rows.continuations,
                        node.in_check,
                        p::research_bonus(),
                    );
                }
            }
        } else if !K::PV || move_count > 1 {
            if node.table_move.is_none() {
                reduction += p::unreduced_without_move();
            }
            let less = i32::from(reduction > p::unreduced_less())
                + i32::from(reduction > p::unreduced_least() && full > 2);
            value = -self.search::<NonPv>(ply + 1, Window::against(alpha), full - less, !cut);
        }
        if K::PV && (move_count == 1 || value > alpha) {
            // A line that the table knows to go on does not end in captures.
            let decisive = node.table_value.is_some_and(|(value, _)| value.is_decisive());
            if Some(m) == node.table_move && (node.table_depth > 1 || decisive && node.table_depth > 0) {
                full = full.max(1);
            }
            value = -self.search::<Pv>(ply + 1, window.reversed(alpha), full, false);
        }
        value
    }

    /// The sum of histories that reductions use.
    fn stat_score(&self, m: P::Move, tag: MoveTag, rows: &Rows) -> i32 {
        match tag.captured() {
            Some(captured) => {
                p::capture_stat_value() * self.position.capture_value(m) / 128
                    + self.history.capture(tag.slot(), captured)
            }
            None => {
                2 * self.history.butterfly.get(tag.butterfly()) + self.history.after_two(tag.slot(), rows)
            }
        }
    }

    /// The reduction saved in wide windows relative to the root's, in 1024ths.
    fn width_bonus(&self, node: &Node<P::Move>, alpha: Value) -> i32 {
        let width = node.window.beta.get() - alpha.get();
        width * p::reduction_window() / self.root_width
    }

    /// Adjusts the reduction `base` of the move that has just been played.
    fn adjusted_reduction<K: NodeKind>(
        &self,
        node: &Node<P::Move>,
        base: i32,
        m: P::Move,
        move_count: i32,
        alpha: Value,
    ) -> i32 {
        let mut reduction = base;
        if node.tt_pv {
            reduction -= p::reduction_tt_pv();
            if K::PV {
                reduction -= p::reduction_pv();
            }
            if node.table_value.is_some_and(|(value, _)| value > alpha) {
                reduction -= p::reduction_table_above();
            }
            if node.table_depth >= node.depth {
                reduction -= p::reduction_table_deep();
                if node.cut {
                    reduction -= p::reduction_table_deep_cut();
                }
            }
        }
        reduction += p::reduction_offset() - move_count * p::reduction_per_move();
        reduction -= node.correction.abs() / p::reduction_correction();
        if node.cut {
            reduction += p::reduction_cut();
            if node.table_move.is_none() {
                reduction += p::reduction_cut_without_move();
            }
        }
        if node.table_capture {
            reduction += p::reduction_table_capture();
        }
        let cutoffs = self.stack[node.ply + 1].cutoffs;
        if cutoffs > 1 {
            reduction += p::reduction_cutoffs();
            if cutoffs > 2 {
                reduction += p::reduction_many_cutoffs();
            }
            if node.is_all::<K>() {
                reduction += p::reduction_cutoffs_all();
            }
        }
        if Some(m) == node.table_move {
            reduction -= p::reduction_table_move();
        }
        reduction -= self.stack[node.ply].stat_score * p::reduction_history() / 4096;
        if node.is_all::<K>() {
            reduction += reduction * p::reduction_all()
                / (p::reduction_all_depth() * node.depth + p::reduction_all_offset());
        }
        reduction
    }

    /// Singular extension of the table's move: deeper if no other move comes near it. `Err` ends the node (multi-cut):
    /// several moves fail high.
    #[inline(always)]
    fn extension<K: NodeKind>(&mut self, node: &mut Node<P::Move>, m: P::Move) -> Result<i32, Value> {
        if K::ROOT || Some(m) != node.table_move { Ok(0) } else { self.singular_extension::<K>(node, m) }
    }

    #[inline(never)]
    fn singular_extension<K: NodeKind>(
        &mut self,
        node: &mut Node<P::Move>,
        m: P::Move,
    ) -> Result<i32, Value> {
        let Node { ply, window, depth, .. } = *node;
        if node.excluded.is_some()
            || depth < p::singular_depth() + i32::from(node.tt_pv)
            || node.table_depth < depth - p::singular_table_depth()
        {
            return Ok(0);
        }
        let Some((value, _)) =
            node.table_value.filter(|(value, bound)| !value.is_decisive() && *bound != Bound::Upper)
        else {
            return Ok(0);
        };
        let margin = p::singular_margin() + if node.tt_pv && !K::PV { p::singular_margin_tt_pv() } else { 0 };
        let bar = value.offset(-margin * depth / p::singular_divisor());
        self.stack[ply].excluded = Some(m);
        let others = self.search::<NonPv>(ply, Window::null(bar), (depth - 1) / 2, node.cut);
        self.stack[ply].excluded = None;
        // The search without the move has used the list of this ply.
        self.forget_tried(ply);
        if self.stopped() {
            return Ok(0);
        }
        Ok(if others < bar {
            let far = if ply as i32 > self.root_depth { p::singular_far() } else { 0 };
            let trust = node.correction.abs() / p::singular_correction();
            let open = i32::from(K::PV);
            let quiet = i32::from(!node.table_capture);
            let double = p::double_base() + p::double_pv() * open
                - p::double_quiet() * quiet
                - trust
                - p::double_table_move() * self.history.table_move() / p::double_table_move_divisor()
                - far;
            let triple = p::triple_base() + p::triple_pv() * open - p::triple_quiet() * quiet
                + p::triple_tt_pv() * i32::from(node.tt_pv)
                - trust
                - far;
            node.depth += 1;
            1 + i32::from(others < bar.offset(-double)) + i32::from(others < bar.offset(-triple))
        } else if others >= window.beta && !others.is_decisive() {
            self.history.add_table_move(
                (-p::multi_cut_base() - p::multi_cut_per_depth() * depth).max(-p::multi_cut_max()),
            );
            return Err(others);
        } else if node.table_at_least(window.beta) {
            -p::negative_extension()
        } else if node.cut {
            -p::negative_extension_cut()
        } else {
            0
        })
    }

    /// The root moves from [`Worker::pv_index`] on.
    fn open_root_moves(&self) -> Vec<P::Move> {
        self.root_moves[self.pv_index..].iter().map(|root_move| root_move.line[0]).collect()
    }

    /// Records the result of a root move; `place` is its index in [`Worker::root_moves`].
    fn note_root_move(
        &mut self,
        place: usize,
        move_count: i32,
        value: Value,
        alpha: Value,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let selective_depth = self.selective_depth;
        let root_move = &mut self.root_moves[place];
        root_move.effort += nodes;
        let square = value.get() * value.get().abs();
        root_move.mean = Some(match root_move.mean {
            Some((mean, squares)) => (i32::midpoint(mean, value.get()), i32::midpoint(squares, square)),
            None => (value.get(), square),
        });
        if move_count > 1 && value <= alpha {
            root_move.value = -Value::INFINITE;
            return;
        }
        root_move.value = value;
        root_move.selective_depth = selective_depth;
        root_move.line.truncate(1);
        root_move.line.extend_from_slice(&self.pv[1]);
        if move_count > 1 && self.pv_index == 0 {
            self.shared.tallies[self.index].best_changes.fetch_add(1, Relaxed);
        }
    }
}

/// Limit of the moves of a node that get a malus.
const TRIED_MAX: i32 = 32;

/// The reduction by depth and move count, in 1024ths.
#[inline]
fn reduction<M>(node: &Node<M>, move_count: i32) -> i32 {
    let scale = p::reduction(node.depth, move_count);
    let mut reduction = scale + p::reduction_base();
    if !node.improving {
        reduction += scale * p::reduction_not_improving() / 512;
    }
    if node.tt_pv {
        reduction += p::reduction_tt_pv_before();
    }
    reduction
}

/// The index of a move in a list; compares many at once, as lists at the root are long.
fn place_of<M: Copy + PartialEq>(moves: &[M], m: M) -> Option<usize> {
    const MANY: usize = 16;
    let holds = |moves: &[M]| moves.iter().filter(|one| **one == m).count() > 0;
    let first = MANY * moves.chunks(MANY).position(holds)?;
    Some(first + moves[first..].iter().position(|one| *one == m)?)
}

/// `ProbCut` by the table alone: its entry is deep enough and far above the window.
fn small_probcut<M>(node: &Node<M>) -> Option<Value> {
    let goal = node.window.beta.offset(p::small_probcut_margin());
    let (value, bound) = node.table_value?;
    let proved = bound != Bound::Upper
        && node.table_depth >= node.depth - p::small_probcut_table_depth()
        && value >= goal;
    (proved && !node.window.beta.is_decisive() && !value.is_decisive()).then_some(goal)
}

//! The search of one node, cut into named steps.

use crate::history::Trace;
use crate::parameters as p;
use crate::picker::Picker;
use crate::report::Bound;
use crate::table::Entry;
use crate::worker::Worker;
use crate::{MAX_PLY, Value};
use game::{Evaluation, Position, Repetition};

/// What values matter: between what we have already and what the opponent allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
}

impl Window {
    /// Only asks whether the value reaches `beta`.
    pub(crate) fn null(beta: Value) -> Self {
        Self { alpha: beta.offset(-1), beta }
    }

    pub(crate) fn is_null(self) -> bool {
        self.alpha.offset(1) == self.beta
    }

    /// As the opponent sees it, once `alpha` is what we have.
    pub(crate) fn reversed(self, alpha: Value) -> Self {
        Self { alpha: -self.beta, beta: -alpha }
    }
}

/// What is known of a node before its moves are looked at.
#[derive(Clone, Copy)]
struct Node {
    ply: usize,
    window: Window,
    depth: i32,
    /// A refutation is expected.
    cut: bool,
    in_check: bool,
    entry: Option<Entry>,
    /// The static evaluation; without meaning in check.
    evaluation: Value,
    /// The evaluation has risen since our last move.
    improving: bool,
}

impl<P: Position, E: Evaluation<P>> Worker<'_, P, E> {
    /// Value of the present position, `ply` moves from the root.
    pub(crate) fn search(&mut self, ply: usize, mut window: Window, depth: i32, cut: bool) -> Value {
        self.lines[ply].clear();
        let in_check = P::HAS_CHECK && self.position.in_check();
        // Checks are answered by few moves and hide what is behind them.
        let depth = if in_check && ply < 2 * self.root_depth { depth + 1 } else { depth };
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

        let excluded = self.stack[ply].excluded;
        let entry = if excluded.is_some() { None } else { self.shared.table.probe(self.position.key()) };
        if let Some(value) = entry.and_then(|entry| usable(entry, ply, window, depth)) {
            return value;
        }
        if excluded.is_none()
            && entry.is_none()
            && !in_check
            && let Some(m) = self.position.mate_in_one()
        {
            self.lines[ply].push(m);
            return Value::mate_in(ply + 1);
        }
        let evaluation = self.static_value(ply, in_check, excluded.is_some());
        let improving = !in_check && ply >= 2 && evaluation > self.stack[ply - 2].evaluation;
        let mut node = Node { ply, window, depth, cut, in_check, entry, evaluation, improving };
        if excluded.is_none()
            && let Some(value) = self.prune(&node)
        {
            return value;
        }
        // Without a move from the table, a shallower search finds one first.
        if node.depth >= 4 && entry.is_none_or(|entry| entry.best == 0) && (cut || !window.is_null()) {
            node.depth -= 1;
        }
        self.search_moves(node)
    }

    fn static_value(&mut self, ply: usize, in_check: bool, again: bool) -> Value {
        let value = if again {
            self.stack[ply].evaluation
        } else if in_check {
            // Comparable with the next evaluation on the same side.
            if ply >= 2 { self.stack[ply - 2].evaluation } else { Value::ZERO }
        } else {
            self.evaluate()
        };
        self.stack[ply].evaluation = value;
        value
    }

    /// The value of a position that the rules decide.
    pub(crate) fn decided(&self, ply: usize) -> Option<Value> {
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

    /// Ends a node early whose static evaluation is far outside of the window.
    fn prune(&mut self, node: &Node) -> Option<Value> {
        if node.in_check || !node.window.is_null() || node.window.beta.plies_to_mate().is_some() {
            return None;
        }
        self.razor(node)
            .or_else(|| reverse_futility(node))
            .or_else(|| self.try_passing(node))
            .or_else(|| self.probe_cut(node))
    }

    /// So far behind that only captures could help: look at those alone.
    fn razor(&mut self, node: &Node) -> Option<Value> {
        let margin = p::RAZORING_BASE + p::RAZORING_PER_DEPTH_SQUARED * node.depth * node.depth;
        if node.evaluation.offset(margin) > node.window.alpha {
            return None;
        }
        let value = self.quiesce(node.ply, node.window);
        (value <= node.window.alpha && !self.stopped()).then_some(value)
    }

    /// If passing still fails high, some move surely does.
    fn try_passing(&mut self, node: &Node) -> Option<Value> {
        let Node { ply, window, depth, .. } = *node;
        let passed_before = ply > 0 && self.stack[ply - 1].trace == 0;
        if !P::HAS_NULL_MOVE || depth < p::NULL_MOVE_DEPTH || passed_before || node.evaluation < window.beta {
            return None;
        }
        let ahead = (node.evaluation.get() - window.beta.get()) / p::NULL_MOVE_EVALUATION_STEP;
        let reduction = 3 + depth / 4 + ahead.min(3);
        self.stack[ply].trace = 0;
        self.position.do_null_move();
        self.evaluation.push(&[]);
        let value =
            -self.search(ply + 1, Window::null(window.beta).for_child(), depth - reduction, !node.cut);
        self.position.undo_null_move();
        self.evaluation.pop();
        // A mate found after passing is no mate.
        let sound = if value.plies_to_mate().is_some() { window.beta } else { value };
        (value >= window.beta && !self.stopped()).then_some(sound)
    }

    /// A capture that wins so much that a shallow search confirms it will hold at full depth, too.
    fn probe_cut(&mut self, node: &Node) -> Option<Value> {
        let Node { ply, window, depth, .. } = *node;
        let goal = window.beta.offset(p::PROBCUT_MARGIN);
        let refuted =
            node.entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.value.at_root(ply) < goal);
        if depth < p::PROBCUT_DEPTH || refuted {
            return None;
        }
        let needed = goal.get() - node.evaluation.get();
        let table_move = node.entry.and_then(|entry| self.position.unpack_move(entry.best));
        let buffers = self.buffers();
        let promotions = self.shared.settings.promotions;
        let mut picker = Picker::captures(&self.position, table_move, promotions, buffers);
        let mut found = None;
        while let Some(m) = picker.next(&self.position, self.history, true) {
            if !self.position.is_capture(m) || !self.position.exchange_at_least(m, needed) {
                continue;
            }
            self.play(ply, m);
            let mut value = -self.quiesce(ply + 1, Window::null(goal).for_child());
            if value >= goal {
                value = -self.search(ply + 1, Window::null(goal).for_child(), depth - 4, !node.cut);
            }
            self.take_back();
            if self.stopped() {
                break;
            }
            if value >= goal {
                found = Some(value);
                break;
            }
        }
        self.give_back(picker.into_buffers());
        found
    }

    fn search_moves(&mut self, node: Node) -> Value {
        let Node { ply, window, depth, in_check, .. } = node;
        let excluded = self.stack[ply].excluded;
        let before = self.traces_before(ply);
        let table_move = node.entry.and_then(|entry| self.position.unpack_move(entry.best));
        let killers = self.history.killers(ply);
        let promotions = self.shared.settings.promotions;
        let buffers = self.buffers();
        let mut picker = Picker::all(&self.position, table_move, killers, before, promotions, buffers);
        let mut tried: Vec<P::Move> = std::mem::take(&mut self.tried[ply]);
        tried.clear();
        let mut alpha = window.alpha;
        let mut best = -Value::INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut skip_quiets = false;
        while let Some(m) = picker.next(&self.position, self.history, skip_quiets) {
            if Some(m) == excluded {
                continue;
            }
            number += 1;
            let quiet = !self.position.is_capture(m);
            if best > -Value::WORST_MATE && !in_check {
                if quiet && number > quiet_moves_worth_trying(depth, node.improving) {
                    skip_quiets = true;
                }
                if self.is_hopeless(&node, m, number, quiet, before) {
                    continue;
                }
            }
            let extension = match self.extension(&node, m, table_move) {
                Ok(extension) => extension,
                Err(cut_off) => {
                    self.give_back(picker.into_buffers());
                    self.tried[ply] = tried;
                    return cut_off;
                }
            };
            let value = self.search_move(&node, m, number, quiet, extension, alpha, before);
            if self.stopped() {
                break;
            }
            tried.push(m);
            best = best.max(value);
            if value > alpha {
                alpha = value;
                best_move = Some(m);
                self.extend_line(ply, m);
                if alpha >= window.beta {
                    break;
                }
            }
        }
        self.give_back(picker.into_buffers());
        if !self.stopped() {
            if number == 0 {
                // Nothing but the excluded move, or nothing at all.
                best = if excluded.is_some() { window.alpha } else { -Value::mate_in(ply) };
            } else if let Some(m) = best_move.filter(|_| best >= window.beta) {
                self.learn(m, &tried, before, ply, depth);
            }
            if excluded.is_none() {
                self.remember(&node, best, best_move);
            }
        }
        self.tried[ply] = tried;
        if self.stopped() { Value::ZERO } else { best }
    }

    /// Late, weak-looking moves of shallow nodes are not searched at all.
    fn is_hopeless(&self, node: &Node, m: P::Move, number: usize, quiet: bool, before: [Trace; 2]) -> bool {
        let reduced = (node.depth - p::reduction(node.depth, number)).max(1);
        if !quiet {
            return !self.position.exchange_at_least(m, -p::EXCHANGE_MARGIN_CAPTURE * node.depth);
        }
        if node.depth <= 5
            && self.history.quiet(self.position.history_slot(m), before) < p::HISTORY_PRUNING * node.depth
        {
            return true;
        }
        let margin = p::FUTILITY_BASE + p::FUTILITY_PER_DEPTH * reduced;
        if reduced <= p::FUTILITY_DEPTH
            && node.evaluation.offset(margin) <= node.window.alpha
            && !self.position.gives_check(m)
        {
            return true;
        }
        reduced <= 6 && !self.position.exchange_at_least(m, -p::EXCHANGE_MARGIN_QUIET * reduced * reduced)
    }

    /// How much deeper the table's move is to be searched: more if nothing else comes near it. `Err` ends the node:
    /// several moves refute it.
    fn extension(&mut self, node: &Node, m: P::Move, table_move: Option<P::Move>) -> Result<i32, Value> {
        let Node { ply, window, depth, entry, .. } = *node;
        let Some(entry) = entry.filter(|entry| {
            Some(m) == table_move
                && depth >= p::SINGULAR_DEPTH
                && ply < 2 * self.root_depth
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && entry.value.plies_to_mate().is_none()
        }) else {
            return Ok(0);
        };
        let value = entry.value.at_root(ply);
        let bar = value.offset(-2 * depth);
        self.stack[ply].excluded = Some(m);
        let others = self.search_again(ply, Window::null(bar), (depth - 1) / 2, node.cut);
        self.stack[ply].excluded = None;
        self.lines[ply].clear();
        if self.stopped() {
            return Ok(0);
        }
        Ok(if others < bar {
            1 + i32::from(window.is_null() && others < bar.offset(-p::SINGULAR_DOUBLE_MARGIN))
        } else if bar >= window.beta {
            return Err(bar);
        } else if value >= window.beta {
            -2
        } else {
            -i32::from(node.cut)
        })
    }

    /// Searches the same node again with one move excluded; the check extension was given already.
    fn search_again(&mut self, ply: usize, window: Window, depth: i32, cut: bool) -> Value {
        let in_check = P::HAS_CHECK && self.position.in_check();
        let given = i32::from(in_check && ply < 2 * self.root_depth);
        self.search(ply, window, depth - given, cut)
    }

    /// Plays a move and finds its value, late moves first at less depth and against a null window.
    #[allow(clippy::too_many_arguments, reason = "what distinguishes a move within its node")]
    fn search_move(
        &mut self,
        node: &Node,
        m: P::Move,
        number: usize,
        quiet: bool,
        extension: i32,
        alpha: Value,
        before: [Trace; 2],
    ) -> Value {
        let Node { ply, window, depth, .. } = *node;
        let is_open = !window.is_null();
        let full = depth - 1 + extension;
        let statistics = self.history.quiet(self.position.history_slot(m), before);
        self.play(ply, m);
        let gives_check = P::HAS_CHECK && self.position.in_check();
        let mut value = -Value::INFINITE;
        if number > 1 {
            let null = Window::null(alpha.offset(1)).for_child();
            let mut reduction = 0;
            if depth >= 3 && number > 1 + usize::from(is_open) && (quiet || number > 6) {
                reduction = p::reduction(depth, number) + i32::from(node.cut) + i32::from(!node.improving);
                reduction -= i32::from(is_open) + i32::from(gives_check) + i32::from(node.in_check);
                if quiet {
                    reduction -= statistics / p::HISTORY_PER_PLY;
                }
                reduction = reduction.clamp(0, (full - 1).max(0));
            }
            value = -self.search(ply + 1, null, full - reduction, true);
            if value > alpha && reduction > 0 {
                value = -self.search(ply + 1, null, full, !node.cut);
            }
        }
        if number == 1 || is_open && value > alpha {
            let cut = !is_open && !node.cut;
            value = -self.search(ply + 1, window.reversed(alpha), full, cut);
        }
        self.take_back();
        value
    }

    /// A move has refuted the node: it and the others are remembered for it.
    fn learn(&mut self, best: P::Move, tried: &[P::Move], before: [Trace; 2], ply: usize, depth: i32) {
        let bonus = (depth * 150 - 60).min(1900);
        let quiet = !self.position.is_capture(best);
        if quiet {
            self.history.add_killer(ply, P::pack_move(best));
        }
        for &m in tried {
            let slot = self.position.history_slot(m);
            let sign = if m == best { 1 } else { -1 };
            if self.position.is_capture(m) {
                self.history.update_capture(slot, sign * bonus);
            } else if quiet {
                self.history.update_quiet(slot, before, sign * bonus);
            }
        }
    }

    fn remember(&mut self, node: &Node, best: Value, best_move: Option<P::Move>) {
        let bound = if best >= node.window.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best: best_move.map_or(0, P::pack_move),
            value: best.at_node(node.ply),
            depth: node.depth,
            bound,
        };
        self.shared.table.store(self.position.key(), entry);
    }

    pub(crate) fn evaluate(&mut self) -> Value {
        Value::new(self.evaluation.value(&self.position))
    }

    /// The best line from `ply` is now `m` and what follows it.
    pub(crate) fn extend_line(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }

    /// How the two moves before were made.
    fn traces_before(&self, ply: usize) -> [Trace; 2] {
        let trace = |back: usize| if ply >= back { self.stack[ply - back].trace } else { 0 };
        [trace(1), trace(2)]
    }
}

impl Window {
    /// The same null window for the opponent, who must stay below it.
    fn for_child(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// So far ahead that the opponent will not let it come to this.
fn reverse_futility(node: &Node) -> Option<Value> {
    let margin = p::REVERSE_FUTILITY_MARGIN * (node.depth - i32::from(node.improving)).max(1);
    let cut = node.depth <= p::REVERSE_FUTILITY_DEPTH && node.evaluation.offset(-margin) >= node.window.beta;
    cut.then_some(node.evaluation)
}

/// After so many moves of a shallow node, quiet ones are hardly ever good.
fn quiet_moves_worth_trying(depth: i32, improving: bool) -> usize {
    let base = 5 + (depth * depth) as usize;
    if improving { base * 2 } else { base }
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

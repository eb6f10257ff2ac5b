//! Quiescence search: captures until the position is quiet.

use crate::node::{NodeKind, Window};
use crate::parameters as p;
use crate::picker::Picker;
use crate::report::Bound;
use crate::table::Entry;
use crate::worker::Worker;
use crate::{MAX_PLY, Value};
use game::{Evaluation, Searchable};

/// A node of the quiescence search.
#[derive(Clone, Copy)]
struct Leaf {
    ply: usize,
    window: Window,
    in_check: bool,
    entry: Option<Entry>,
    /// The evaluation before correction; `None` in check.
    raw_eval: Option<Value>,
    best: Value,
    /// A capture gains at most this and the captured piece.
    futility_base: Value,
}

impl<P: Searchable, E: Evaluation<P>> Worker<'_, P, E> {
    /// Searches captures only; in check all moves.
    pub(crate) fn quiesce<K: NodeKind>(&mut self, ply: usize, window: Window) -> Value {
        if K::PV {
            self.pv[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if let Some(value) = self.terminal_value(ply) {
            return value;
        }
        let in_check = P::HAS_CHECK && self.position.in_check();
        self.stack[ply].in_check = in_check;
        if ply >= MAX_PLY {
            return if in_check { self.draw_value() } else { self.evaluate() };
        }
        let entry = self.shared.table.probe(self.key());
        let known = entry.and_then(|entry| entry.value).map(|(value, bound)| (value.at_root(ply), bound));
        if !K::PV
            && entry.is_some_and(|entry| entry.depth >= Entry::QUIESCENCE)
            && let Some((value, bound)) = known
            && bound.proves(value, window.beta)
        {
            return value;
        }
        let mut leaf = Leaf {
            ply,
            window,
            in_check,
            entry,
            raw_eval: None,
            best: -Value::INFINITE,
            futility_base: -Value::INFINITE,
        };
        let mut checks_known = false;
        if !in_check {
            if entry.is_none() {
                self.find_checks(ply, checks_known);
                checks_known = true;
                if let Some(m) = self.position.mate_in_one(&self.checks[ply]) {
                    return self.remember_mate::<K>(ply, m, 1, Entry::QUIESCENCE, false);
                }
            }
            if !self.position.must_capture()
                && let Some(value) = self.stand_pat(&mut leaf, known)
            {
                return value;
            }
        }
        self.search_forcing::<K>(leaf, checks_known)
    }

    /// The value without any move, if it reaches beta: captures are not compulsory.
    fn stand_pat(&mut self, leaf: &mut Leaf, known: Option<(Value, Bound)>) -> Option<Value> {
        let raw = leaf.entry.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.evaluate());
        let corrected = raw.corrected(self.correction(leaf.ply));
        self.stack[leaf.ply].static_eval = corrected;
        leaf.raw_eval = Some(raw);
        leaf.futility_base = corrected.offset(p::quiescence_futility());
        leaf.best = match known {
            Some((value, bound)) if !value.is_decisive() && bound.refines(value, corrected) => value,
            _ => corrected,
        };
        if leaf.best < leaf.window.beta {
            return None;
        }
        let value = if leaf.best.is_decisive() { leaf.best } else { leaf.best.towards(leaf.window.beta) };
        if leaf.entry.is_none() {
            let found = Some((value.at_node(leaf.ply), Bound::Lower));
            let depth = Entry::UNSEARCHED;
            let entry = Entry { best: 0, value: found, evaluation: leaf.raw_eval, depth, tt_pv: false };
            self.shared.table.store(self.key(), entry);
        }
        Some(value)
    }

    /// Searches the captures, or the answers to a check.
    fn search_forcing<K: NodeKind>(&mut self, mut leaf: Leaf, mut checks_known: bool) -> Value {
        let Leaf { ply, window, in_check, entry, .. } = leaf;
        let table_move = entry.and_then(|entry| self.position.unpack_move(entry.best));
        let rows = self.rows(ply);
        let promotions = self.shared.settings.promotions;
        let buffers = self.buffers();
        let mut picker = Picker::forcing(&self.position, table_move, rows, promotions, buffers);
        let mut alpha = window.alpha.max(leaf.best);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(m) = picker.next(&self.position, self.history, &self.checks[ply]) {
            move_count += 1;
            if !leaf.best.is_loss()
                && self.should_prune_leaf_move(&mut leaf, alpha, m, move_count, &mut checks_known)
            {
                continue;
            }
            let tag = self.tag(m);
            self.play(ply, m, tag);
            let value = -self.quiesce::<K>(ply + 1, window.reversed(alpha));
            self.take_back();
            if self.stopped() {
                break;
            }
            if value > leaf.best {
                leaf.best = value;
                if value > alpha {
                    best_move = Some(m);
                    if K::PV {
                        self.update_pv(ply, m);
                    }
                    if value >= window.beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.give_back(picker.into_buffers());
        if self.stopped() {
            return Value::ZERO;
        }
        if move_count == 0 {
            if in_check {
                return self.no_move_value(ply);
            }
            if leaf.raw_eval.is_none() {
                // There is no capture, and captures are compulsory in this game.
                return self.evaluate().corrected(self.correction(ply));
            }
        }
        let mut best = leaf.best;
        if !best.is_decisive() && best > window.beta {
            best = best.towards(window.beta);
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry {
            best: best_move.map_or(0, P::pack_move),
            value: Some((best.at_node(ply), bound)),
            evaluation: leaf.raw_eval,
            depth: Entry::QUIESCENCE,
            tt_pv: entry.is_some_and(|entry| entry.tt_pv),
        };
        self.shared.table.store(self.key(), entry);
        best
    }

    /// Whether a move cannot raise alpha. The most that it could gain may raise the best value.
    fn should_prune_leaf_move(
        &mut self,
        leaf: &mut Leaf,
        alpha: Value,
        m: P::Move,
        move_count: i32,
        checks_known: &mut bool,
    ) -> bool {
        if !self.position.material_counts() {
            return move_count > p::quiescence_move_count() && !self.position.must_capture();
        }
        let base = leaf.futility_base;
        if !self.position.is_recapture(m)
            && !base.is_loss()
            && !self.leaf_move_checks(leaf.ply, m, checks_known)
        {
            if move_count > p::quiescence_move_count() {
                return true;
            }
            let futility_value = base.offset(self.position.capture_value(m));
            if futility_value <= alpha {
                leaf.best = leaf.best.max(futility_value);
                return true;
            }
            if !self.position.exchange_at_least(m, alpha.get() - base.get()) {
                leaf.best = leaf.best.max(alpha.min(base));
                return true;
            }
        }
        !self.position.is_capture(m) || !self.position.exchange_at_least(m, -p::quiescence_exchange())
    }

    /// Whether a move gives check; computes the check data on the first call at a node.
    #[inline]
    fn leaf_move_checks(&mut self, ply: usize, m: P::Move, known: &mut bool) -> bool {
        self.find_checks(ply, *known);
        *known = true;
        self.position.gives_check(&self.checks[ply], m)
    }

    /// Stores that the side to move mates with `m` in `plies` plies.
    pub(crate) fn remember_mate<K: NodeKind>(
        &mut self,
        ply: usize,
        m: P::Move,
        plies: usize,
        depth: i32,
        tt_pv: bool,
    ) -> Value {
        if K::PV {
            self.pv[ply].push(m);
        }
        let value = Value::mate_in(ply + plies);
        let entry = Entry {
            best: P::pack_move(m),
            value: Some((value.at_node(ply), Bound::Exact)),
            evaluation: None,
            depth,
            tt_pv,
        };
        self.shared.table.store(self.key(), entry);
        value
    }
}

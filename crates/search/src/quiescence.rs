//! The end of a line: captures until the position is quiet.

use crate::node::{NodeKind, Window};
use crate::parameters as p;
use crate::picker::Picker;
use crate::report::Bound;
use crate::table::Entry;
use crate::worker::Worker;
use crate::{MAX_PLY, Value};
use game::{Evaluation, Position};

impl<P: Position, E: Evaluation<P>> Worker<'_, P, E> {
    /// Looks at captures only; in check at everything.
    pub(crate) fn quiesce<K: NodeKind>(&mut self, ply: usize, window: Window) -> Value {
        if K::OPEN {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if let Some(value) = self.decided(ply) {
            return value;
        }
        let in_check = P::HAS_CHECK && self.position.in_check();
        self.stack[ply].in_check = in_check;
        if ply >= MAX_PLY {
            return if in_check { self.draw_value() } else { self.evaluate() };
        }
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        let known = entry.and_then(|entry| entry.value).map(|(value, bound)| (value.at_root(ply), bound));
        if !K::OPEN
            && entry.is_some_and(|entry| entry.depth >= Entry::QUIESCENCE)
            && let Some((value, bound)) = known
            && bound.proves(value, window.beta)
        {
            return value;
        }
        let on_line = entry.is_some_and(|entry| entry.on_line);
        let mut checks = None;
        let mut raw = None;
        let mut best = -Value::INFINITE;
        let mut futility_base = -Value::INFINITE;
        let mut alpha = window.alpha;
        if !in_check {
            if entry.is_none() {
                let checks = checks.insert(self.position.checks());
                if let Some(m) = self.position.mate_in_one(checks) {
                    return self.remember_mate::<K>(ply, m, Entry::QUIESCENCE, on_line);
                }
            }
            let evaluation = entry.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.evaluate());
            raw = Some(evaluation);
            let corrected = evaluation.corrected(self.correction(ply));
            self.stack[ply].evaluation = corrected;
            best = corrected;
            if let Some((value, bound)) = known
                && !value.is_decisive()
                && bound.refines(value, best)
            {
                best = value;
            }
            if best >= window.beta {
                if !best.is_decisive() {
                    best = best.towards(window.beta);
                }
                if entry.is_none() {
                    let value = Some((best.at_node(ply), Bound::Lower));
                    let entry =
                        Entry { best: 0, value, evaluation: raw, depth: Entry::UNSEARCHED, on_line: false };
                    self.shared.table.store(key, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility_base = corrected.offset(p::quiescence_futility());
        }
        let table_move = entry.and_then(|entry| self.position.unpack_move(entry.best));
        let rows = self.rows(ply);
        let buffers = self.buffers();
        let mut picker =
            Picker::forcing(&self.position, table_move, rows, self.shared.settings.promotions, buffers);
        let mut best_move = None;
        let mut number = 0;
        while let Some(m) = picker.next(&self.position, self.history) {
            number += 1;
            if !best.is_loss() {
                if !self.position.retakes(m)
                    && !futility_base.is_loss()
                    && !self.position.gives_check(checks.get_or_insert_with(|| self.position.checks()), m)
                {
                    if number > 2 {
                        continue;
                    }
                    let hope = futility_base.offset(self.position.capture_value(m));
                    if hope <= alpha {
                        best = best.max(hope);
                        continue;
                    }
                    if !self.position.exchange_at_least(m, alpha.get() - futility_base.get()) {
                        best = best.max(alpha.min(futility_base));
                        continue;
                    }
                }
                if !self.position.is_capture(m) {
                    continue;
                }
                if !self.position.exchange_at_least(m, -p::quiescence_exchange()) {
                    continue;
                }
            }
            let trace = self.trace(m);
            self.play(ply, m, trace);
            let value = -self.quiesce::<K>(ply + 1, window.reversed(alpha));
            self.take_back();
            if self.stopped() {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if K::OPEN {
                        self.extend_line(ply, m);
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
        if in_check && number == 0 {
            return -Value::mate_in(ply);
        }
        if !best.is_decisive() && best > window.beta {
            best = best.towards(window.beta);
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry {
            best: best_move.map_or(0, P::pack_move),
            value: Some((best.at_node(ply), bound)),
            evaluation: raw,
            depth: Entry::QUIESCENCE,
            on_line,
        };
        self.shared.table.store(key, entry);
        best
    }

    /// The side to move mates at once with `m`.
    pub(crate) fn remember_mate<K: NodeKind>(
        &mut self,
        ply: usize,
        m: P::Move,
        depth: i32,
        on_line: bool,
    ) -> Value {
        if K::OPEN {
            self.lines[ply].push(m);
        }
        let value = Value::mate_in(ply + 1);
        let entry = Entry {
            best: P::pack_move(m),
            value: Some((value.at_node(ply), Bound::Exact)),
            evaluation: None,
            depth,
            on_line,
        };
        self.shared.table.store(self.position.key(), entry);
        value
    }
}

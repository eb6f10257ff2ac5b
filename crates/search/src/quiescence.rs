//! The end of a line: captures until the position is quiet.

use crate::node::Window;
use crate::parameters as p;
use crate::picker::Picker;
use crate::report::Bound;
use crate::table::Entry;
use crate::worker::Worker;
use crate::{MAX_PLY, Value};
use game::{Evaluation, Position};

impl<P: Position, E: Evaluation<P>> Worker<'_, P, E> {
    /// Looks at captures only; in check at everything.
    pub(crate) fn quiesce(&mut self, ply: usize, window: Window) -> Value {
        self.lines[ply].clear();
        self.count_node();
        if self.stopped() {
            return Value::ZERO;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(value) = self.decided(ply) {
            return value;
        }
        let in_check = P::HAS_CHECK && self.position.in_check();
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        if let Some(value) = entry.and_then(|entry| settled(entry, ply, window)) {
            return value;
        }
        let mut alpha = window.alpha;
        let mut best = -Value::INFINITE;
        if !in_check || ply >= MAX_PLY {
            if entry.is_none() && ply < MAX_PLY && self.position.mate_in_one().is_some() {
                return Value::mate_in(ply + 1);
            }
            best = self.evaluate();
            if best >= window.beta || ply >= MAX_PLY {
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand_pat = best;
        let table_move = entry.and_then(|entry| self.position.unpack_move(entry.best));
        let buffers = self.buffers();
        let promotions = self.shared.settings.promotions;
        let mut picker = Picker::captures(&self.position, table_move, promotions, buffers);
        let mut best_move = None;
        let mut number = 0;
        while let Some(m) = picker.next(&self.position, self.history, false) {
            number += 1;
            if !in_check && !self.may_raise(stand_pat, alpha, m) {
                continue;
            }
            self.play(ply, m);
            let value = -self.quiesce(ply + 1, window.reversed(alpha));
            self.take_back();
            if self.stopped() {
                break;
            }
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
        if self.stopped() {
            return Value::ZERO;
        }
        if in_check && number == 0 {
            return -Value::mate_in(ply);
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let packed = best_move.map_or(0, P::pack_move);
        self.shared.table.store(key, Entry { best: packed, value: best.at_node(ply), depth: 0, bound });
        best
    }

    /// Whether a capture can bring the value above `alpha`: it must not lose material, and win enough.
    fn may_raise(&self, stand_pat: Value, alpha: Value, m: P::Move) -> bool {
        let hope = stand_pat.offset(self.position.capture_value(m) + p::DELTA_MARGIN);
        hope > alpha && self.position.exchange_at_least(m, 0)
    }
}

/// The value of a table entry, if it settles the node; any depth will do.
fn settled(entry: Entry, ply: usize, window: Window) -> Option<Value> {
    let value = entry.value.at_root(ply);
    let settles = window.is_null()
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
        };
    settles.then_some(value)
}

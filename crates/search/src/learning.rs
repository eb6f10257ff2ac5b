//! What a search remembers of moves and evaluations for later nodes.

use crate::Value;
use crate::history::{CORRECTION_MAX, Trace};
use crate::node::Node;
use crate::worker::Worker;
use game::{Evaluation, Position};

impl<P: Position, E: Evaluation<P>> Worker<'_, P, E> {
    /// Rows of [`crate::history::History::correction`].
    #[inline]
    pub(crate) fn correction_rows(&self, ply: usize) -> [usize; 2] {
        [self.stack.before(ply, 2).correction, self.stack.before(ply, 4).correction]
    }

    /// The same and the slot, if the last ply was a move.
    #[inline]
    fn corrections_after_move(&self, ply: usize) -> Option<([usize; 2], usize)> {
        let (_, last) = self.stack.before(ply, 1).played?;
        Some((self.correction_rows(ply), last.slot()))
    }

    /// How far evaluations are off here.
    #[inline]
    pub(crate) fn correction(&self, ply: usize) -> i32 {
        let side = self.position.side().index();
        self.history.correction(side, &self.structures[ply], self.corrections_after_move(ply))
    }

    /// A search has shown how far the evaluation was off, unless a capture explains it.
    pub(crate) fn learn_correction(&mut self, node: &Node<P::Move>, value: Value, best: Option<P::Move>) {
        let off = value.get() - node.evaluation.get();
        let tells = best.is_some() == (off > 0);
        if node.in_check || !tells || best.is_some_and(|m| self.position.is_capture(m)) {
            return;
        }
        let weight = if best.is_some() { 12 } else { 17 };
        let bonus = (off * node.depth * weight / 128).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        let side = self.position.side().index();
        let rows = self.corrections_after_move(node.ply);
        self.history.add_correction(side, &self.structures[node.ply], rows, 1069 * bonus / 1024);
    }

    /// The evaluation tells whether the opponent's last quiet move was good.
    pub(crate) fn learn_from_evaluation(&mut self, node: &Node<P::Move>) {
        let parent = self.stack.before(node.ply, 1);
        let Some((_, last)) =
            parent.played.filter(|(_, trace)| !parent.in_check && trace.captured().is_none())
        else {
            return;
        };
        let gain = (-(parent.evaluation.get() + node.evaluation.get())).clamp(-214, 171) + 60;
        self.history.routes.add(last.route(), gain * 10);
        if !node.hit {
            self.add_to_pawns(node.ply, last, gain * 12);
        }
    }

    /// Adds to the statistics of the last move by the pawns.
    fn add_to_pawns(&mut self, ply: usize, last: Trace, bonus: i32) {
        let row = crate::history::History::<P>::pawn_row(&self.structures[ply]);
        self.history.pawns.add(row + last.slot(), bonus);
    }

    /// The table says that `m` refutes the node.
    #[inline(never)]
    pub(crate) fn learn_from_cutoff(&mut self, ply: usize, depth: i32, m: P::Move) {
        let trace = self.trace(m);
        let in_check = self.stack[ply].in_check;
        if trace.captured().is_none() {
            let rows = self.rows(ply);
            self.history.add_quiet(trace, &rows, in_check, (130 * depth - 71).min(1043));
        }
        // The opponent's early quiet move was a mistake.
        let parent = *self.stack.before(ply, 1);
        if let Some((_, last)) = parent.played
            && parent.number <= 4
            && last.captured().is_none()
        {
            self.add_after(ply - 1, last, parent.in_check, -2142);
        }
    }

    /// Adds to what is known of a move made at `ply`, after the moves before it.
    fn add_after(&mut self, ply: usize, m: Trace, in_check: bool, bonus: i32) {
        let rows = self.rows(ply).continuations;
        self.history.add_continuations(m.slot(), &rows, in_check, bonus);
    }

    /// `best` was the best move; the others of [`Worker::tried`] were not.
    pub(crate) fn learn(&mut self, node: &Node<P::Move>, best: P::Move) {
        let Node { ply, depth, in_check, .. } = *node;
        let [quiets, captures] = std::mem::take(&mut self.tried[ply]);
        let parent = *self.stack.before(ply, 1);
        let known = if Some(best) == node.table_move { 353 } else { 0 };
        let bonus = (128 * depth - 77).min(1529) + known + parent.statistics / 32;
        let malus = (882 * depth - 204).min(2122);
        let trace = self.trace(best);
        if let Some(captured) = trace.captured() {
            self.history.add_capture(trace.slot(), captured, bonus * 1286 / 1024);
        } else {
            let rows = self.rows(ply);
            self.history.add_quiet(trace, &rows, in_check, bonus * 806 / 1024);
            let mut worse = malus * 1113 / 1024;
            for &m in &quiets {
                worse = worse * 977 / 1024;
                let trace = self.trace(m);
                self.history.add_quiet(trace, &rows, in_check, -worse);
            }
        }
        if let Some((_, last)) = parent.played
            && parent.number == 1 + i32::from(parent.hit)
            && last.captured().is_none()
        {
            self.add_after(ply - 1, last, parent.in_check, -malus * 616 / 1024);
        }
        for &m in &captures {
            let trace = self.trace(m);
            self.history.add_capture(trace.slot(), trace.captured().unwrap_or(0), -malus * 1559 / 1024);
        }
        self.tried[ply] = [quiets, captures];
    }

    /// No move was good enough: the opponent's last one was good.
    pub(crate) fn learn_from_failure(&mut self, node: &Node<P::Move>, value: Value) {
        let Node { ply, depth, .. } = *node;
        let parent = *self.stack.before(ply, 1);
        let Some((_, last)) = parent.played else { return };
        if let Some(captured) = last.captured() {
            self.history.add_capture(last.slot(), captured, 1018);
            return;
        }
        let surprise = !node.in_check && value <= node.evaluation.offset(-110);
        let relief = !parent.in_check && value <= (-parent.evaluation).offset(-73);
        let scale = -232 - parent.statistics / 108
            + (59 * depth).min(454)
            + if parent.number > 8 { 169 } else { 0 }
            + if surprise { 145 } else { 0 }
            + if relief { 154 } else { 0 };
        let bonus = (135 * depth - 80).min(1400) * scale.max(0);
        self.add_after(ply - 1, last, parent.in_check, bonus * 221 / 16_384);
        self.history.routes.add(last.route(), bonus * 235 / 32_768);
        self.add_to_pawns(ply, last, bonus * 290 / 8192);
    }
}

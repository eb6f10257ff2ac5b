//! Updates of the histories after a node has been searched.

use crate::Value;
use crate::history::MoveTag;
use crate::node::Node;
use crate::parameters::{self as p, CORRECTION_MAX};
use crate::worker::Worker;
use game::{Evaluation, Searchable};

impl<P: Searchable, E: Evaluation<P>> Worker<'_, P, E> {
    /// Rows of [`crate::history::History::correction`].
    #[inline]
    pub(crate) fn correction_rows(&self, ply: usize) -> [usize; 2] {
        [self.stack.before(ply, 2).correction, self.stack.before(ply, 4).correction]
    }

    /// The arguments of [`crate::history::History::correction`], if the last ply was a move.
    #[inline]
    fn corrections_after_move(&self, ply: usize) -> Option<([usize; 2], usize)> {
        let (_, last) = self.stack.before(ply, 1).played?;
        Some((self.correction_rows(ply), last.slot()))
    }

    /// The correction of the evaluation at `ply`.
    #[inline]
    pub(crate) fn correction(&self, ply: usize) -> i32 {
        let side = self.position.side().index();
        self.correction_history.sum(side, &self.structures[ply])
            + self.history.correction(self.corrections_after_move(ply))
    }

    /// Adds the difference between search and evaluation to the correction histories, unless a capture explains it.
    pub(crate) fn learn_correction(&mut self, node: &Node<P::Move>, value: Value, best: Option<P::Move>) {
        let off = value.get() - node.static_eval.get();
        let is_informative = best.is_some() == (off > 0);
        if node.in_check || !is_informative || best.is_some_and(|m| self.position.is_capture(m)) {
            return;
        }
        let weight = if best.is_some() { p::correction_bonus_best() } else { p::correction_bonus_other() };
        let bonus = (off * node.depth * weight / 128).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        let side = self.position.side().index();
        let bonus = p::correction_bonus_scale() * bonus / 1024;
        self.correction_history.add(side, &self.structures[node.ply], bonus);
        if let Some(moves) = self.corrections_after_move(node.ply) {
            self.history.add_correction(moves, bonus);
        }
    }

    /// Rewards or punishes the opponent's last quiet move by the change of the evaluation.
    pub(crate) fn learn_from_evaluation(&mut self, node: &Node<P::Move>) {
        let parent = self.stack.before(node.ply, 1);
        let Some((_, last)) = parent.played.filter(|(_, tag)| !parent.in_check && tag.captured().is_none())
        else {
            return;
        };
        let gain = (-(parent.static_eval.get() + node.static_eval.get()))
            .clamp(-p::evaluation_gain_min(), p::evaluation_gain_max())
            + p::evaluation_gain_offset();
        self.history.butterfly.add(last.butterfly(), gain * p::evaluation_gain_butterfly());
        if !node.hit {
            self.add_to_pawns(node.ply, last, gain * p::evaluation_gain_pawn());
        }
    }

    /// Adds a bonus to the pawn history of the last move.
    fn add_to_pawns(&mut self, ply: usize, last: MoveTag, bonus: i32) {
        let row = crate::history::History::<P>::pawn_row(&self.structures[ply]);
        self.history.pawns.add(row + last.slot(), bonus);
    }

    /// Updates histories when the table's entry for `m` cuts the node off.
    #[inline(never)]
    pub(crate) fn learn_from_cutoff(&mut self, ply: usize, depth: i32, m: P::Move) {
        let tag = self.tag(m);
        let in_check = self.stack[ply].in_check;
        if tag.captured().is_none() {
            let rows = self.rows(ply);
            let bonus =
                (p::table_cutoff_per_depth() * depth - p::table_cutoff_offset()).min(p::table_cutoff_max());
            self.history.add_quiet(tag, &rows, in_check, bonus);
        }
        // The opponent's early quiet move was a mistake.
        let parent = *self.stack.before(ply, 1);
        if let Some((_, last)) = parent.played
            && parent.move_count <= p::table_cutoff_early_move()
            && last.captured().is_none()
        {
            self.add_after(ply - 1, last, parent.in_check, -p::table_cutoff_penalty());
        }
    }

    /// Adds a bonus to the continuation histories of a move made at `ply`.
    fn add_after(&mut self, ply: usize, m: MoveTag, in_check: bool, bonus: i32) {
        let rows = self.rows(ply).continuations;
        self.history.add_continuations(m.slot(), &rows, in_check, bonus);
    }

    /// Rewards `best`, and punishes the other moves of [`Worker::tried`].
    pub(crate) fn learn(&mut self, node: &Node<P::Move>, best: P::Move) {
        let Node { ply, depth, in_check, .. } = *node;
        let [quiets, captures] = std::mem::take(&mut self.tried[ply]);
        let parent = *self.stack.before(ply, 1);
        let known = if Some(best) == node.table_move { p::best_bonus_table_move() } else { 0 };
        let bonus = (p::best_bonus_per_depth() * depth - p::best_bonus_offset()).min(p::best_bonus_max())
            + known
            + parent.stat_score / p::best_bonus_parent_divisor();
        let malus = (p::malus_per_depth() * depth - p::malus_offset()).min(p::malus_max());
        let tag = self.tag(best);
        if let Some(captured) = tag.captured() {
            self.history.add_capture(tag.slot(), captured, bonus * p::best_capture_bonus() / 1024);
        } else {
            let rows = self.rows(ply);
            self.history.add_quiet(tag, &rows, in_check, bonus * p::best_quiet_bonus() / 1024);
            let mut worse = malus * p::quiet_malus() / 1024;
            for &m in &quiets {
                worse = worse * p::quiet_malus_decay() / 1024;
                let tag = self.tag(m);
                self.history.add_quiet(tag, &rows, in_check, -worse);
            }
        }
        if let Some((_, last)) = parent.played
            && parent.move_count == 1 + i32::from(parent.hit)
            && last.captured().is_none()
        {
            self.add_after(ply - 1, last, parent.in_check, -malus * p::first_move_penalty() / 1024);
        }
        for &m in &captures {
            let tag = self.tag(m);
            self.history.add_capture(
                tag.slot(),
                tag.captured().unwrap_or(0),
                -malus * p::capture_malus() / 1024,
            );
        }
        self.tried[ply] = [quiets, captures];
    }

    /// Rewards the opponent's last move when the node fails low.
    pub(crate) fn learn_from_failure(&mut self, node: &Node<P::Move>, value: Value) {
        let Node { ply, depth, .. } = *node;
        let parent = *self.stack.before(ply, 1);
        let Some((_, last)) = parent.played else { return };
        if let Some(captured) = last.captured() {
            self.history.add_capture(last.slot(), captured, p::fail_low_capture_bonus());
            return;
        }
        let surprise = !node.in_check && value <= node.static_eval.offset(-p::fail_low_surprise_margin());
        let relief = !parent.in_check && value <= (-parent.static_eval).offset(-p::fail_low_relief_margin());
        let scale = -p::fail_low_offset() - parent.stat_score / p::fail_low_parent_divisor()
            + (p::fail_low_per_depth() * depth).min(p::fail_low_depth_max())
            + if parent.move_count > p::fail_low_late_move_count() { p::fail_low_late_move() } else { 0 }
            + if surprise { p::fail_low_surprise() } else { 0 }
            + if relief { p::fail_low_relief() } else { 0 };
        let bonus = (p::fail_low_bonus_per_depth() * depth - p::fail_low_bonus_offset())
            .min(p::fail_low_bonus_max())
            * scale.max(0);
        self.add_after(ply - 1, last, parent.in_check, bonus * p::fail_low_continuation() / 16_384);
        self.history.butterfly.add(last.butterfly(), bonus * p::fail_low_butterfly() / 32_768);
        self.add_to_pawns(ply, last, bonus * p::fail_low_pawn() / 8192);
    }
}

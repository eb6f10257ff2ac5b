//! An expanded position: its moves and their states, as kept on the search stack.

use super::child::{Child, compare};
use super::estimate::{Weights, has_twin};
use super::postpone::postpone;
use super::walk::Walk;
use crate::dominance::{disproof_hand, disproof_hand_before_defence, hand_before, proof_hand};
use crate::length::Length;
use crate::outcome::{INFINITE, LARGEST, NO_LOOP, Number, Numbers, Outcome, UNIT};
use crate::table::entry::NOWHERE;
use crate::table::memory::Memory;
use crate::table::{Found, Question};
use shogi::{Hand, Move, MoveList, Origin};
use std::cmp::Ordering;

/// Larger numbers come from double counting; then the maximum is taken instead of the sum.
const HUGE: Number = INFINITE / 1024;

/// A position whose moves are being searched.
pub(crate) struct Expansion {
    pub(crate) attacks: bool,
    pub(crate) length: Length,
    pub(crate) depth: u16,
    pub(crate) board: u128,
    pub(crate) hand: Hand,
    /// The table slot of the position itself.
    pub(crate) slot: u32,
    /// Whether some numbers come from a search nearer to the root.
    pub(crate) has_old_child: bool,
    children: Vec<Child>,
    /// The children in play, best first; postponed ones are not in it.
    order: Vec<u16>,
    /// A bit for each child whose delta must not be added up.
    shared: u64,
    /// The sum of the deltas of all children in play but the best.
    sum: u64,
    most: Number,
}

impl Expansion {
    /// An empty expansion, whose memory can be reused.
    pub(crate) fn empty() -> Self {
        Self {
            attacks: true,
            length: Length::NEVER,
            depth: 0,
            board: 0,
            hand: Hand::EMPTY,
            slot: NOWHERE,
            has_old_child: false,
            children: Vec::new(),
            order: Vec::new(),
            shared: 0,
            sum: 0,
            most: 0,
        }
    }

    /// Expands all moves of the current position.
    pub(crate) fn expand(
        &mut self,
        memory: Memory<'_>,
        walk: &mut Walk,
        weights: &Weights,
        length: Length,
        known: &Outcome,
        slot: u32,
    ) {
        self.attacks = walk.attacks();
        self.length = length;
        self.depth = walk.depth();
        self.board = walk.board();
        self.hand = walk.hand();
        self.slot = slot;
        self.has_old_child = false;
        self.shared = u64::from(known.shared_moves);
        self.children.clear();
        self.order.clear();
        let king = walk.king();
        let mut moves = MoveList::new();
        walk.generate(&mut moves);
        if !self.attacks {
            // Interpositions of cheap pieces come first: the others wait for them (`postpone`).
            moves.sort_by_key(|m| match m.origin() {
                Origin::Board(_) => None,
                Origin::Hand(piece) => Some(piece as u8),
            });
        }
        for &m in moves.iter() {
            let board = walk.position.board_key_after(m);
            memory.table.prefetch(board);
            self.children.push(Child {
                m,
                rank: weights.rank(&walk.position, king, m),
                before: 0,
                after: 0,
                outcome: Outcome::unknown(Numbers::new(1, 1), 1, 0, true),
                board,
                hand: walk.hand_after(m),
                slot: NOWHERE,
                path: walk.path.key_after(m),
            });
        }
        postpone(&walk.position, self.attacks, &mut self.children);
        for index in 0..self.children.len() {
            self.look_at(index, memory, walk, weights, known.is_new);
            if self.children[index].outcome.numbers.phi(self.attacks) == 0 {
                // This move wins; the others do not matter.
                break;
            }
        }
        let (children, attacks) = (&self.children, self.attacks);
        self.order.sort_unstable_by(|a, b| compare(children, attacks, *a, *b));
        self.sum_up();
    }

    /// Looks a child up, or estimates it, and puts it into play unless it waits for another.
    fn look_at(
        &mut self,
        index: usize,
        memory: Memory<'_>,
        walk: &mut Walk,
        weights: &Weights,
        is_new: bool,
    ) {
        let attacks = self.attacks;
        let child = self.children[index];
        let shortest = if attacks { Length::ZERO } else { Length::ONE };
        if let Some(depth) = walk.path.recurs(child.board, child.hand) {
            self.children[index].outcome = Outcome::disproven(child.hand, Length::NEVER, 1, depth);
        } else if self.length.minus(1) < shortest {
            self.children[index].outcome = Outcome::disproven(child.hand, shortest, 1, NO_LOOP);
        } else {
            let question = self.question(index);
            match memory.table.look_up(&question, &mut self.has_old_child) {
                Found::Final(outcome) => self.children[index].outcome = outcome,
                Found::Known { outcome, slot, may_repeat } => {
                    self.children[index].slot = slot;
                    self.children[index].outcome = outcome;
                    if may_repeat
                        && let Some((start, length)) = memory.loops.find(child.path, question.length)
                    {
                        self.children[index].outcome =
                            Outcome::disproven(child.hand, length, outcome.amount, start);
                    }
                }
                Found::Bounds(bounds) => {
                    let guess = weights.estimate(&walk.position, attacks, child.m);
                    let numbers =
                        Numbers::new(guess.proof.max(bounds.proof), guess.disproof.max(bounds.disproof));
                    self.children[index].outcome = Outcome::unknown(numbers, 1, 0, true);
                }
            }
        }
        let outcome = self.children[index].outcome;
        if !outcome.is_final() {
            if outcome.numbers.delta(attacks) >= HUGE
                || attacks && has_twin(&walk.position, walk.king(), child.m)
            {
                self.share(index);
            }
            if self.must_wait(index) {
                return;
            }
            if !attacks && is_new && outcome.is_new {
                walk.enter(child.m);
                if let Some(outcome) = decided_at_once(walk) {
                    self.children[index].outcome = outcome;
                    let question = self.question(index);
                    memory.store(&question, child.path, &outcome, NOWHERE, NOWHERE);
                }
                walk.leave();
            }
        }
        self.order.push(index as u16);
    }

    fn must_wait(&self, index: usize) -> bool {
        let mut before = self.children[index].before;
        while before > 0 {
            let child = &self.children[usize::from(before) - 1];
            if !child.outcome.is_final() {
                return true;
            }
            before = child.before;
        }
        false
    }

    fn question(&self, index: usize) -> Question {
        let child = &self.children[index];
        Question { board: child.board, hand: child.hand, depth: self.depth + 1, length: self.length.minus(1) }
    }

    fn share(&mut self, index: usize) {
        if index < 64 {
            self.shared |= 1 << index;
        }
    }

    fn is_shared(&self, index: u16) -> bool {
        index < 64 && self.shared >> index & 1 != 0
    }

    fn best_index(&self) -> Option<usize> {
        self.order.first().map(|index| usize::from(*index))
    }

    /// The most promising move.
    pub(crate) fn best(&self) -> Option<&Child> {
        self.best_index().map(|index| &self.children[index])
    }

    /// The moves in play with their outcomes, best first.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (Move, &Outcome)> {
        self.order
            .iter()
            .map(|index| &self.children[usize::from(*index)])
            .map(|child| (child.m, &child.outcome))
    }

    fn waiting(&self) -> Number {
        let waiting = (self.children.len() - self.order.len()) as Number;
        if waiting == 0 { 0 } else { (waiting / 8).max(1) }
    }

    pub(crate) fn numbers(&self) -> Numbers {
        let Some(best) = self.best_index() else {
            return Numbers::of_side(self.attacks, INFINITE, 0);
        };
        let numbers = self.children[best].outcome.numbers;
        let (phi, own) = (numbers.phi(self.attacks), numbers.delta(self.attacks));
        if phi == 0 {
            return Numbers::of_side(self.attacks, 0, INFINITE);
        }
        let (mut sum, mut most) = (self.sum, self.most);
        if self.is_shared(best as u16) {
            most = most.max(own);
        } else {
            sum += u64::from(own);
        }
        let delta = sum + u64::from(most) + u64::from(self.waiting());
        let delta = delta.min(u64::from(LARGEST)) as Number;
        Numbers::of_side(self.attacks, phi, delta)
    }

    /// The state of the position itself, from its children.
    pub(crate) fn outcome(&self, walk: &Walk) -> Outcome {
        let numbers = self.numbers();
        if numbers.phi(self.attacks) == 0 {
            self.won(walk)
        } else if numbers.delta(self.attacks) == 0 {
            self.lost(walk)
        } else {
            let amount = self.best().map_or(1, |best| best.outcome.amount);
            let amount = amount.saturating_add(self.children.len() as u32);
            Outcome::unknown(numbers, amount, self.shared as u16, false)
        }
    }

    fn won(&self, walk: &Walk) -> Outcome {
        let Some(best) = self.best() else { return Outcome::disproven(self.hand, Length::ZERO, 1, 0) };
        let outcome = &best.outcome;
        let amount = outcome.amount.saturating_add(self.children.len() as u32);
        let length = outcome.length.plus_one();
        if self.attacks {
            return Outcome::proven(hand_before(&walk.position, best.m, outcome.hand), length, amount);
        }
        if outcome.loop_start < self.depth {
            return Outcome::disproven(self.hand, length, amount, outcome.loop_start);
        }
        let hand = disproof_hand_before_defence(&walk.position, best.m, outcome.hand);
        Outcome::disproven(hand, length, amount, NO_LOOP)
    }

    fn lost(&self, walk: &Walk) -> Outcome {
        let outcomes = || self.outcomes().map(|(_, outcome)| outcome);
        let amount = outcomes().map(|outcome| outcome.amount).max().unwrap_or(1);
        let amount = amount.saturating_add(self.children.len() as u32);
        if !self.attacks {
            let needed = outcomes().fold(Hand::EMPTY, |hand, outcome| hand.join(outcome.hand));
            let length = outcomes().map(|outcome| outcome.length.plus_one()).max().unwrap_or(Length::ZERO);
            return Outcome::proven(proof_hand(&walk.position, needed), length, amount);
        }
        let length = outcomes().map(|outcome| outcome.length).min().unwrap_or(Length::NEVER).plus_one();
        let start = outcomes().map(|outcome| outcome.loop_start).min().unwrap_or(NO_LOOP);
        if start < self.depth {
            return Outcome::disproven(self.hand, length, amount, start);
        }
        let refuted = self
            .outcomes()
            .fold(Hand::FULL, |hand, (m, outcome)| hand.meet(hand_before(&walk.position, m, outcome.hand)));
        Outcome::disproven(disproof_hand(&walk.position, refuted), length, amount, NO_LOOP)
    }

    /// Sets the outcome of the best move after its search.
    pub(crate) fn update_best(&mut self, memory: Memory<'_>, outcome: Outcome) {
        let Some(best) = self.best_index() else { return };
        let attacks = self.attacks;
        let question = self.question(best);
        let child = &mut self.children[best];
        child.outcome = outcome;
        child.slot = memory.store(&question, child.path, &outcome, self.slot, child.slot);
        let delta = outcome.numbers.delta(attacks);
        if !outcome.is_final() && delta >= HUGE {
            self.share(best);
        }
        if outcome.numbers.phi(attacks) == 0 {
            return;
        }
        if outcome.is_final() && self.children[best].after > 0 {
            self.call_waiting(best);
            let (children, attacks) = (&self.children, self.attacks);
            self.order.sort_by(|a, b| compare(children, attacks, *a, *b));
            self.sum_up();
            return;
        }
        // The former best joins the rest, and the new best leaves it.
        if self.is_shared(best as u16) {
            self.most = self.most.max(delta);
        } else {
            self.sum += u64::from(delta);
        }
        self.sink_best();
        let best = self.order[0];
        let delta = self.children[usize::from(best)].outcome.numbers.delta(attacks);
        if !self.is_shared(best) {
            self.sum -= u64::from(delta);
        } else if delta >= self.most {
            self.sum_up();
        }
    }

    /// Puts moves into play that waited for a decided one, up to the first that is itself undecided.
    fn call_waiting(&mut self, decided: usize) {
        let mut after = self.children[decided].after;
        while after > 0 {
            let index = after - 1;
            let child = &self.children[usize::from(index)];
            after = child.after;
            let decided = child.outcome.is_final();
            if !self.order.contains(&index) {
                self.order.push(index);
            }
            if !decided {
                break;
            }
        }
    }

    /// Moves the first child to its place in the order.
    fn sink_best(&mut self) {
        let (children, attacks) = (&self.children, self.attacks);
        let first = self.order[0];
        let rest = &self.order[1..];
        let place = rest.partition_point(|other| compare(children, attacks, *other, first) == Ordering::Less);
        self.order[..=place].rotate_left(1);
    }

    /// Recomputes the sum and the maximum of all children in play but the best.
    fn sum_up(&mut self) {
        (self.sum, self.most) = (0, 0);
        for &index in self.order.iter().skip(1) {
            let delta = self.children[usize::from(index)].outcome.numbers.delta(self.attacks);
            if self.is_shared(index) {
                self.most = self.most.max(delta);
            } else {
                self.sum += u64::from(delta);
            }
        }
    }

    /// The thresholds up to which the best move is searched before another one, or the parent, becomes preferable.
    pub(crate) fn thresholds_of_best(&self, thresholds: Numbers) -> Numbers {
        let attacks = self.attacks;
        let second = self
            .order
            .get(1)
            .map_or(INFINITE, |index| self.children[usize::from(*index)].outcome.numbers.phi(attacks));
        let phi = thresholds.phi(attacks).min(second.saturating_add(1));
        let mut others = self.sum + u64::from(self.waiting());
        if self.order.first().is_some_and(|best| !self.is_shared(*best)) {
            others += u64::from(self.most);
        }
        let delta = u64::from(thresholds.delta(attacks)).saturating_sub(others) as Number;
        let delta = if thresholds.delta(attacks) >= INFINITE { INFINITE } else { delta };
        Numbers::of_side(attacks, phi, delta)
    }

    /// Handles two ways from here to one position, by the best move and by the one to `place`: from now on the maximum
    /// of their deltas counts, not the sum.
    pub(crate) fn resolve_double_count(&mut self, place: u32) {
        let Some(best) = self.best_index() else { return };
        self.share(best);
        let other = self.order.iter().skip(1).copied().find(|i| self.children[usize::from(*i)].slot == place);
        if let Some(other) = other
            && !self.is_shared(other)
        {
            self.share(usize::from(other));
            self.sum_up();
        }
    }

    /// Whether moves other than the best contribute so much to the delta that double counting below does not matter.
    pub(crate) fn is_dominated_by_others(&self) -> bool {
        let Some(best) = self.best() else { return true };
        let own = best.outcome.numbers.delta(self.attacks);
        self.numbers().delta(self.attacks) > own.saturating_add(DOUBLE_COUNT_SLACK)
    }
}

/// Differences up to this do not end the search for double counting.
pub(crate) const DOUBLE_COUNT_SLACK: Number = 3 * UNIT;

/// The verdict on a new position of the attacker, if no search is needed.
fn decided_at_once(walk: &mut Walk) -> Option<Outcome> {
    let checks = walk.position.checks();
    if !checks.are_conceivable(&walk.position) {
        let hand = disproof_hand(&walk.position, Hand::FULL);
        return Some(Outcome::disproven(hand, Length::NEVER, 1, NO_LOOP));
    }
    let m = walk.position.mate_in_one_with(&checks)?;
    walk.enter(m);
    let needed = proof_hand(&walk.position, Hand::EMPTY);
    walk.leave();
    Some(Outcome::proven(hand_before(&walk.position, m, needed), Length::ONE, 1))
}

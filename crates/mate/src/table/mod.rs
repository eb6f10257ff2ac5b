//! The table of positions: bounded, indexed by board, with all hands of a board in one run of slots.

pub(crate) mod entry;
pub(crate) mod loops;
pub(crate) mod memory;

use crate::length::Length;
use crate::outcome::{NO_LOOP, Numbers, Outcome};
use entry::{Facts, NOWHERE, Slot, logarithm, power};
use platform::memory::Zeroed;
use platform::prefetch;
use shogi::Hand;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Open addressing without replacement: when it fills up, [`Table::collect`] drops the cheapest entries.
pub(crate) struct Table {
    slots: Zeroed<Slot>,
    used: AtomicUsize,
    /// Number of slots in use: few at first, so that small problems stay in the cache and spend no time on memory that
    /// they do not need; all of them before anything is dropped.
    active: AtomicUsize,
    /// Slots that have been active since generations were last reset.
    touched: usize,
    /// The generation of the current problem.
    generation: u8,
}

/// Polled during work on the whole table, which may take seconds; `true` ends it.
pub(crate) type Stop<'a> = &'a dyn Fn() -> bool;

/// A query for a position: is there a mate within a bound of plies?
#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub(crate) board: u128,
    pub(crate) hand: Hand,
    pub(crate) depth: u16,
    /// The bound of plies.
    pub(crate) length: Length,
}

/// The result of a look-up.
pub(crate) enum Found {
    /// Decided.
    Final(Outcome),
    /// Searched, but undecided.
    Known { outcome: Outcome, slot: u32, may_repeat: bool },
    /// Only bounds derived from other hands.
    Bounds(Numbers),
}

/// A decided entry is kept as if this many more positions had been searched for it.
const FINAL_BONUS: u32 = 1000;

impl Table {
    /// A table of about `bytes`.
    pub(crate) fn new(bytes: usize, large_pages: bool) -> io::Result<Self> {
        let count = (bytes / size_of::<Slot>()).clamp(Self::SMALLEST, u32::MAX as usize - 1);
        let active = AtomicUsize::new(count.min(Self::FIRST));
        Ok(Self {
            slots: Zeroed::new(count, large_pages)?,
            used: AtomicUsize::new(0),
            active,
            touched: 0,
            generation: 1,
        })
    }

    /// Slots of a new problem: 16 MB.
    const FIRST: usize = 1 << 19;
    /// The factor by which they grow.
    const GROWTH: usize = 4;

    const SMALLEST: usize = 1 << 10;

    /// Slots between two calls of `stop`.
    const STRIDE: usize = 1 << 14;

    /// Clears the table, nearly always in no time. If it is stopped, the table is cleared as well, and the next call
    /// does the rest of the work.
    pub(crate) fn clear(&mut self, stop: Stop<'_>) {
        *self.used.get_mut() = 0;
        self.touched = self.touched.max(*self.active.get_mut());
        *self.active.get_mut() = self.slots.len().min(Self::FIRST);
        if self.generation == Facts::LAST_GENERATION {
            self.generation = Self::UNSWEPT;
        }
        if self.generation == Self::UNSWEPT {
            while self.touched > 0 {
                let start = self.touched.saturating_sub(Self::STRIDE);
                self.slots[start..self.touched].iter().for_each(Slot::set_free);
                self.touched = start;
                if stop() {
                    return;
                }
            }
        }
        self.generation += 1;
    }

    /// The generation while a reset is pending.
    const UNSWEPT: u8 = 0;

    /// Touches all memory, so that the system allocates it now.
    pub(crate) fn warm_up(&mut self) {
        self.slots.clear(1);
    }

    /// How full it is, in thousandths.
    pub(crate) fn fill(&self) -> usize {
        self.used.load(Ordering::Relaxed) * 1000 / self.slots.len()
    }

    /// Whether the table should be cleaned soon.
    pub(crate) fn is_crowded(&self) -> bool {
        self.used.load(Ordering::Relaxed) >= self.active() / 10 * 7
    }

    #[inline]
    fn active(&self) -> usize {
        self.active.load(Ordering::Relaxed)
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.active() as u128) >> 64) as usize
    }

    #[inline]
    fn next(&self, index: usize) -> usize {
        if index + 1 == self.active() { 0 } else { index + 1 }
    }

    #[inline]
    pub(crate) fn prefetch(&self, board: u128) {
        prefetch(&self.slots[self.home(Slot::key_of(board))]);
    }

    /// Looks a position up; `is_old` is set if numbers come from a search nearer to the root.
    #[inline]
    pub(crate) fn look_up(&self, question: &Question, is_old: &mut bool) -> Found {
        let Question { board, hand, depth, length } = *question;
        let key = Slot::key_of(board);
        let (mut proof, mut disproof, mut amount) = (1, 1, 0);
        let mut exact = None;
        let mut index = self.home(key);
        loop {
            let slot = &self.slots[index];
            let facts = slot.facts();
            let found = slot.board();
            if found == 0 || facts.generation != self.generation {
                break;
            }
            if found == key {
                let other = slot.hand();
                let more = hand.covers(other);
                let less = other.covers(hand);
                if more && facts.is_proven(length) {
                    return Found::Final(Outcome::proven(other, facts.at_most, power(facts.amount)));
                }
                if less && facts.is_disproven(length) {
                    let amount = power(facts.amount);
                    return Found::Final(Outcome::disproven(other, facts.at_least, amount, NO_LOOP));
                }
                let (other_proof, other_disproof) = slot.numbers();
                let helps = less && other_proof > proof || more && other_disproof > disproof;
                if more && less {
                    if depth < facts.depth {
                        slot.set_facts(Facts { depth, ..facts });
                    }
                    proof = proof.max(other_proof);
                    disproof = disproof.max(other_disproof);
                    amount = power(facts.amount);
                    exact = Some((index as u32, facts));
                    *is_old |= helps && facts.depth < depth;
                } else if helps && facts.depth <= depth {
                    if less {
                        proof = other_proof;
                    } else {
                        disproof = other_disproof;
                    }
                    *is_old |= facts.depth < depth;
                }
            }
            index = self.next(index);
        }
        let numbers = Numbers::new(proof, disproof);
        match exact {
            None => Found::Bounds(numbers),
            Some((slot, facts)) => Found::Known {
                outcome: Outcome::unknown(numbers, amount, facts.shared_moves, false),
                slot,
                may_repeat: facts.may_repeat,
            },
        }
    }

    /// Lower and upper bound of the mate's length.
    pub(crate) fn range(&self, board: u128, hand: Hand) -> (Length, Length) {
        let key = Slot::key_of(board);
        let (mut at_least, mut at_most) = (Length::ZERO, Length::NEVER);
        let mut index = self.home(key);
        while !self.slots[index].is_free(self.generation) {
            let slot = &self.slots[index];
            if slot.board() == key {
                let facts = slot.facts();
                if hand.covers(slot.hand()) {
                    at_most = at_most.min(facts.at_most);
                }
                if slot.hand().covers(hand) {
                    at_least = at_least.max(facts.at_least);
                }
            }
            index = self.next(index);
        }
        (at_least, at_most)
    }

    /// The slot of a position, claimed if it has none; `hint` is its last known slot.
    fn place(&self, board: u128, hand: Hand, hint: u32) -> Option<u32> {
        let key = Slot::key_of(board);
        if let Some(slot) = self.slots.get(hint as usize)
            && slot.board() == key
            && slot.hand() == hand
        {
            return Some(hint);
        }
        let home = self.home(key);
        let mut index = home;
        loop {
            let slot = &self.slots[index];
            if slot.claim(self.generation) {
                slot.set_place(hand, NOWHERE);
                slot.set_numbers(1, 1);
                slot.set_facts(Facts::none(self.generation));
                slot.publish(key);
                self.used.fetch_add(1, Ordering::Relaxed);
                return Some(index as u32);
            }
            if slot.board() == key && slot.hand() == hand {
                return Some(index as u32);
            }
            index = self.next(index);
            if index == home {
                return None;
            }
        }
    }

    /// Stores an outcome; returns the slot of the position.
    pub(crate) fn store(&self, question: &Question, outcome: &Outcome, parent: u32, hint: u32) -> u32 {
        let hand =
            if outcome.is_final() && outcome.loop_start == NO_LOOP { outcome.hand } else { question.hand };
        let Some(index) = self.place(question.board, hand, hint) else { return NOWHERE };
        let slot = &self.slots[index as usize];
        let mut facts = slot.facts();
        if outcome.is_proven() {
            facts.at_most = facts.at_most.min(outcome.length);
            facts.amount = facts.amount.max(logarithm(outcome.amount.saturating_add(FINAL_BONUS)));
        } else if outcome.is_disproven() {
            if outcome.loop_start == NO_LOOP {
                facts.at_least = facts.at_least.max(outcome.length);
                facts.amount = facts.amount.max(logarithm(outcome.amount.saturating_add(FINAL_BONUS)));
            } else {
                // The verdict is stored by path; other paths start anew.
                facts.may_repeat = true;
                slot.set_numbers(1, 1);
            }
        } else {
            facts.depth = facts.depth.min(question.depth);
            facts.amount = facts.amount.max(logarithm(outcome.amount));
            facts.shared_moves = outcome.shared_moves;
            slot.set_place(hand, parent);
            slot.set_numbers(outcome.numbers.proof, outcome.numbers.disproof);
        }
        slot.set_facts(facts);
        index
    }

    /// The slot from which a position was last searched, and its numbers then.
    pub(crate) fn parent(&self, index: u32) -> Option<(u32, Numbers)> {
        let slot = self.slots.get(index as usize)?;
        let (proof, disproof) = slot.numbers();
        (slot.parent() != NOWHERE).then(|| (slot.parent(), Numbers::new(proof, disproof)))
    }

    /// Half of the board's key, and the hand.
    pub(crate) fn who(&self, index: u32) -> Option<(u64, Hand)> {
        let slot = self.slots.get(index as usize)?;
        Some((slot.board(), slot.hand()))
    }

    /// Activates more slots, or drops the cheapest entries. No other thread may use the table meanwhile. If it is
    /// stopped, some entries are lost; the others stay valid.
    pub(crate) fn make_room(&self, stop: Stop<'_>) {
        if self.active() < self.slots.len() { self.grow(stop) } else { self.collect(stop) }
    }

    /// The first `count` slots in chunks; ends when stopped.
    fn parts<'a>(&'a self, count: usize, stop: Stop<'a>) -> impl DoubleEndedIterator<Item = &'a [Slot]> {
        self.slots[..count].chunks(Self::STRIDE).filter(move |_| !stop())
    }

    /// Activating slots spreads keys but keeps their order, so entries are moved from the last one backwards, each to a
    /// place that is already free. Near the beginning there are exceptions; these few entries are lost.
    fn grow(&self, stop: Stop<'_>) {
        let old = self.active();
        self.active.store(self.slots.len().min(old * Self::GROWTH), Ordering::Relaxed);
        for slot in self.parts(old, stop).rev().flat_map(|part| part.iter().rev()) {
            if slot.is_free(self.generation) {
                continue;
            }
            let mut index = self.home(slot.board());
            while !self.slots[index].is_free(self.generation)
                && !std::ptr::eq(&raw const self.slots[index], slot)
            {
                index = self.next(index);
            }
            if !std::ptr::eq(&raw const self.slots[index], slot) {
                self.slots[index].copy_from(slot);
                slot.set_free();
            }
        }
        if stop() {
            // Entries that have moved are where the next attempt expects them. Moving the others to one end would be
            // slow.
            self.active.store(old, Ordering::Relaxed);
            return;
        }
        let taken = |slot: &&Slot| !slot.is_free(self.generation);
        for slot in self.parts(self.active(), stop).flatten().filter(taken) {
            slot.set_place(slot.hand(), NOWHERE);
        }
    }

    /// Drops the cheaper half of the entries.
    fn collect(&self, stop: Stop<'_>) {
        let mut counts = [0usize; 64];
        let mut used = 0;
        for slot in self.parts(self.slots.len(), stop).flatten() {
            if slot.is_free(self.generation) {
                slot.set_free();
                continue;
            }
            counts[usize::from(slot.facts().amount)] += 1;
            used += 1;
        }
        let half = used / 2;
        // Drops all entries below `bound`, and as many as needed of those at it.
        let mut bound = 0;
        let mut below = 0;
        while bound < 63 && below + counts[bound] <= half {
            below += counts[bound];
            bound += 1;
        }
        let mut surplus = half - below;
        let taken = |slot: &&Slot| !slot.is_free(self.generation);
        for slot in self.parts(self.slots.len(), stop).flatten().filter(taken) {
            let amount = usize::from(slot.facts().amount);
            if amount < bound || amount == bound && surplus > 0 {
                surplus -= usize::from(amount == bound);
                slot.set_free();
                self.used.fetch_sub(1, Ordering::Relaxed);
            } else {
                slot.set_place(slot.hand(), NOWHERE);
            }
        }
        self.close_gaps(stop);
    }

    /// Moves every entry as near to its home slot as possible. Starting after a free slot, entries only move into slots
    /// that have been passed.
    fn close_gaps(&self, stop: Stop<'_>) {
        let count = self.active();
        let Some(start) = (0..count).find(|&index| self.slots[index].is_free(self.generation)) else {
            return;
        };
        for step in 1..count {
            if step.is_multiple_of(Self::STRIDE) && stop() {
                return;
            }
            let index = (start + step) % count;
            let slot = &self.slots[index];
            if slot.is_free(self.generation) {
                continue;
            }
            let mut target = self.home(slot.board());
            while target != index && !self.slots[target].is_free(self.generation) {
                target = self.next(target);
            }
            if target != index {
                self.slots[target].copy_from(slot);
                slot.set_free();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Keys spread over the whole range, the same in every run.
    fn question(number: u64) -> Question {
        let board = u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Question { board, hand: Hand::EMPTY, depth: 1, length: Length::NEVER }
    }

    /// A different length for each board.
    fn length(number: u64) -> Length {
        Length::new((number % 1000) as u16 + 1)
    }

    fn is_known(table: &Table, number: u64) -> bool {
        match table.look_up(&question(number), &mut false) {
            Found::Final(outcome) => {
                assert_eq!(outcome.length, length(number), "what is found must be true");
                true
            }
            _ => false,
        }
    }

    fn fill(table: &Table, numbers: impl Iterator<Item = u64>) -> u64 {
        let mut last = 0;
        for number in numbers.take_while(|_| !table.is_crowded()) {
            let amount = (number % 5000) as u32;
            table.store(
                &question(number),
                &Outcome::proven(Hand::EMPTY, length(number), amount),
                NOWHERE,
                NOWHERE,
            );
            last = number;
        }
        last
    }

    #[test]
    fn stopping_work_on_the_table_costs_knowledge_but_never_the_truth() {
        for stop_after in [0, 5, 40, usize::MAX] {
            // Larger than what a new problem gets, so that it grows and is collected.
            let table = Table::new(2 * Table::FIRST * size_of::<Slot>(), false).unwrap();
            let mut next = 1;
            for _ in 0..3 {
                let last = fill(&table, next..);
                let calls = Cell::new(0);
                let stop = || calls.replace(calls.get() + 1) >= stop_after;
                table.make_room(&stop);
                let occupied = table.slots.iter().filter(|slot| !slot.is_free(table.generation)).count();
                assert!(table.used.load(Ordering::Relaxed) >= occupied, "it would fill up unnoticed");
                let known = (1..=last).filter(|number| is_known(&table, *number)).count();
                assert!(stop_after < usize::MAX || known * 3 > occupied * 2, "{known} of {occupied}");
                next = last + 1;
            }
        }
    }

    #[test]
    fn nothing_is_known_after_clearing_also_if_that_was_stopped() {
        let mut table = Table::new(Table::FIRST * size_of::<Slot>(), false).unwrap();
        for round in 0..100u64 {
            let numbers = round * 100..round * 100 + 100;
            fill(&table, numbers.clone());
            assert!(numbers.clone().all(|number| is_known(&table, number)));
            table.clear(&|| round % 3 == 0);
            assert!((0..numbers.end).all(|number| !is_known(&table, number)), "{round}");
        }
    }
}

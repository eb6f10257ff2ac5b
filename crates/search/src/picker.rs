//! Staged move ordering: hands out moves one by one, best ranks first, and generates each stage only when it is needed.

use crate::history::{History, QuietRanks, Rows, Sums};
use crate::parameters as p;
use game::{DropBatch, MoveSet, Promotions, Searchable};
use std::cmp::Reverse;
use std::ops::{Deref, DerefMut, Range};

/// A move with its rank; larger ranks come first.
pub(crate) type Ranked<M> = (i32, M);

/// Move lists, kept to reuse their memory; boxed because they are passed on at every node.
pub(crate) struct Buffers<P: Searchable>(Box<Lists<P>>);

pub(crate) struct Lists<P: Searchable> {
    moves: Vec<Ranked<P::Move>>,
    /// Captures that lose material, for a later stage.
    bad_captures: Vec<P::Move>,
    /// Quiet moves outside batches, for a later stage.
    other_quiets: Vec<Ranked<P::Move>>,
    /// Batches of drops; the first [`Picker::batch_count`] belong to the node.
    batches: Vec<RankedBatch<P>>,
}

/// A batch of drops with the sums that rank them.
struct RankedBatch<P: Searchable> {
    batch: P::Drops,
    /// A bit for each place whose drop has not been handed out.
    left: u128,
    sums: Sums,
}

impl<P: Searchable> RankedBatch<P> {
    /// Moves the remaining drops with at least this sum to a list.
    #[inline]
    fn take(&mut self, least: i16, moves: &mut Vec<Ranked<P::Move>>) {
        let found = self.sums.at_least(least) & self.left;
        for_each_bit(found, |place| {
            moves.push((QuietRanks::<P>::of_sum(self.sums.get(place)), self.batch.drop_at(place)));
        });
        self.left &= !found;
    }
}

impl<P: Searchable> Default for Buffers<P> {
    fn default() -> Self {
        Self(Box::new(Lists {
            moves: Vec::new(),
            bad_captures: Vec::new(),
            other_quiets: Vec::new(),
            batches: Vec::new(),
        }))
    }
}

impl<P: Searchable> Deref for Buffers<P> {
    type Target = Lists<P>;

    #[inline]
    fn deref(&self) -> &Lists<P> {
        &self.0
    }
}

impl<P: Searchable> DerefMut for Buffers<P> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Lists<P> {
        &mut self.0
    }
}

/// The set of moves that a node needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// All of them.
    All { depth: i32 },
    /// Captures only.
    Captures,
    /// Captures that win at least `threshold`.
    Gains { threshold: i32 },
    /// Answers to a check.
    Evasions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    MakeQuiets,
    GoodQuiets,
    MakeFairQuiets,
    FairQuiets,
    BadCaptures,
    MakeBadQuiets,
    BadQuiets,
    MakeEvasions,
    Rest,
    Done,
}

/// Hands out the moves of one node.
pub(crate) struct Picker<P: Searchable> {
    purpose: Purpose,
    stage: Stage,
    table_move: Option<P::Move>,
    promotions: Promotions,
    rows: Rows,
    buffers: Buffers<P>,
    next: usize,
    /// The moves that have not been sorted yet, up to the limit of the stage.
    unsorted: Range<usize>,
    next_bad_capture: usize,
    /// How many of [`Lists::batches`] belong to the node.
    batch_count: usize,
    skip_quiets: bool,
}

impl<P: Searchable> Picker<P> {
    fn new(
        purpose: Purpose,
        table_move: Option<P::Move>,
        rows: Rows,
        promotions: Promotions,
        buffers: Buffers<P>,
    ) -> Self {
        let stage = if table_move.is_some() { Stage::Table } else { Self::first_stage(purpose) };
        let mut picker = Self {
            purpose,
            stage,
            table_move,
            promotions,
            rows,
            buffers,
            next: 0,
            unsorted: 0..0,
            next_bad_capture: 0,
            batch_count: 0,
            skip_quiets: false,
        };
        picker.buffers.moves.clear();
        picker.buffers.bad_captures.clear();
        picker
    }

    fn first_stage(purpose: Purpose) -> Stage {
        if purpose == Purpose::Evasions { Stage::MakeEvasions } else { Stage::MakeCaptures }
    }

    /// All moves of a node.
    pub(crate) fn all(
        position: &P,
        depth: i32,
        table_move: Option<P::Move>,
        rows: Rows,
        promotions: Promotions,
        buffers: Buffers<P>,
    ) -> Self {
        let purpose = if position.in_check() { Purpose::Evasions } else { Purpose::All { depth } };
        Self::new(purpose, table_move, rows, promotions, buffers)
    }

    /// Moves of the quiescence search: captures, or all answers to a check.
    pub(crate) fn forcing(
        position: &P,
        table_move: Option<P::Move>,
        rows: Rows,
        promotions: Promotions,
        buffers: Buffers<P>,
    ) -> Self {
        if position.in_check() {
            return Self::new(Purpose::Evasions, table_move, rows, promotions, buffers);
        }
        let table_move = table_move.filter(|m| position.is_capture(*m));
        Self::new(Purpose::Captures, table_move, rows, promotions, buffers)
    }

    /// Captures that win at least `threshold`.
    pub(crate) fn gains(
        position: &P,
        threshold: i32,
        table_move: Option<P::Move>,
        rows: Rows,
        promotions: Promotions,
        buffers: Buffers<P>,
    ) -> Self {
        let good = |m: &P::Move| position.is_capture(*m) && position.exchange_at_least(*m, threshold);
        Self::new(Purpose::Gains { threshold }, table_move.filter(good), rows, promotions, buffers)
    }

    /// Gives the buffers back for the next node.
    pub(crate) fn into_buffers(self) -> Buffers<P> {
        self.buffers
    }

    /// Leaves out quiet moves from now on, except as answers to a check.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move. `checks` must be those of the position; only [`Picker::all`] uses it.
    #[inline(always)]
    pub(crate) fn next(&mut self, position: &P, history: &History<P>, checks: &P::Checks) -> Option<P::Move> {
        // The most frequent case: a list that is already sorted.
        if self.stage == Stage::GoodQuiets && !self.skip_quiets && self.next < self.unsorted.start {
            let (_, m) = self.buffers.moves[self.next];
            self.next += 1;
            if Some(m) != self.table_move {
                return Some(m);
            }
        }
        self.next_by_stage(position, history, checks)
    }

    #[inline(never)]
    fn next_by_stage(&mut self, position: &P, history: &History<P>, checks: &P::Checks) -> Option<P::Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Self::first_stage(self.purpose);
                    return self.table_move;
                }
                Stage::MakeCaptures => {
                    self.make_captures(position, history);
                    self.stage = match self.purpose {
                        Purpose::All { .. } => Stage::GoodCaptures,
                        _ => Stage::Rest,
                    };
                }
                Stage::GoodCaptures => match self.take() {
                    Some((rank, m)) if position.exchange_at_least(m, -rank / p::good_capture_divisor()) => {
                        return Some(m);
                    }
                    Some((_, m)) => self.buffers.bad_captures.push(m),
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    self.buffers.moves.clear();
                    self.unsorted = 0..0;
                    if let (Purpose::All { depth }, false) = (self.purpose, self.skip_quiets) {
                        self.make_quiets(position, history, depth, checks);
                    }
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => match self.take() {
                    Some((_, m)) if !self.skip_quiets => return Some(m),
                    _ => self.stage = Stage::MakeFairQuiets,
                },
                Stage::MakeFairQuiets => {
                    if let (Purpose::All { depth }, false) = (self.purpose, self.skip_quiets) {
                        self.make_fair_quiets(depth);
                    }
                    self.stage = Stage::FairQuiets;
                }
                Stage::FairQuiets => match self.take() {
                    Some((_, m)) if !self.skip_quiets => return Some(m),
                    _ => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    self.next_bad_capture += 1;
                    match self.buffers.bad_captures.get(self.next_bad_capture - 1) {
                        Some(&m) => return Some(m),
                        None => self.stage = Stage::MakeBadQuiets,
                    }
                }
                Stage::MakeBadQuiets => {
                    if let (Purpose::All { depth }, false) = (self.purpose, self.skip_quiets) {
                        self.make_bad_quiets(depth);
                    }
                    self.stage = Stage::BadQuiets;
                }
                Stage::BadQuiets => match self.take() {
                    Some((_, m)) if !self.skip_quiets => return Some(m),
                    _ => self.stage = Stage::Done,
                },
                Stage::MakeEvasions => {
                    self.make_evasions(position, history);
                    self.stage = Stage::Rest;
                }
                Stage::Rest => match self.take() {
                    Some((_, m)) => match self.purpose {
                        Purpose::Gains { threshold } if !position.exchange_at_least(m, threshold) => {}
                        _ => return Some(m),
                    },
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    #[inline(never)]
    fn make_captures(&mut self, position: &P, history: &History<P>) {
        self.fill(position, MoveSet::Captures, |m| {
            p::capture_rank_value() * position.capture_value(m)
                + history.capture(position.history_slot(m), position.captured_slot(m))
                + position.rank_offset(m)
        });
        self.sort_all();
    }

    /// Ranks captures before other answers to a check.
    #[inline(never)]
    fn make_evasions(&mut self, position: &P, history: &History<P>) {
        let rows = self.rows;
        self.fill(position, MoveSet::Evasions, |m| {
            let rank = if position.is_capture(m) {
                position.capture_value(m) + (1 << 28)
            } else {
                history.evasion_rank(position.history_slot(m), position.butterfly_slot(m), &rows)
            };
            rank + position.rank_offset(m)
        });
        self.sort_all();
    }

    /// Ranks the quiet moves, safe checks first, and sorts the good ones.
    #[inline(never)]
    fn make_quiets(&mut self, position: &P, history: &History<P>, depth: i32, checks: &P::Checks) {
        let ranks = history.quiet_ranks(&self.rows);
        let good = good_quiet_limit(depth);
        let is_safe = |m| position.exchange_at_least(m, -p::quiet_check_loss());
        let mut generated = P::Moves::default();
        P::Drops::generate_others(position, self.promotions, &mut generated);
        let rank = |m| {
            let (slot, gives_check) = P::Drops::slot_and_check(position, checks, m);
            let bonus = if gives_check && is_safe(m) { p::quiet_check_bonus() } else { 0 };
            ranks.rank(slot, position.butterfly_slot(m)) + position.rank_offset(m) + bonus
        };
        let Lists { moves, other_quiets, batches, .. } = &mut *self.buffers;
        split_ranked(&generated, rank, good, [moves, other_quiets]);
        let least = QuietRanks::<P>::least_sum(good);
        self.batch_count = 0;
        for batch in P::Drops::batches(position) {
            if batches.len() == self.batch_count {
                batches.push(RankedBatch { batch, left: 0, sums: Sums::ZERO });
            }
            let ranked = &mut batches[self.batch_count];
            self.batch_count += 1;
            ranked.batch = batch;
            ranked.left = batch.legal();
            ranks.sum_batch(&batch, &mut ranked.sums);
            for_each_bit(batch.checks(checks) & ranked.left, |place| {
                if is_safe(batch.drop_at(place)) {
                    ranked.sums.raise(place, p::quiet_check_bonus());
                }
            });
            ranked.take(least, moves);
        }
        self.next = 0;
        self.sort_all();
    }

    /// Sorts the quiet moves that are neither good nor bad; most nodes do not reach them.
    #[inline(never)]
    fn make_fair_quiets(&mut self, depth: i32) {
        let fair = fair_quiet_limit();
        let Lists { moves, other_quiets, batches, .. } = &mut *self.buffers;
        moves.clear();
        if fair < good_quiet_limit(depth) {
            moves.extend(other_quiets.extract_if(.., |(rank, _)| *rank >= fair));
            let least = QuietRanks::<P>::least_sum(fair);
            batches[..self.batch_count].iter_mut().for_each(|batch| batch.take(least, moves));
        }
        self.next = 0;
        self.sort_all();
    }

    /// Sorts the remaining quiet moves.
    #[inline(never)]
    fn make_bad_quiets(&mut self, depth: i32) {
        let Lists { moves, other_quiets, batches, .. } = &mut *self.buffers;
        std::mem::swap(moves, other_quiets);
        batches[..self.batch_count].iter_mut().for_each(|batch| batch.take(i16::MIN, moves));
        self.next = 0;
        self.sort(quiet_sort_limit(depth));
    }

    /// Generates moves and ranks them.
    fn fill(&mut self, position: &P, set: MoveSet, rank: impl Fn(P::Move) -> i32) {
        let mut generated = P::Moves::default();
        position.generate(set, self.promotions, &mut generated);
        self.buffers.moves.clear();
        self.buffers.moves.extend(generated.iter().map(|m| (rank(*m), *m)));
        self.next = 0;
    }

    /// Brings the moves that rank at least `limit` to the front; returns where they end.
    fn gather(&mut self, limit: i32) -> usize {
        let moves = &mut self.buffers.moves;
        let mut end = 0;
        for i in 0..moves.len() {
            // Branchless, as the branch is unpredictable: moves that rank too low swap among themselves.
            let enough = moves[i].0 >= limit;
            moves.swap(end, i);
            end += usize::from(enough);
        }
        end
    }

    /// Sorts the moves that rank at least `limit` to the front.
    fn sort(&mut self, limit: i32) {
        let end = self.gather(limit);
        self.sort_first(end);
    }

    fn sort_all(&mut self) {
        self.sort_first(self.buffers.moves.len());
    }

    /// Sorts the moves up to `end`. Of a long list only the first few are ordered now: they mostly settle the node.
    fn sort_first(&mut self, end: usize) {
        let moves = &mut self.buffers.moves[..end];
        let mut front = moves.len();
        if front > 2 * FRONT {
            front = FRONT;
            moves.select_nth_unstable_by_key(front, |(rank, _)| Reverse(*rank));
        }
        moves[..front].sort_unstable_by_key(|(rank, _)| Reverse(*rank));
        self.unsorted = front..end;
    }

    /// The next move other than the table's, which came first.
    #[inline]
    fn take(&mut self) -> Option<Ranked<P::Move>> {
        loop {
            if self.next == self.unsorted.start && !self.unsorted.is_empty() {
                let rest = std::mem::take(&mut self.unsorted);
                self.buffers.moves[rest].sort_unstable_by_key(|(rank, _)| Reverse(*rank));
            }
            let ranked = *self.buffers.moves.get(self.next)?;
            self.next += 1;
            if Some(ranked.1) != self.table_move {
                return Some(ranked);
            }
        }
    }
}

/// Ranks moves and splits them: those that rank at least `limit` go to one list, the others to another.
///
/// Branchless, because the branch is unpredictable.
#[inline(always)]
fn split_ranked<M: Copy>(
    moves: &[M],
    rank: impl Fn(M) -> i32,
    limit: i32,
    [good, bad]: [&mut Vec<Ranked<M>>; 2],
) {
    let [mut good_end, mut bad_end] = [&mut *good, &mut *bad].map(|list| {
        list.clear();
        list.reserve(moves.len());
        list.as_mut_ptr()
    });
    for &m in moves {
        let ranked = (rank(m), m);
        let enough = ranked.0 >= limit;
        // SAFETY: each list has room for all the moves, and each of them makes one list longer by one.
        unsafe {
            std::hint::select_unpredictable(enough, good_end, bad_end).write(ranked);
            good_end = good_end.add(usize::from(enough));
            bad_end = bad_end.add(usize::from(!enough));
        }
    }
    // SAFETY: the ends are within their lists, and what is before them has been written.
    unsafe {
        good.set_len(good_end.offset_from_unsigned(good.as_ptr()));
        bad.set_len(bad_end.offset_from_unsigned(bad.as_ptr()));
    }
}

/// Calls `visit` with the index of each set bit.
#[inline(always)]
fn for_each_bit(bits: u128, mut visit: impl FnMut(usize)) {
    for (first, mut word) in [(0, bits as u64), (64, (bits >> 64) as u64)] {
        while word != 0 {
            visit(first + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// Number of moves that are sorted at first.
const FRONT: usize = 12;

/// Quiet moves of at least this rank come first, sorted.
fn good_quiet_limit(depth: i32) -> i32 {
    quiet_sort_limit(depth).max(fair_quiet_limit())
}

/// Quiet moves of at least this rank come before captures that lose material.
fn fair_quiet_limit() -> i32 {
    1 - p::good_quiet_threshold()
}

/// Quiet moves of at least this rank are sorted.
fn quiet_sort_limit(depth: i32) -> i32 {
    -p::quiet_sort_per_depth() * depth
}

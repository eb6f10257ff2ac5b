//! Histories of one thread: statistics of moves for ordering and reductions, and the continuation correction history.
//! Correction histories that threads share are in [`crate::correction_history`].

use crate::parameters::{
    self as p, BUTTERFLY_MAX, CAPTURE_MAX, CAPTURE_START, CONTINUATION_CORRECTION_START, CONTINUATION_MAX,
    CONTINUATION_START, CORRECTION_MAX, LOW_PLY_START, PAWN_MAX, PAWN_START, TABLE_MOVE_MAX,
};
use game::{DropBatch, Searchable, Structure};
use platform::memory::Zeroed;
use platform::prefetch;
use std::io;
use std::marker::PhantomData;

/// A table of numbers between `-MAX` and `MAX` with gravity: bonuses shrink near the bound. The initial value `START`
/// is stored as zero, because memory fresh from the system is zero and costs nothing until it is touched.
pub(crate) struct HistoryTable<const MAX: i32, const START: i32> {
    numbers: Zeroed<i16>,
    /// For each [`BLOCK`] of numbers, whether one has changed since the last reset: a short game changes few of many
    /// millions.
    changed: Vec<bool>,
    /// Whether the system has allocated all of the memory.
    is_allocated: bool,
}

/// Numbers that are reset together.
const BLOCK: usize = 1 << 11;

impl<const MAX: i32, const START: i32> HistoryTable<MAX, START> {
    fn new(count: usize) -> io::Result<Self> {
        let changed = vec![false; count.div_ceil(BLOCK)];
        Ok(Self { numbers: Zeroed::new(count, true)?, changed, is_allocated: false })
    }

    /// Resets all numbers to `START`, and makes the system allocate the memory.
    fn reset(&mut self) {
        if self.is_allocated {
            for (block, changed) in self.numbers.chunks_mut(BLOCK).zip(&self.changed) {
                if *changed {
                    block.fill(0);
                }
            }
        } else {
            self.numbers.clear(1);
            self.is_allocated = true;
        }
        self.changed.fill(false);
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> i32 {
        i32::from(self.numbers[index]) + START
    }

    /// Adds `bonus` with gravity.
    #[inline]
    pub(crate) fn add(&mut self, index: usize, bonus: i32) {
        self.changed[index / BLOCK] = true;
        let entry = &mut self.numbers[index];
        let value = i32::from(*entry) + START;
        let bonus = bonus.clamp(-MAX, MAX);
        *entry = (value + bonus - value * bonus.abs() / MAX - START) as i16;
    }
}

/// A move's indices in the histories: its history slot, its butterfly slot, and the captured slot plus one.
///
/// Packed into one word, because every move of a path is stored and read back at once: copying several fields that were
/// just written would stall on store forwarding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveTag(u64);

impl MoveTag {
    const SLOT_BITS: u32 = 24;
    const SLOTS: usize = 1 << Self::SLOT_BITS;
    const CAPTURED: usize = 1 << (64 - 2 * Self::SLOT_BITS);

    #[inline]
    pub(crate) fn new(slot: usize, butterfly_slot: usize, captured: Option<usize>) -> Self {
        debug_assert!(
            slot.max(butterfly_slot) < Self::SLOTS && captured.is_none_or(|sort| sort + 1 < Self::CAPTURED)
        );
        let captured = captured.map_or(0, |sort| sort as u64 + 1);
        Self(slot as u64 | (butterfly_slot as u64) << Self::SLOT_BITS | captured << (2 * Self::SLOT_BITS))
    }

    /// [`Searchable::history_slot`].
    #[inline]
    pub(crate) fn slot(self) -> usize {
        self.0 as usize % Self::SLOTS
    }

    /// [`Searchable::butterfly_slot`].
    #[inline]
    pub(crate) fn butterfly(self) -> usize {
        (self.0 >> Self::SLOT_BITS) as usize % Self::SLOTS
    }

    /// [`Searchable::captured_slot`] of a capture.
    #[inline]
    pub(crate) fn captured(self) -> Option<usize> {
        ((self.0 >> (2 * Self::SLOT_BITS)) as usize).checked_sub(1)
    }
}

/// The rows in which a node's moves are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// Continuation rows of the last moves, the latest first; see [`History::continuation_row`].
    pub(crate) continuations: [usize; 6],
    /// The row of the pawn structure.
    pub(crate) pawns: usize,
    pub(crate) ply: usize,
}

/// The histories of one thread.
pub(crate) struct History<P: Searchable> {
    pub(crate) butterfly: HistoryTable<BUTTERFLY_MAX, 0>,
    /// By ply and butterfly slot, near the root only; reset before each search.
    low_ply: HistoryTable<BUTTERFLY_MAX, LOW_PLY_START>,
    /// By slot and what is captured.
    captures: HistoryTable<CAPTURE_MAX, CAPTURE_START>,
    /// By an earlier move and the move itself.
    pub(crate) continuations: HistoryTable<CONTINUATION_MAX, CONTINUATION_START>,
    /// By the pawns and the move.
    pub(crate) pawns: HistoryTable<PAWN_MAX, PAWN_START>,
    /// Error of the evaluation by two moves.
    continuation_correction: HistoryTable<CORRECTION_MAX, CONTINUATION_CORRECTION_START>,
    /// How often the table's move turned out to be the best.
    table_move: HistoryTable<TABLE_MOVE_MAX, 0>,
    game: PhantomData<fn() -> P>,
}

/// The row used where there was no move.
pub(crate) const NO_MOVE: usize = 0;
const LOW_PLIES: usize = 5;
/// Weights of [`History::low_ply`] in a rank, decreasing with the ply, in 32768ths of a [`RANK_UNIT_LOG2`].
const LOW_PLY_WEIGHTS: [i16; LOW_PLIES] = [i16::MAX, i16::MAX / 2, i16::MAX / 3, i16::MAX / 4, i16::MAX / 5];
const PAWN_ROWS: usize = 8192;

/// Weights of continuation-history updates by distance in plies, in 1024ths. In check only the nearest two are updated.
#[inline(always)]
fn continuation_weights() -> [(usize, i32); 6] {
    [
        (1, p::continuation_1()),
        (2, p::continuation_2()),
        (3, p::continuation_3()),
        (4, p::continuation_4()),
        (5, p::continuation_5()),
        (6, p::continuation_6()),
    ]
}

impl<P: Searchable> History<P> {
    /// Fails if there is not enough memory.
    pub(crate) fn new() -> io::Result<Self> {
        const {
            assert!(P::HISTORY_SLOTS < MoveTag::SLOTS && P::BUTTERFLY_SLOTS < MoveTag::SLOTS);
            assert!(P::CAPTURED_SLOTS < MoveTag::CAPTURED);
        }
        let rows = P::HISTORY_SLOTS + 1;
        Ok(Self {
            butterfly: HistoryTable::new(P::BUTTERFLY_SLOTS)?,
            low_ply: HistoryTable::new(LOW_PLIES * P::BUTTERFLY_SLOTS)?,
            captures: HistoryTable::new(P::HISTORY_SLOTS * P::CAPTURED_SLOTS)?,
            continuations: HistoryTable::new(4 * rows * P::HISTORY_SLOTS)?,
            pawns: HistoryTable::new(PAWN_ROWS * P::HISTORY_SLOTS)?,
            continuation_correction: HistoryTable::new(rows * P::HISTORY_SLOTS)?,
            table_move: HistoryTable::new(1)?,
            game: PhantomData,
        })
    }

    /// Resets all histories.
    pub(crate) fn clear(&mut self) {
        self.butterfly.reset();
        self.low_ply.reset();
        self.captures.reset();
        self.continuations.reset();
        self.pawns.reset();
        self.continuation_correction.reset();
        self.table_move.reset();
    }

    /// Prefetches continuation corrections; `rows` and `slot` as for [`History::correction`].
    #[inline]
    pub(crate) fn prefetch(&self, rows: [usize; 2], slot: usize) {
        for row in rows {
            prefetch(&self.continuation_correction.numbers[row + slot]);
        }
    }

    /// Prepares a new search.
    pub(crate) fn begin(&mut self) {
        self.low_ply.reset();
    }

    /// The continuation row of a move, made in check or not; without a move a row of its own.
    pub(crate) fn continuation_row(before: Option<MoveTag>, in_check: bool) -> usize {
        let (kind, slot) = before.map_or((0, 0), |before| {
            (usize::from(in_check) * 2 + usize::from(before.captured().is_some()), before.slot() + 1)
        });
        (kind * (P::HISTORY_SLOTS + 1) + slot) * P::HISTORY_SLOTS
    }

    /// The continuation-correction row of a move.
    pub(crate) fn correction_row(before: Option<MoveTag>) -> usize {
        before.map_or(0, |before| before.slot() + 1) * P::HISTORY_SLOTS
    }

    pub(crate) fn pawn_row(structure: &Structure) -> usize {
        structure[0] as usize % PAWN_ROWS * P::HISTORY_SLOTS
    }

    /// Ranks the quiet moves of a node.
    pub(crate) fn quiet_ranks(&self, rows: &Rows) -> QuietRanks<'_, P> {
        let row = |start: usize| &self.continuations.numbers[start..start + P::HISTORY_SLOTS];
        let [one, two, three, four, _, six] = rows.continuations;
        let low_ply = (rows.ply < LOW_PLIES).then(|| {
            let start = rows.ply * P::BUTTERFLY_SLOTS;
            (&self.low_ply.numbers[start..start + P::BUTTERFLY_SLOTS], LOW_PLY_WEIGHTS[rows.ply])
        });
        QuietRanks {
            butterfly: &self.butterfly.numbers[..P::BUTTERFLY_SLOTS],
            pawns: &self.pawns.numbers[rows.pawns..rows.pawns + P::HISTORY_SLOTS],
            continuations: [one, two, three, four, six].map(row),
            low_ply,
            game: PhantomData,
        }
    }

    /// The rank of a quiet evasion.
    #[inline]
    pub(crate) fn evasion_rank(&self, slot: usize, butterfly_slot: usize, rows: &Rows) -> i32 {
        self.butterfly.get(butterfly_slot) + self.continuations.get(rows.continuations[0] + slot)
    }

    /// The continuation histories of the latest two moves.
    #[inline]
    pub(crate) fn after_two(&self, slot: usize, rows: &Rows) -> i32 {
        self.continuations.get(rows.continuations[0] + slot)
            + self.continuations.get(rows.continuations[1] + slot)
    }

    #[inline]
    pub(crate) fn capture(&self, slot: usize, captured: usize) -> i32 {
        self.captures.get(slot * P::CAPTURED_SLOTS + captured)
    }

    pub(crate) fn add_capture(&mut self, slot: usize, captured: usize, bonus: i32) {
        self.captures.add(slot * P::CAPTURED_SLOTS + captured, bonus);
    }

    /// Adds a bonus (or malus) to all histories of a quiet move.
    pub(crate) fn add_quiet(&mut self, m: MoveTag, rows: &Rows, in_check: bool, bonus: i32) {
        self.butterfly.add(m.butterfly(), bonus);
        if rows.ply < LOW_PLIES {
            self.low_ply
                .add(rows.ply * P::BUTTERFLY_SLOTS + m.butterfly(), bonus * p::low_ply_share() / 1024);
        }
        self.add_continuations(
            m.slot(),
            &rows.continuations,
            in_check,
            bonus * p::continuation_share() / 1024,
        );
        let part = if bonus > 0 { p::pawn_bonus_share() } else { p::pawn_malus_share() };
        self.pawns.add(rows.pawns + m.slot(), bonus * part / 1024);
    }

    /// Adds a bonus to the continuation histories only.
    pub(crate) fn add_continuations(&mut self, slot: usize, rows: &[usize; 6], in_check: bool, bonus: i32) {
        for (back, weight) in continuation_weights() {
            if in_check && back > 2 {
                break;
            }
            let row = rows[back - 1];
            if row != NO_MOVE {
                self.continuations.add(
                    row + slot,
                    bonus * weight / 1024 + if back == 1 { p::continuation_offset() } else { 0 },
                );
            }
        }
    }

    /// The continuation correction in 131072ths; `moves` has the rows of earlier moves and the last move's slot.
    #[inline]
    pub(crate) fn correction(&self, moves: Option<([usize; 2], usize)>) -> i32 {
        let after = moves.map_or(p::correction_after_null_move(), |(rows, slot)| {
            rows.iter().map(|row| self.continuation_correction.get(row + slot)).sum()
        });
        p::correction_continuation_weight() * after
    }

    /// Adds a bonus to the continuation corrections.
    pub(crate) fn add_correction(&mut self, (rows, slot): ([usize; 2], usize), bonus: i32) {
        let weights = [p::correction_continuation_bonus_1(), p::correction_continuation_bonus_2()];
        for (row, weight) in rows.into_iter().zip(weights) {
            self.continuation_correction.add(row + slot, bonus * weight / 128);
        }
    }

    /// The success of the table's moves.
    pub(crate) fn table_move(&self) -> i32 {
        self.table_move.get(0)
    }

    pub(crate) fn add_table_move(&mut self, bonus: i32) {
        self.table_move.add(0, bonus);
    }
}

/// The rows that rank the quiet moves of a node, looked up once for all of them.
pub(crate) struct QuietRanks<'a, P> {
    /// Has [`Searchable::BUTTERFLY_SLOTS`] entries, the others have [`Searchable::HISTORY_SLOTS`].
    butterfly: &'a [i16],
    pawns: &'a [i16],
    continuations: [&'a [i16]; 5],
    /// The low-ply row and its weight.
    low_ply: Option<(&'a [i16], i16)>,
    game: PhantomData<fn() -> P>,
}

/// The sums of the drops of a batch, by place.
#[derive(Clone)]
pub(crate) struct Sums([i16; Self::PLACES]);

impl Sums {
    const PLACES: usize = 96;
    pub(crate) const ZERO: Self = Self([0; Self::PLACES]);

    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> i16 {
        self.0[place]
    }

    /// Raises a sum by a rank.
    #[inline]
    pub(crate) fn raise(&mut self, place: usize, rank: i32) {
        let sum = &mut self.0[place];
        *sum = sum.saturating_add((rank >> RANK_UNIT_LOG2).clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    }

    /// A bit for each place whose sum is at least `sum`.
    #[inline(always)]
    pub(crate) fn at_least(&self, sum: i16) -> u128 {
        let mut bits = 0;
        for (block, sums) in self.0.as_chunks::<16>().0.iter().enumerate() {
            bits |= u128::from(at_least(sums, sum)) << (16 * block);
        }
        bits
    }
}

/// A bit for each number that is at least `least`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn at_least(numbers: &[i16; 16], least: i16) -> u16 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpgt_epi16, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16, _mm_set1_epi16,
    };
    let pointer: *const __m128i = numbers.as_ptr().cast();
    // SAFETY: SSE2 is part of x86-64, and the array has 32 bytes.
    unsafe {
        let least = _mm_set1_epi16(least);
        let below = |half| _mm_cmpgt_epi16(least, _mm_loadu_si128(pointer.add(half)));
        !(_mm_movemask_epi8(_mm_packs_epi16(below(0), below(1))) as u16)
    }
}

/// The same without vectors.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn at_least(numbers: &[i16; 16], least: i16) -> u16 {
    (0..16).fold(0, |bits, place| bits | u16::from(numbers[place] >= least) << place)
}

/// Ranks are computed in units of this power of 2, so that they fit 16 bits, eight to a register.
const RANK_UNIT_LOG2: u32 = 3;
/// The initial sum of a rank's histories.
const START: i32 = 2 * PAWN_START + 5 * CONTINUATION_START;
/// The average error of rounding them all down.
const ROUNDING: i32 = 24;

impl<P: Searchable> QuietRanks<'_, P> {
    /// Sums the histories of each drop of a batch; [`QuietRanks::of_sum`] converts sums to ranks.
    #[inline(always)]
    pub(crate) fn sum_batch(&self, batch: &P::Drops, sums: &mut Sums) {
        let [slot, butterfly_slot] = [batch.history_slot(), batch.butterfly_slot()];
        let len = P::Drops::PLACES;
        let sums = &mut sums.0[..len];
        let butterfly = &self.butterfly[butterfly_slot..][..len];
        let pawns = &self.pawns[slot..][..len];
        let [one, two, three, four, six] = self.continuations.map(|row| &row[slot..][..len]);
        for i in 0..len {
            let after = [one[i], two[i], three[i], four[i], six[i]];
            sums[i] = Self::sum(butterfly[i], pawns[i], after);
        }
        if let Some((low_ply, weight)) = self.low_ply {
            let near = &low_ply[butterfly_slot..][..len];
            sums.iter_mut().zip(near).for_each(|(sum, near)| *sum += Self::near(*near, weight));
        }
    }

    /// The rank of a quiet move.
    #[inline(always)]
    pub(crate) fn rank(&self, slot: usize, butterfly_slot: usize) -> i32 {
        assert!(
            slot < P::HISTORY_SLOTS && butterfly_slot < P::BUTTERFLY_SLOTS,
            "slots are within their bounds"
        );
        // SAFETY: `History::quiet_ranks` made rows of just these lengths.
        let at = |row: &[i16], index: usize| unsafe { *row.get_unchecked(index) };
        let doubled = i32::from(at(self.butterfly, butterfly_slot)) + i32::from(at(self.pawns, slot));
        let [one, two, three, four, six] = self.continuations.map(|row| i32::from(at(row, slot)));
        let near =
            self.low_ply.map_or(0, |(low_ply, weight)| Self::near(at(low_ply, butterfly_slot), weight));
        START + 2 * doubled + one + two + three + four + six + (i32::from(near) << RANK_UNIT_LOG2)
    }

    /// The rank of a 16-bit sum.
    #[inline(always)]
    pub(crate) fn of_sum(sum: i16) -> i32 {
        START + ROUNDING + (i32::from(sum) << RANK_UNIT_LOG2)
    }

    /// The least sum with a rank of at least `rank`.
    pub(crate) fn least_sum(rank: i32) -> i16 {
        let above_start = i64::from(rank) - i64::from(Self::of_sum(0));
        let sum = -((-above_start) >> RANK_UNIT_LOG2);
        sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }

    /// The weighted sum of the histories, in [`RANK_UNIT_LOG2`].
    #[inline(always)]
    fn sum(butterfly_slot: i16, pawns: i16, after: [i16; 5]) -> i16 {
        // Each summand fills less than 15 bits, the sum after moves less than 16.
        let doubled = (butterfly_slot >> (RANK_UNIT_LOG2 - 1)) + (pawns >> (RANK_UNIT_LOG2 - 1));
        after.iter().fold(doubled, |sum, number| sum + (number >> RANK_UNIT_LOG2))
    }

    /// The weighted low-ply history: the upper half of a product, which processors compute for many numbers at once.
    #[inline(always)]
    fn near(number: i16, weight: i16) -> i16 {
        ((i32::from(2 * (number + LOW_PLY_START as i16)) * i32::from(weight)) >> 16) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_found_by_their_size() {
        let mut sums = Sums::ZERO;
        for place in 0..Sums::PLACES {
            sums.raise(place, ((place as i32 * 37) % 101 - 50) << RANK_UNIT_LOG2);
        }
        for least in [i16::MIN, -50, -1, 0, 7, 50, 51, i16::MAX] {
            let found = sums.at_least(least);
            for place in 0..Sums::PLACES {
                assert_eq!(found >> place & 1 == 1, sums.get(place) >= least, "{place} {least}");
            }
        }
    }

    #[test]
    fn least_sums_have_the_least_ranks() {
        type Ranks<'a> = QuietRanks<'a, shogi::Position>;
        for rank in [-20_000, -13_999, START - 1, START, START + 1, -1, 0, 1, 9000] {
            let sum = Ranks::least_sum(rank);
            assert!(Ranks::of_sum(sum) >= rank && Ranks::of_sum(sum - 1) < rank, "{rank}");
        }
        assert_eq!(Ranks::least_sum(i32::MIN), i16::MIN);
    }

    #[test]
    fn statistics_stay_bounded() {
        let mut numbers = HistoryTable::<16_384, -100>::new(1).unwrap();
        assert_eq!(numbers.get(0), -100);
        (0..1000).for_each(|_| numbers.add(0, 2000));
        assert!((14_000..=16_384).contains(&numbers.get(0)));
        (0..1000).for_each(|_| numbers.add(0, -i32::MAX / 2));
        assert!((-16_384..-14_000).contains(&numbers.get(0)));
    }
}

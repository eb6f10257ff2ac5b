//! Successors of a position, each once: moves that leave the same stones and locks are merged.

use crate::moves::Gate;
use crate::state::{State, rotated};
use crate::targets::{Target, TargetSet};
use crate::way::{Bits, FILES, RANKS, Way, Ways};
use std::ops::ControlFlow;

/// The filled rectangle: files and ranks from first to last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rectangle {
    pub(crate) files: (u8, u8),
    pub(crate) ranks: (u8, u8),
}

impl Rectangle {
    /// The rectangle that the stones fill; `None` if they do not fill one.
    pub(crate) fn of(state: &State) -> Option<Self> {
        let occupied = state.occupied;
        if occupied == 0 {
            return None;
        }
        let rectangle = Self::around(occupied);
        (rectangle.squares() == occupied).then_some(rectangle)
    }

    /// The rectangle of stones that are known to fill one.
    #[inline]
    pub(crate) fn around(occupied: Bits) -> Self {
        let first = occupied.trailing_zeros() as u8;
        let last = 63 - occupied.leading_zeros() as u8;
        // In a rectangle the first stone is the upper left corner, the last one the lower right corner.
        Self { files: (first & 7, last & 7), ranks: (first >> 3, last >> 3) }
    }

    pub(crate) fn squares(self) -> Bits {
        let files = Way::all().filter(|way| way.is_file());
        let ranks = Way::all().filter(|way| !way.is_file());
        let side = |ways: &mut dyn Iterator<Item = Way>, (first, last): (u8, u8)| {
            let inside = |(i, _): &(u8, Way)| (first..=last).contains(i);
            (0..).zip(ways).filter(inside).fold(0, |bits, (_, way)| bits | way.mask())
        };
        side(&mut files.into_iter(), self.files) & side(&mut ranks.into_iter(), self.ranks)
    }

    /// An upper bound of the remaining moves.
    #[inline]
    pub(crate) fn moves_left(self, state: &State) -> u32 {
        let lines = self.files.1 - self.files.0 + 1 + self.ranks.1 - self.ranks.0 + 1;
        u32::from(FILES + RANKS - lines) + Way::COUNT as u32 - state.locks.len()
    }
}

/// Indices below 128 of the patterns of stones on a way.
#[inline]
fn pattern(way: Way, stones: Bits) -> u32 {
    let index = way.index() as u32;
    if way.is_file() {
        // Moves bit 8i to bit 40 + i; no two partial products overlap.
        const GATHER: u64 = 1 << 40 | 1 << 33 | 1 << 26 | 1 << 19 | 1 << 12 | 1 << 5;
        ((stones >> index).wrapping_mul(GATHER) >> 40 & 63) as u32
    } else {
        (stones >> (8 * (index - u32::from(FILES))) & 127) as u32
    }
}

/// Calls `visit` with the black stones, the occupied squares and, for moves that lock, the way.
#[inline]
pub(crate) fn visit_results<B>(
    state: &State,
    visit: impl FnMut(Bits, Bits, Option<Way>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit_results_on(state, Ways::ALL, visit)
}

/// Like [`visit_results`], for moves on some ways only.
#[inline]
fn visit_results_on<B>(
    state: &State,
    ways: Ways,
    mut visit: impl FnMut(Bits, Bits, Option<Way>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut open = ways.bits() & !state.locks.bits();
    while open != 0 {
        let way = Way::from_index(open.trailing_zeros() as u8);
        open &= open - 1;
        let cells = state.occupied & way.mask();
        if cells == 0 {
            new_results(state, way, &mut visit)?;
        } else {
            modified_results(state, way, cells, &mut visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// Passes each pattern on only once.
struct Once<'a, V> {
    state: &'a State,
    way: Way,
    cells: Bits,
    locks: Option<Way>,
    seen: u128,
    visit: &'a mut V,
}

impl<V> Once<'_, V> {
    #[inline(always)]
    fn offer<B>(&mut self, values: Bits) -> ControlFlow<B>
    where
        V: FnMut(Bits, Bits, Option<Way>) -> ControlFlow<B>,
    {
        let values = values & self.cells;
        let bit = 1 << pattern(self.way, values);
        if self.seen & bit != 0 {
            return ControlFlow::Continue(());
        }
        self.seen |= bit;
        (self.visit)((self.state.black & !self.cells) | values, self.state.occupied | self.cells, self.locks)
    }

    #[inline(always)]
    fn offer_gates<B>(&mut self, x: Bits, y: Bits) -> ControlFlow<B>
    where
        V: FnMut(Bits, Bits, Option<Way>) -> ControlFlow<B>,
    {
        Gate::ALL.into_iter().try_for_each(|gate| self.offer(gate.apply(x, y)))
    }
}

#[inline]
fn new_results<B>(
    state: &State,
    way: Way,
    visit: &mut impl FnMut(Bits, Bits, Option<Way>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (black, occupied) = (state.black, state.occupied);
    let lower = state.is_occupied(way.lower(1));
    if !lower && !state.is_occupied(way.higher(1)) {
        return ControlFlow::Continue(());
    }
    let (cells, x, y, two) = if lower {
        let two = state.is_occupied(way.lower(2));
        (way.lower_on(occupied, 1), way.lower_on(black, 1), way.lower_on(black, 2), two)
    } else {
        let two = state.is_occupied(way.higher(2));
        (way.higher_on(occupied, 1), way.higher_on(black, 1), way.higher_on(black, 2), two)
    };
    let mut once = Once { state, way, cells, locks: None, seen: 0, visit };
    once.offer(!x)?;
    if two { once.offer_gates(x, y) } else { ControlFlow::Continue(()) }
}

#[inline]
fn modified_results<B>(
    state: &State,
    way: Way,
    cells: Bits,
    visit: &mut impl FnMut(Bits, Bits, Option<Way>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let black = state.black;
    let (lower, higher) = (state.is_occupied(way.lower(1)), state.is_occupied(way.higher(1)));
    let (x, y) = (way.lower_on(black, 1), way.higher_on(black, 1));
    let mut once = Once { state, way, cells, locks: Some(way), seen: 0, visit };
    if lower {
        once.offer(!x)?;
    }
    if higher {
        once.offer(!y)?;
        if lower {
            once.offer_gates(x, y)?;
        }
    }
    for places in 1..cells.count_ones() {
        once.offer(rotated(black & cells, cells, way, places))?;
    }
    ControlFlow::Continue(())
}

/// The state after a result.
#[inline]
pub(crate) fn result(state: &State, black: Bits, occupied: Bits, locks: Option<Way>) -> State {
    State {
        black,
        occupied,
        locks: locks.map_or(state.locks, |way| state.locks.with(way)),
        cleared: state.cleared.union(TargetSet::on_board(black, occupied & !black)),
        side: !state.side,
    }
}

/// Whether the side to move wins by completing its targets with one move; `missing` is the result of
/// [`crate::estimate::missing`].
#[inline]
pub(crate) fn wins_at_once(state: &State, missing: &[u32; 6]) -> bool {
    let me = state.side;
    // Completing two or three lines with one move is rare; the search finds that.
    let Some(target) = Target::last_of(me, state.cleared) else { return false };
    let ways = if missing[target as usize] > 1 { target.ways_along() } else { Ways::ALL };
    visit_results_on(state, ways, |black, occupied, locks| {
        let white = occupied & !black;
        if !target.lies_on(black, white)
            || state.cleared.union(TargetSet::on_board(black, white)).complete(!me)
                && result(state, black, occupied, locks).leader() != me
        {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    })
    .is_break()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Moves;
    use std::collections::HashSet;

    #[test]
    fn results_are_those_of_the_legal_moves() {
        let mut random = platform::Random::new(12_345);
        for _ in 0..300 {
            let mut state = State::START;
            while state.ending().is_none() {
                let mut moves = Moves::new();
                state.moves(&mut moves);
                let expected: HashSet<_> = moves.iter().map(|m| state.after(*m)).collect();
                let mut found = Vec::new();
                let _ = visit_results(&state, |black, occupied, locks| {
                    found.push(result(&state, black, occupied, locks));
                    ControlFlow::<()>::Continue(())
                });
                assert_eq!(found.len(), expected.len());
                assert_eq!(found.into_iter().collect::<HashSet<_>>(), expected);
                let wins = state.cleared.of(state.side).count_ones() >= 2
                    && expected.iter().any(|after| {
                        after.cleared.complete(state.side)
                            && after.ending().is_some_and(|e| e.winner() == state.side)
                    });
                assert_eq!(wins_at_once(&state, &crate::estimate::missing(&state)), wins);
                let rectangle = Rectangle::of(&state).expect("games fill rectangles");
                assert_eq!(rectangle, Rectangle::around(state.occupied));
                state = state.after(moves[random.below(moves.len())]);
            }
        }
    }
}

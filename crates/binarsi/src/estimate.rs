//! Estimates who wins, from how many stones the targets lack.

use crate::position::Position;
use crate::state::State;
use crate::targets::Target;
use crate::way::Bits;
use game::{Color, Evaluation};

/// Squares from which a line of `length` fits on the board, by the steps from one stone to the next.
const fn starts(length: u32, step: u32) -> Bits {
    let mut starts = 0;
    let mut square = 0;
    while square < 48 {
        let (file, rank) = (square & 7, square >> 3);
        let (last_file, last_rank) = match step {
            1 => (file + length - 1, rank),
            8 => (file, rank + length - 1),
            9 => (file + length - 1, rank + length - 1),
            // Overflows to a large number beyond the edge of the board.
            _ => (file.wrapping_sub(length - 1), rank + length - 1),
        };
        if file < 7 && last_file < 7 && last_rank < 6 {
            starts |= 1 << square;
        }
        square += 1;
    }
    starts
}

/// The largest number of stones on any line of `LENGTH` squares in a direction.
#[inline]
fn most<const LENGTH: u32, const STEP: u32>(stones: Bits) -> u32 {
    let fits = const { starts(LENGTH, STEP) };
    // Counts all lines in parallel, one binary digit per word.
    let (mut ones, mut twos, mut fours) = (0, 0, 0);
    let mut i = 0;
    while i < LENGTH {
        let stone = stones >> (i * STEP);
        let carry = ones & stone;
        ones ^= stone;
        fours |= twos & carry;
        twos ^= carry;
        i += 1;
    }
    let fours = fours & fits;
    let (at_four, ones, twos) = (fours != 0, ones & fits, twos & fits);
    if at_four {
        4 + u32::from(fours & ones != 0)
    } else if twos != 0 {
        2 + u32::from(twos & ones != 0)
    } else {
        u32::from(ones != 0)
    }
}

/// The smallest number of stones that each target lacks, in the order of [`Target::ALL`].
#[inline]
pub(crate) fn missing(state: &State) -> [u32; 6] {
    let (black, white) = (state.black, state.white());
    [
        3 - most::<3, 1>(black),
        4 - most::<4, 7>(black).max(most::<4, 9>(black)),
        5 - most::<5, 8>(black),
        3 - most::<3, 8>(white),
        4 - most::<4, 7>(white).max(most::<4, 9>(white)),
        5 - most::<5, 1>(white),
    ]
}

/// The value of a target for its owner in hundredths of a natural logarithm of the odds, by the stones it lacks, and
/// when it is cleared.
const WORTH: [([i32; 6], i32); 6] = [
    ([15, 15, 6, -10, -10, -10], 12),
    ([60, 58, -30, -175, -175, -175], 180),
    ([155, 153, 64, -43, -304, -304], 164),
    ([56, 56, 45, 30, 30, 30], 46),
    ([61, 61, 8, -37, -37, -37], 153),
    ([130, 128, 50, -48, -134, -134], 189),
];

/// The value of having the move.
const ON_MOVE: i32 = 131;

/// The logarithm of the odds that the side to move wins, in hundredths; `missing` is the result of [`missing`].
#[inline]
pub(crate) fn log_odds(state: &State, missing: &[u32; 6]) -> i32 {
    let mut black = 0;
    for target in Target::ALL {
        let i = target as usize;
        let (by_missing, cleared) = &WORTH[i];
        let worth = if state.cleared.contains(target) { *cleared } else { by_missing[missing[i] as usize] };
        black += if i < 3 { worth } else { -worth };
    }
    ON_MOVE + if state.side == Color::Black { black } else { -black }
}

/// The estimate as an evaluation for the common search: a point is a hundredth of the logarithm of the odds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate;

impl Evaluation<Position> for Estimate {
    fn refresh(&mut self, _: &Position) {}

    fn push(&mut self, _: &[()]) {}

    fn pop(&mut self) {}

    fn value(&mut self, position: &Position) -> i32 {
        let state = position.state();
        log_odds(state, &missing(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::TargetSet;

    #[test]
    fn nothing_missing_means_on_the_board() {
        let mut random = platform::Random::new(7);
        for _ in 0..2000 {
            let stones = random.next() & 0x7f7f_7f7f_7f7f;
            let state = State { black: stones, occupied: 0x7f7f_7f7f_7f7f, ..State::START };
            let hits = TargetSet::on_board(state.black, state.white());
            for (missing, target) in missing(&state).into_iter().zip(Target::ALL) {
                assert_eq!(missing == 0, hits.contains(target), "{target:?} {stones:x}");
            }
        }
        assert_eq!(missing(&State::EMPTY), [3, 4, 5, 3, 4, 5]);
    }
}

//! Positions as exact table keys: no two positions share one.

use super::successors::Rectangle;
use crate::state::State;
use crate::symmetry::Mirror;
use crate::targets::TargetSet;
use crate::way::{Bits, FILES, RANKS, Way, Ways};
use game::Color;

/// A position up to reflection in 72 bits: 42 stones, 13 locks, 10 for the rectangle, 6 targets, the side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Key {
    pub(crate) low: u64,
    pub(crate) high: u8,
}

const STONES: u32 = 42;
const LOCKS: u32 = Way::COUNT as u32;
/// Pairs of first and last lines, for files and for ranks: 28 and 21.
const RANK_SPANS: u32 = 21;
/// Bit offset of the targets in the low part, after the side.
const CLEARED: u32 = STONES + LOCKS + 1;
const CLEARED_BITS: u64 = 63 << CLEARED;

impl Key {
    /// The key of a canonical state that fills a rectangle.
    #[inline]
    pub(crate) fn of(canonical: &State, rectangle: Rectangle) -> Self {
        let rest = (span(rectangle.files) * RANK_SPANS + span(rectangle.ranks)) << 7
            | u32::from(canonical.cleared.bits()) << 1
            | canonical.side.index() as u32;
        let low = squeezed(canonical.black)
            | u64::from(canonical.locks.bits()) << STONES
            | u64::from(rest) << (STONES + LOCKS);
        Self { low, high: (rest >> (64 - STONES - LOCKS)) as u8 }
    }

    /// The state of a key.
    pub(crate) fn state(self) -> Option<State> {
        let rest = (self.low >> (STONES + LOCKS)) as u32 | u32::from(self.high) << (64 - STONES - LOCKS);
        let spans = rest >> 7;
        let rectangle = Rectangle {
            files: unspan(spans / RANK_SPANS, FILES)?,
            ranks: unspan(spans % RANK_SPANS, RANKS)?,
        };
        let black = spread(self.low & ((1 << STONES) - 1));
        let occupied = rectangle.squares();
        let state = State {
            black,
            occupied,
            locks: Ways::from_bits((self.low >> STONES) as u16),
            cleared: TargetSet::from_bits((rest >> 1) as u8),
            side: Color::ALL[(rest & 1) as usize],
        };
        (black & !occupied == 0).then_some(state)
    }

    #[inline]
    fn cleared(self) -> TargetSet {
        TargetSet::from_bits((self.low >> CLEARED) as u8)
    }

    #[inline]
    fn side(self) -> Color {
        Color::ALL[(self.low >> (CLEARED - 1) & 1) as usize]
    }

    /// Whether both differ at most in the targets.
    #[inline]
    pub(crate) fn is_sibling(self, other: Self) -> bool {
        (self.low ^ other.low) & !CLEARED_BITS == 0 && self.high == other.high
    }

    /// Whether, of two siblings, this one is at least as good for the side to move: it has all targets that the other
    /// has, and its opponent has no more than there.
    ///
    /// More targets never hurt: play as without them. The game then ends as it would have, or earlier; and it can only
    /// end earlier with both sides complete if the opponent would have won anyway.
    #[inline]
    pub(crate) fn is_as_good(self, other: Self) -> bool {
        let (mine, theirs, side) = (self.cleared(), other.cleared(), self.side());
        theirs.of(side) & !mine.of(side) == 0 && mine.of(!side) & !theirs.of(!side) == 0
    }

    /// A well-mixed number, the same for siblings.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        let mixed = ((self.low & !CLEARED_BITS) ^ u64::from(self.high).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 29
    }
}

/// The index of a pair first ≤ last.
#[inline]
fn span((first, last): (u8, u8)) -> u32 {
    let (first, last) = (u32::from(first), u32::from(last));
    last * (last + 1) / 2 + first
}

fn unspan(number: u32, lines: u8) -> Option<(u8, u8)> {
    let pairs = (0..lines).flat_map(|last| (0..=last).map(move |first| (first, last)));
    pairs.into_iter().find(|pair| span(*pair) == number)
}

/// The board without the unused file.
#[inline]
fn squeezed(board: Bits) -> u64 {
    (0..u32::from(RANKS)).fold(0, |bits, rank| bits | (board >> (8 * rank) & 127) << (7 * rank))
}

fn spread(bits: u64) -> Bits {
    (0..u32::from(RANKS)).fold(0, |board, rank| board | (bits >> (7 * rank) & 127) << (8 * rank))
}

/// A canonical reflection that is cheap to find: the rectangle is as far to the upper left as possible, and only
/// centred ones need a comparison.
#[inline]
pub(crate) fn canonical(state: &State) -> (State, Rectangle) {
    let rectangle = Rectangle::around(state.occupied);
    let mut best = *state;
    let right = rectangle.files.0 + rectangle.files.1;
    let down = rectangle.ranks.0 + rectangle.ranks.1;
    if right > FILES - 1 {
        best = Mirror::LeftRight.state(&best);
    }
    if down > RANKS - 1 {
        best = Mirror::UpDown.state(&best);
    }
    if right == FILES - 1 {
        if down == RANKS - 1 {
            let image = Mirror::UpDown.state(&best);
            best = smaller(best, image);
            let image = smaller(
                Mirror::LeftRight.state(&best),
                Mirror::LeftRight.state(&Mirror::UpDown.state(&best)),
            );
            best = smaller(best, image);
        } else {
            best = smaller(best, Mirror::LeftRight.state(&best));
        }
    } else if down == RANKS - 1 {
        best = smaller(best, Mirror::UpDown.state(&best));
    }
    (best, Rectangle::around(best.occupied))
}

#[inline]
fn smaller(a: State, b: State) -> State {
    if (b.black, b.locks) < (a.black, a.locks) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Moves;

    #[test]
    fn keys_keep_everything_but_the_reflection() {
        let mut random = platform::Random::new(99);
        for _ in 0..200 {
            let mut state = State::START;
            while state.ending().is_none() {
                let (image, rectangle) = canonical(&state);
                let key = Key::of(&image, rectangle);
                assert_eq!(key.state(), Some(image));
                for mirror in Mirror::ALL {
                    let (other, rectangle) = canonical(&mirror.state(&state));
                    assert_eq!((other, Key::of(&other, rectangle)), (image, key));
                }
                assert_eq!(image.canonical(), state.canonical());
                let mut moves = Moves::new();
                state.moves(&mut moves);
                state = state.after(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn every_span_has_its_number() {
        for lines in [FILES, RANKS] {
            for last in 0..lines {
                for first in 0..=last {
                    assert_eq!(unspan(span((first, last)), lines), Some((first, last)));
                }
            }
        }
        assert_eq!(span((RANKS - 1, RANKS - 1)), RANK_SPANS - 1);
        assert_eq!(Key { low: u64::MAX, high: 255 }.state(), None);
    }
}

//! Random numbers that are reproducible: the same seed gives the same numbers on every system.

use crate::clock::Instant;
use std::hash::{BuildHasher, RandomState};

/// The step of [`Random`]: 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hashes a number: the first number of the sequence with this seed.
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(STEP);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The generator `SplitMix64`.
///
/// ```
/// use platform::Random;
/// let numbers = |seed| { let mut random = Random::new(seed); [random.next(), random.next()] };
/// assert_eq!(numbers(7), numbers(7));
/// assert_ne!(numbers(7), numbers(8));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A seed that differs from run to run.
    #[must_use]
    pub fn fresh_seed() -> u64 {
        // The keys of every `RandomState` are random, except where there is no source of them (WebAssembly).
        RandomState::new().hash_one(Instant::now())
    }

    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub const fn next(&mut self) -> u64 {
        let next = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        next
    }

    /// A number below `bound`, uniform up to 2⁻⁶⁴.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next() as u128 * bound as u128) >> 64) as usize
    }

    /// Brings items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the sequence of 1234567, as published with the algorithm's reference implementation.
    #[test]
    fn known_numbers() {
        let mut random = Random::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], expected);
    }

    #[test]
    fn a_shuffle_is_a_permutation_and_repeats() {
        let shuffled = |seed| {
            let mut items: Vec<_> = (0..50).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}

//! A move of an expanded position.

use crate::outcome::Outcome;
use shogi::{Hand, Move};
use std::cmp::Ordering;

/// A move and the state of the position after it.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub(crate) m: Move,
    pub(super) rank: i16,
    /// Indices, plus one, of the move that must be decided before this one is searched, and of the move that waits for
    /// this one.
    pub(crate) before: u16,
    pub(crate) after: u16,
    pub(crate) outcome: Outcome,
    pub(super) board: u128,
    /// The attacker's hand.
    pub(super) hand: Hand,
    pub(super) slot: u32,
    pub(super) path: u64,
}

/// The order in which children are searched, best first.
pub(super) fn compare(children: &[Child], attacks: bool, a: u16, b: u16) -> Ordering {
    let (a, b) = (&children[usize::from(a)], &children[usize::from(b)]);
    let (x, y) = (&a.outcome, &b.outcome);
    let by_numbers = x.numbers.phi(attacks).cmp(&y.numbers.phi(attacks));
    by_numbers
        .then_with(|| x.numbers.delta(attacks).cmp(&y.numbers.delta(attacks)))
        .then_with(|| {
            if !x.is_final() {
                return Ordering::Equal;
            }
            // The attacker searches short mates first, the defender refutations that depend least on the path.
            let by_length = if x.is_proven() && attacks { x.length.cmp(&y.length) } else { Ordering::Equal };
            let by_loop =
                if x.is_disproven() && !attacks { y.loop_start.cmp(&x.loop_start) } else { Ordering::Equal };
            by_length.then(by_loop)
        })
        .then_with(|| x.amount.cmp(&y.amount))
        .then_with(|| a.rank.cmp(&b.rank))
}

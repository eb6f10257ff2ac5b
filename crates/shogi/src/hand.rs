//! Pieces in hand, packed into 32 bits.

use crate::HandPiece;
use std::fmt;

/// What a player holds in hand.
///
/// ```
/// use shogi::{Hand, HandPiece};
/// let mut hand = Hand::EMPTY;
/// hand.add(HandPiece::Pawn);
/// hand.add(HandPiece::Pawn);
/// hand.add(HandPiece::Rook);
/// assert_eq!(hand.to_string(), "R2P");
/// assert!(hand.covers(Hand::EMPTY));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

/// Bit offset of each kind's counter; above every counter a bit stays free to catch a borrow.
const SHIFT: [u32; 8] = [0, 0, 6, 11, 16, 21, 24, 27];
const MASK: [u32; 8] = [0, 0x1f, 0xf, 0xf, 0xf, 3, 3, 0xf];
/// The bits of each kind's counter.
const COUNTER: [u32; 8] = {
    let mut bits = [0; 8];
    let mut i = 1;
    while i < 8 {
        bits[i] = MASK[i] << SHIFT[i];
        i += 1;
    }
    bits
};
const BORROWS: u32 = {
    let mut bits = 0;
    let mut i = 1;
    while i < 8 {
        bits |= (MASK[i] + 1) << SHIFT[i];
        i += 1;
    }
    bits
};

impl Hand {
    /// Nothing in hand.
    pub const EMPTY: Self = Self(0);

    /// As many of every kind as it can hold.
    pub const FULL: Self = {
        let mut bits = 0;
        let mut i = 1;
        while i < 8 {
            bits |= MASK[i] << SHIFT[i];
            i += 1;
        }
        Self(bits)
    };

    /// The largest count of a kind that it can hold: more than a set has, because some diagrams have pieces too many (a
    /// training board with nine lances is in circulation).
    #[must_use]
    pub const fn max_count(piece: HandPiece) -> u32 {
        MASK[piece.index()]
    }

    /// Number of pieces of one kind.
    #[inline]
    #[must_use]
    pub const fn count(self, piece: HandPiece) -> u32 {
        self.0 >> SHIFT[piece.index()] & MASK[piece.index()]
    }

    /// Whether there is a piece of this kind.
    #[inline]
    #[must_use]
    pub const fn has(self, piece: HandPiece) -> bool {
        self.0 & COUNTER[piece.index()] != 0
    }

    /// Whether there is nothing at all.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is nothing but pawns.
    #[inline]
    pub(crate) const fn only_pawns(self) -> bool {
        self.0 & !MASK[1] == 0
    }

    /// Whether there is a piece that may be dropped on any empty square.
    #[inline]
    pub(crate) const fn has_unrestricted(self) -> bool {
        const ANYWHERE: u32 = COUNTER[HandPiece::Silver.index()]
            | COUNTER[HandPiece::Gold.index()]
            | COUNTER[HandPiece::Bishop.index()]
            | COUNTER[HandPiece::Rook.index()];
        self.0 & ANYWHERE != 0
    }

    /// Puts one piece in.
    #[inline]
    pub fn add(&mut self, piece: HandPiece) {
        debug_assert!(self.count(piece) < Self::max_count(piece));
        self.0 += 1 << SHIFT[piece.index()];
    }

    /// Takes one piece out.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn remove(&mut self, piece: HandPiece) {
        assert!(self.has(piece), "no such piece in hand");
        self.0 -= 1 << SHIFT[piece.index()];
    }

    /// The same hand with another number of one kind, or as many as it can hold.
    #[inline]
    #[must_use]
    pub const fn with_count(self, piece: HandPiece, count: u32) -> Self {
        let (shift, mask) = (SHIFT[piece.index()], MASK[piece.index()]);
        let count = if count > mask { mask } else { count };
        Self(self.0 & !(mask << shift) | count << shift)
    }

    /// The larger number of each kind: the smallest hand that covers both.
    #[inline]
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        HandPiece::ALL.into_iter().fold(self, |hand, p| hand.with_count(p, self.count(p).max(other.count(p))))
    }

    /// The smaller number of each kind: the largest hand that both cover.
    #[inline]
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        HandPiece::ALL.into_iter().fold(self, |hand, p| hand.with_count(p, self.count(p).min(other.count(p))))
    }

    /// The hand packed into 32 bits; equal hands have equal bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand with these [`Hand::bits`]; bits that belong to no kind are ignored.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::FULL.0)
    }

    /// Whether it holds at least as many of every kind as `other` does.
    #[inline]
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        self.0.wrapping_sub(other.0) & BORROWS == 0
    }

    /// The kinds held and their counts, in the order of the kinds' numbers.
    pub fn iter(self) -> impl Iterator<Item = (HandPiece, u32)> {
        HandPiece::ALL.into_iter().map(move |p| (p, self.count(p))).filter(|(_, n)| *n > 0)
    }
}

/// As in SFEN, in upper case; nothing at all for an empty hand.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in HandPiece::SFEN_ORDER {
            match self.count(piece) {
                0 => {}
                1 => write!(f, "{}", piece.kind().letter())?,
                n => write!(f, "{n}{}", piece.kind().letter())?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hand({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(counts: [u32; 7]) -> Hand {
        let mut hand = Hand::EMPTY;
        for (piece, n) in HandPiece::ALL.into_iter().zip(counts) {
            (0..n).for_each(|_| hand.add(piece));
        }
        hand
    }

    #[test]
    fn counts_are_independent() {
        let full = hand([18, 4, 4, 4, 2, 2, 4]);
        assert_eq!(full.to_string(), "2R2B4G4S4N4L18P");
        let mut rest = full;
        for (piece, n) in full.iter() {
            assert_eq!(n, piece.set_size());
            (0..n).for_each(|_| rest.remove(piece));
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn covers_is_a_partial_order() {
        let hands: Vec<_> =
            (0..3u32.pow(7)).map(|n| hand(std::array::from_fn(|i| n / 3u32.pow(i as u32) % 3))).collect();
        for (i, &a) in hands.iter().enumerate().step_by(7) {
            for (j, &b) in hands.iter().enumerate().step_by(5) {
                let expected = HandPiece::ALL.iter().all(|&p| a.count(p) >= b.count(p));
                assert_eq!(a.covers(b), expected, "{i} {j}: {a} {b}");
            }
        }
    }

    #[test]
    fn join_and_meet_are_the_bounds_of_the_order() {
        let hands: Vec<_> =
            (0..3u32.pow(7)).map(|n| hand(std::array::from_fn(|i| n / 3u32.pow(i as u32) % 3))).collect();
        for &a in hands.iter().step_by(7) {
            for &b in hands.iter().step_by(5) {
                let (join, meet) = (a.join(b), a.meet(b));
                assert!(join.covers(a) && join.covers(b) && a.covers(meet) && b.covers(meet), "{a} {b}");
                assert!(
                    HandPiece::ALL
                        .iter()
                        .all(|&p| { join.count(p) + meet.count(p) == a.count(p) + b.count(p) })
                );
                assert_eq!(Hand::from_bits(join.bits()), join);
            }
        }
        assert!(hands.iter().all(|hand| Hand::FULL.covers(*hand)));
    }

    #[test]
    #[should_panic(expected = "no such piece in hand")]
    fn removing_from_an_empty_hand_is_refused() {
        let mut hand = Hand::EMPTY;
        hand.remove(HandPiece::Gold);
    }
}

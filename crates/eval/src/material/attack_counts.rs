//! How often each square is attacked.

use shogi::Bitboard;

/// Sets of the squares that are attacked at least once, twice, three times.
///
/// Sets rather than numbers: adding a piece's attacks is five bit operations, and zones are counted whole.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AttackCounts {
    at_least: [Bitboard; Self::LEVELS],
}

impl AttackCounts {
    pub(super) const LEVELS: usize = 3;

    #[inline(always)]
    pub(super) fn add(&mut self, attacks: Bitboard) {
        self.at_least[2] |= self.at_least[1] & attacks;
        self.at_least[1] |= self.at_least[0] & attacks;
        self.at_least[0] |= attacks;
    }

    /// The squares attacked at least once.
    #[inline(always)]
    pub(super) fn once(&self) -> Bitboard {
        self.at_least[0]
    }

    /// Attacks on a zone, the second and third on the same square counting less: 4, 3 and 2.
    #[inline(always)]
    pub(super) fn on(&self, zone: Bitboard) -> i32 {
        let [once, twice, thrice] = self.at_least.map(|set| (set & zone).count() as i32);
        4 * once + 3 * twice + 2 * thrice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi::Square;

    #[test]
    fn counts_saturate_at_three() {
        let mut counts = AttackCounts::default();
        for (n, expected) in [4, 7, 9, 9].into_iter().enumerate() {
            counts.add(Square::Sq55.into());
            assert_eq!(counts.on(Bitboard::ALL), expected, "after {} attacks", n + 1);
        }
        counts.add(Bitboard::ALL);
        assert_eq!(counts.on(Bitboard::ALL), 9 + 80 * 4);
        assert_eq!(counts.once(), Bitboard::ALL);
    }
}

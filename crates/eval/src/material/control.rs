//! Values of attacks by square.

use shogi::{Bitboard, Square};
use std::sync::LazyLock;

/// Weights of attacks; in 16ths of a point unless said otherwise, those of squares times the count of
/// [`AttackCounts::on`](super::attack_counts::AttackCounts::on). Tuned by games of the evaluation with itself.
pub(super) struct ControlWeights {
    /// Everywhere on the board.
    pub(super) anywhere: i32,
    /// Near the own king, on top of that: within one, two and three steps.
    pub(super) own_king: [i32; 3],
    /// Near the opponent's king.
    pub(super) enemy_king: [i32; 3],
    /// For pieces under attack that nothing defends, in 256ths of their value.
    pub(super) hanging: i32,
    /// For pieces under attack that are defended, in 256ths of their value.
    pub(super) attacked: i32,
    /// For a square next to the own king that only the king defends, if the opponent attacks it.
    pub(super) hole: i32,
    /// The same for each of the opponent's [`droppers`](super::survey), attacked or not.
    pub(super) drop: i32,
    /// On top of that if the square is attacked.
    pub(super) supported_drop: i32,
}

impl ControlWeights {
    pub(super) const FULL: Self = Self {
        anywhere: 93,
        own_king: [35, 48, 18],
        enemy_king: [100, 46, 22],
        hanging: 36,
        attacked: 6,
        hole: 487,
        drop: 20,
        supported_drop: 61,
    };

    /// Only attacks near the kings.
    pub(super) const KINGS_ONLY: Self = Self { anywhere: 0, hanging: 0, attacked: 0, ..Self::FULL };
}

/// The neighbourhood of each king: within one, two and three steps.
static ZONES: LazyLock<[[Bitboard; 3]; Square::COUNT]> = LazyLock::new(|| {
    let within = |king: Square, distance: u8| -> Bitboard {
        let near = |s: &Square| {
            let files = (s.file() as u8).abs_diff(king.file() as u8);
            let ranks = (s.rank() as u8).abs_diff(king.rank() as u8);
            files.max(ranks) <= distance
        };
        Square::all().filter(near).collect()
    };
    let mut zones = [[Bitboard::EMPTY; 3]; Square::COUNT];
    for king in Square::all() {
        zones[king.index()] = [1, 2, 3].map(|distance| within(king, distance));
    }
    zones
});

/// The squares within one, two and three steps of a king.
#[inline]
pub(super) fn zones_around(king: Square) -> &'static [Bitboard; 3] {
    &ZONES[king.index()]
}

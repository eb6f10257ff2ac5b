//! What attacks are worth, by where they fall.

use shogi::{Bitboard, Square};
use std::sync::LazyLock;

/// Weights of attacks; in [`ControlWeights::SCALE`]ths of a point, times the count of
/// [`AttackCounts::on`](super::attack_counts::AttackCounts::on).
pub(super) struct ControlWeights {
    /// Everywhere on the board.
    pub(super) anywhere: i32,
    /// Near the own king, on top of that: next to it, and within two steps.
    pub(super) own_king: [i32; 2],
    /// Near the opponent's king.
    pub(super) enemy_king: [i32; 2],
    /// For undefended pieces under attack, in 64ths of their value.
    pub(super) hanging: i32,
    /// For weak squares next to the own king.
    pub(super) danger: i32,
}

impl ControlWeights {
    pub(super) const SCALE: i32 = 16;

    pub(super) const FULL: Self =
        Self { anywhere: 80, own_king: [64, 40], enemy_king: [72, 48], hanging: 4, danger: 16 };

    pub(super) const KINGS_ONLY: Self = Self { anywhere: 0, hanging: 0, ..Self::FULL };
}

/// The neighbourhood of a king.
#[derive(Clone, Copy)]
pub(super) struct Zones {
    /// Next to it.
    pub(super) near: Bitboard,
    /// Within two steps.
    pub(super) wide: Bitboard,
}

static ZONES: LazyLock<[Zones; Square::COUNT]> = LazyLock::new(|| {
    let within = |king: Square, distance: u8| -> Bitboard {
        Square::all()
            .filter(|s| {
                let files = (s.file() as u8).abs_diff(king.file() as u8);
                let ranks = (s.rank() as u8).abs_diff(king.rank() as u8);
                files.max(ranks) <= distance
            })
            .collect()
    };
    let mut zones = [Zones { near: Bitboard::EMPTY, wide: Bitboard::EMPTY }; Square::COUNT];
    for king in Square::all() {
        zones[king.index()] = Zones { near: within(king, 1), wide: within(king, 2) };
    }
    zones
});

impl Zones {
    #[inline(always)]
    pub(super) fn around(king: Square) -> Self {
        ZONES[king.index()]
    }
}

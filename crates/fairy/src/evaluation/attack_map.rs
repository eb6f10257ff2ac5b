//! The attacks of a player, for the evaluation.

use crate::board::square::{Square, Squares};
use crate::position::core::Core;
use crate::variant::Variant;
use game::Color;

/// Squares attacked by a player.
pub(crate) struct AttackMap {
    pub(crate) once: Squares,
    pub(crate) twice: Squares,
    /// By royal pieces.
    pub(crate) by_royals: Squares,
    pub(crate) royals: Squares,
    /// Squares that pieces may go to, counted for each piece.
    pub(crate) reached: i32,
}

impl AttackMap {
    pub(crate) fn of(variant: &Variant, core: &Core, color: Color) -> Self {
        let (occupied, own) = (core.occupied(), core.of_color(color));
        let mut map = Self {
            once: Squares::EMPTY,
            twice: Squares::EMPTY,
            by_royals: Squares::EMPTY,
            royals: core.royals(variant, color),
            reached: 0,
        };
        for &kind in &variant.kinds {
            for square in core.of_kind(color, kind) {
                let attacks = core.attacks_from(variant, color, kind, square, occupied);
                map.twice |= map.once & attacks;
                map.once |= attacks;
                map.reached += attacks.without(own).len() as i32;
                if map.royals.contains(square) {
                    map.by_royals |= attacks;
                }
            }
        }
        map
    }

    /// The royal piece, if it is the only one.
    pub(crate) fn royal(&self) -> Option<Square> {
        self.royals.first().filter(|_| !self.royals.several())
    }

    /// Squares attacked by pieces other than royal ones, which cannot capture protected pieces.
    pub(crate) fn by_others(&self) -> Squares {
        self.twice | self.once.without(self.by_royals)
    }
}

//! Attackers of squares, checks and pins.

use crate::board::kind::Kind;
use crate::board::square::{Square, Squares};
use crate::position::core::Core;
use crate::variant::movement::Ray;
use crate::variant::{RayAttack, Variant};
use game::Color;

/// Checks and pins against the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Danger {
    /// The king's square.
    pub(crate) king: Option<Square>,
    /// Pieces that attack a royal piece.
    pub(crate) checkers: Squares,
    /// Whether the king itself is attacked: rules about checks mean this.
    pub(crate) king_in_check: bool,
    /// Target squares of moves other than the king's that parry all checks.
    pub(crate) parries: Squares,
    /// Pieces between the king and an attacker.
    pub(crate) pinned: Squares,
}

impl Core {
    #[inline]
    fn union(&self, variant: &Variant, color: Color, attack: &RayAttack, target: Square) -> Squares {
        let mut set = Squares::EMPTY;
        for &kind in &attack.kinds {
            if !variant.confined || variant.movement(color, kind).region.contains(target) {
                set |= self.of_kind(color, kind);
            }
        }
        set
    }

    /// The rays from `square` to pieces of a colour that could slide along them to it: each with its squares and those
    /// pieces.
    #[inline(always)]
    fn slides_to<'a>(
        &'a self,
        variant: &'a Variant,
        square: Square,
        by: Color,
    ) -> impl Iterator<Item = (&'a Ray, Squares, Squares)> {
        let pieces = self.of_color(by);
        variant.ray_attacks[by.index()].iter().filter_map(move |attack| {
            let ray = variant.rays.get(attack.ray);
            let line = ray.line(square);
            // Nearly always there is no such piece on the line.
            if (line & pieces).is_empty() {
                return None;
            }
            let sliders = self.union(variant, by, attack, square) & line;
            (!sliders.is_empty()).then_some((ray, line, sliders))
        })
    }

    fn shunned(&self, variant: &Variant) -> Squares {
        variant.janggi_cannon.map_or(Squares::EMPTY, |kind| {
            self.of_kind(Color::Black, kind) | self.of_kind(Color::White, kind)
        })
    }

    /// Target squares of a piece, without those of its own side's pieces.
    #[inline]
    pub(crate) fn targets(&self, variant: &Variant, color: Color, kind: Kind, from: Square) -> Squares {
        let shunned = self.shunned(variant);
        let targets = variant.movement(color, kind).targets(&variant.rays, from, self.occupied(), shunned);
        targets.without(self.of_color(color))
    }

    /// Squares that a piece of this kind would attack from a square.
    #[inline]
    pub(crate) fn attacks_from(
        &self,
        variant: &Variant,
        color: Color,
        kind: Kind,
        from: Square,
        occupied: Squares,
    ) -> Squares {
        variant.movement(color, kind).attacks(&variant.rays, from, occupied, self.shunned(variant))
    }

    /// Pieces of a colour that attack a square, given the occupied squares.
    #[inline]
    pub(crate) fn attackers(
        &self,
        variant: &Variant,
        square: Square,
        occupied: Squares,
        by: Color,
    ) -> Squares {
        let mut set = Squares::EMPTY;
        for &kind in &variant.leapers[by.index()] {
            set |= variant.movement(by, kind).captures_from(square) & self.of_kind(by, kind);
        }
        for (ray, line, sliders) in self.slides_to(variant, square, by) {
            if let Some(first) = ray.nearest(line & occupied) {
                set |= sliders & Squares::of(first);
            }
        }
        (set | self.crooked_attackers(variant, square, occupied, by)) & occupied
    }

    #[inline]
    fn crooked_attackers(&self, variant: &Variant, square: Square, occupied: Squares, by: Color) -> Squares {
        let mut set = Squares::EMPTY;
        for &kind in &variant.crooked[by.index()] {
            let movement = variant.movement(by, kind);
            for from in self.of_kind(by, kind) & occupied {
                if movement.reach.get(from).contains(square)
                    && self.attacks_from(variant, by, kind, from, occupied).contains(square)
                {
                    set |= Squares::of(from);
                }
            }
        }
        set
    }

    /// Whether any piece but those on `except` attacks the square.
    #[inline]
    pub(crate) fn is_attacked(
        &self,
        variant: &Variant,
        square: Square,
        occupied: Squares,
        by: Color,
        except: Squares,
    ) -> bool {
        for &kind in &variant.leapers[by.index()] {
            let pieces = self.of_kind(by, kind).without(except);
            if !(variant.movement(by, kind).captures_from(square) & pieces & occupied).is_empty() {
                return true;
            }
        }
        for (ray, line, sliders) in self.slides_to(variant, square, by) {
            if let Some(first) = ray.nearest(line & occupied)
                && sliders.without(except).contains(first)
            {
                return true;
            }
        }
        !self.crooked_attackers(variant, square, occupied, by).without(except).is_empty()
    }

    /// Squares of a player's royal pieces: the king, and pieces of which few are left.
    pub(crate) fn royals(&self, variant: &Variant, color: Color) -> Squares {
        let king = variant.king.map_or(Squares::EMPTY, |king| self.of_kind(color, king));
        king | self.pseudo_royals(variant, color)
    }

    pub(crate) fn pseudo_royals(&self, variant: &Variant, color: Color) -> Squares {
        let mut set = Squares::EMPTY;
        for kind in variant.pseudo_royals.iter() {
            let pieces = self.of_kind(color, kind);
            if pieces.len() <= u32::from(variant.rules.extinction.count) + 1 {
                set |= pieces;
            }
        }
        set
    }

    /// Computes checks and pins against the side to move.
    pub(crate) fn danger(&self, variant: &Variant) -> Danger {
        let us = self.side;
        let king = variant.king.and_then(|king| self.of_kind(us, king).first());
        let mut danger = Danger {
            king,
            checkers: Squares::EMPTY,
            king_in_check: false,
            parries: !Squares::EMPTY,
            pinned: Squares::EMPTY,
        };
        let occupied = self.occupied();
        if !variant.plain {
            for royal in self.royals(variant, us) {
                let attackers = self.attackers(variant, royal, occupied, !us);
                danger.king_in_check |= Some(royal) == king && !attackers.is_empty();
                danger.checkers |= attackers;
            }
            return danger;
        }
        let Some(king) = king else { return danger };
        for &kind in &variant.leapers[(!us).index()] {
            let checkers = variant.movement(!us, kind).captures_from(king) & self.of_kind(!us, kind);
            for checker in checkers {
                danger.checkers |= Squares::of(checker);
                danger.parries &= Squares::of(checker);
            }
        }
        for (ray, line, sliders) in self.slides_to(variant, king, !us) {
            let Some(first) = ray.nearest(line & occupied) else { continue };
            if sliders.contains(first) {
                danger.checkers |= Squares::of(first);
                danger.parries &= line.without(ray.behind(first));
            } else if self.of_color(us).contains(first)
                && let Some(second) = ray.nearest(line & ray.behind(first) & occupied)
                && sliders.contains(second)
            {
                danger.pinned |= Squares::of(first);
            }
        }
        danger.king_in_check = !danger.checkers.is_empty();
        danger
    }

    /// Pieces of `by` that alone block another piece of `by` from attacking the square.
    pub(crate) fn uncovering(
        &self,
        variant: &Variant,
        square: Square,
        occupied: Squares,
        by: Color,
    ) -> Squares {
        let mut set = Squares::EMPTY;
        for (ray, line, sliders) in self.slides_to(variant, square, by) {
            if let Some(first) = ray.nearest(line & occupied)
                && let Some(second) = ray.nearest(line & ray.behind(first) & occupied)
                && sliders.contains(second)
            {
                set |= Squares::of(first) & self.of_color(by);
            }
        }
        set
    }

    /// Target squares of a pinned piece: the lines to its king.
    pub(crate) fn pin_lines(&self, variant: &Variant, king: Square, pinned: Square) -> Squares {
        let us = self.side;
        let occupied = self.occupied();
        let mut lines = !Squares::EMPTY;
        for (ray, line, sliders) in self.slides_to(variant, king, !us) {
            if line.contains(pinned)
                && ray.nearest(line & occupied) == Some(pinned)
                && let Some(second) = ray.nearest(line & ray.behind(pinned) & occupied)
                && sliders.contains(second)
            {
                lines &= line.without(ray.behind(second));
            }
        }
        lines
    }
}

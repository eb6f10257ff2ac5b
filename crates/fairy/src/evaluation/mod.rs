//! An evaluation derived from the rules alone.

mod attack_map;

use crate::board::kind::Kind;
use crate::board::square::Squares;
use crate::evaluation::attack_map::AttackMap;
use crate::position::core::Core;
use crate::position::{Change, Position};
use crate::variant::goals;
use crate::variant::{Near, Variant};
use game::{Color, Evaluation};
use std::sync::Arc;

/// Material and piece-square values are updated incrementally; attacks and king safety are computed on demand.
#[derive(Clone)]
pub struct Handcraft {
    variant: Arc<Variant>,
    /// From the first player's point of view, along the line of play.
    sums: Vec<i32>,
}

/// Bonus for the side to move.
const TEMPO: i32 = 40;
/// Bonus for each square that a piece can reach.
const MOBILITY: i32 = 6;
/// Malus for an attacked piece; more if it is unprotected.
const ATTACKED: i32 = 10;
const HANGING: i32 = 60;
/// Bonus for each step that a piece is nearer to a king than four.
const NEAR_OWN_KING: i32 = 20;
const NEAR_THEIR_KING: i32 = 25;

/// King danger of a square next to the king: attacked, attacked twice, and attacked while only the king protects it.
const RING_ATTACKED: i32 = 15;
const RING_PRESSED: i32 = 40;
const RING_WEAK: i32 = 30;
/// Bonus for a kind in hand that could give check on a square where it cannot be captured, and on any other square.
const SAFE_DROP_CHECK: i32 = 180;
const DROP_CHECK: i32 = 70;
/// Divisor of the squared danger: dangers reinforce each other.
const DANGER_SQUARE: i32 = 4000;
/// Upper limit of the danger.
const MOST_DANGER: i32 = 4000;

impl Handcraft {
    /// An evaluation for games of this variant.
    #[must_use]
    pub fn new(variant: Arc<Variant>) -> Self {
        Self { variant, sums: vec![0] }
    }

    fn weigh(&self, change: Change) -> i32 {
        let values = &self.variant.values;
        let (color, value) = match change {
            Change::Placed(piece, square) => {
                let color = piece.color();
                (color, values.placed[color.index()][piece.form().index()][square.index()])
            }
            Change::Removed(piece, square) => {
                let color = piece.color();
                (color, -values.placed[color.index()][piece.form().index()][square.index()])
            }
            Change::Hand(color, kind, delta) => (color, i32::from(delta) * values.hand[kind.index()]),
        };
        if color == Color::Black { value } else { -value }
    }

    /// Computes the incremental part from scratch.
    fn sum(&self, position: &Position) -> i32 {
        let core = position.core();
        let placed =
            core.occupied().filter_map(|square| Some(Change::Placed(core.piece_at(square)?, square)));
        let mut sum = placed.map(|change| self.weigh(change)).sum::<i32>();
        for color in Color::ALL {
            for &kind in &self.variant.kinds {
                sum += self.weigh(Change::Hand(color, kind, 1))
                    * i32::from(core.hands[color.index()][kind.index()]);
            }
        }
        sum
    }
}

impl Evaluation<Position> for Handcraft {
    fn refresh(&mut self, position: &Position) {
        let sum = self.sum(position);
        self.sums.clear();
        self.sums.push(sum);
    }

    fn push(&mut self, changes: &[Change]) {
        let last = self.sums.last().copied().unwrap_or_default();
        let sum = changes.iter().fold(last, |sum, change| sum + self.weigh(*change));
        self.sums.push(sum);
    }

    fn pop(&mut self) {
        self.sums.pop();
    }

    fn value(&mut self, position: &Position) -> i32 {
        let sum = self.sums.last().copied().unwrap_or_default();
        debug_assert_eq!(sum, self.sum(position), "kept up to date");
        let variant = &*self.variant;
        let core = position.core();
        let maps = Color::ALL.map(|color| AttackMap::of(variant, core, color));
        let [black, white] = Color::ALL.map(|color| {
            let (own, theirs) = (&maps[color.index()], &maps[(!color).index()]);
            activity(variant, core.of_color(color).without(own.royals), own, theirs)
                + variant.goals.danger * king_danger(variant, core, color, own, theirs)
                + goals::nearness(variant, core, color)
        });
        let total = sum + black - white;
        TEMPO + if core.side == Color::Black { total } else { -total }
    }
}

/// Values a player's pieces by mobility, nearness to kings and safety.
fn activity(variant: &Variant, pieces: Squares, own: &AttackMap, theirs: &AttackMap) -> i32 {
    let steps = |near: &Near| near.iter().map(|squares| (pieces & *squares).len() as i32).sum::<i32>();
    let nearness = |map: &AttackMap| map.royal().map_or(0, |royal| steps(variant.near(royal)));
    let attacked = pieces & theirs.once;
    MOBILITY * own.reached + NEAR_OWN_KING * nearness(own) + NEAR_THEIR_KING * nearness(theirs)
        - ATTACKED * attacked.len() as i32
        - HANGING * attacked.without(own.once).len() as i32
}

/// The danger to a player's royal piece: attacks on the squares around it, and checks by drops.
fn king_danger(variant: &Variant, core: &Core, color: Color, own: &AttackMap, theirs: &AttackMap) -> i32 {
    let Some(royal) = own.royal() else { return 0 };
    let [ring, ..] = *variant.near(royal);
    let attacked = ring & theirs.once;
    let count = |squares: Squares| squares.len() as i32;
    let around = RING_ATTACKED * count(attacked)
        + RING_PRESSED * count(ring & theirs.twice)
        + RING_WEAK * count(attacked.without(own.twice));
    let safe = !own.by_others() & (!own.by_royals | theirs.once);
    let occupied = core.occupied();
    let hand = &core.hands[(!color).index()];
    let checks = |kind: &Kind| {
        // The squares from which the piece would attack are those that the same piece of the other colour attacks.
        let from = core.attacks_from(variant, color, *kind, royal, occupied).without(occupied);
        match (from.is_empty(), (from & safe).is_empty()) {
            (true, _) => 0,
            (false, true) => DROP_CHECK,
            (false, false) => SAFE_DROP_CHECK,
        }
    };
    let held = variant.kinds.iter().filter(|kind| hand[kind.index()] > 0);
    let units = around + held.map(checks).sum::<i32>();
    (units + units * units / DANGER_SQUARE).min(MOST_DANGER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;
    use game::{Game, Position as _};

    /// The value of a position, for the side to move.
    fn value(variant: &str, sfen: &str) -> i32 {
        let game = Library::shipped().game(variant).unwrap();
        let position = game.position(sfen).unwrap();
        let mut evaluation = Handcraft::new(game.variant().clone());
        evaluation.refresh(&position);
        let value = evaluation.value(&position);
        assert_eq!(position.to_text(), sfen);
        value
    }

    #[test]
    fn both_players_are_judged_alike() {
        for (variant, sfen, turned) in [
            ("gorogoro", "sgkg1/4s/1pPp1/1P1P1/5/SGKGS b P 1", "sgkgs/5/1p1p1/1PpP1/S4/1GKGS w p 1"),
            ("minishogi", "rb1gk/4p/2s2/P4/KG1BR b S 1", "rb1gk/4p/2S2/P4/KG1BR w s 1"),
        ] {
            assert_eq!(value(variant, sfen), value(variant, turned), "{variant}");
        }
    }

    #[test]
    fn checks_from_the_hand_are_a_danger() {
        // Nearly the same pieces and hands, but in the first position the golds leave the king's front open.
        let open = value("gorogoro", "g1k1g/5/1ppp1/1PPP1/5/1GKG1 b Ss 1");
        let closed = value("gorogoro", "1gkg1/5/1ppp1/1PPP1/5/1GKG1 b Ss 1");
        assert!(open > closed + SAFE_DROP_CHECK - DROP_CHECK, "{open} {closed}");
    }
}

//! An evaluation that follows from the rules alone.

use crate::attack_map::AttackMap;
use crate::goals;
use crate::kind::Kind;
use crate::position::core::Core;
use crate::position::{Change, Position};
use crate::square::Squares;
use crate::variant::{Near, Variant};
use game::{Color, Evaluation};
use std::sync::Arc;

/// Material and place kept up to date; attacks, and the danger to kings, looked at when asked.
#[derive(Clone)]
pub struct Handcraft {
    variant: Arc<Variant>,
    /// For the first player, along the line of play.
    sums: Vec<i32>,
}

/// The side to move has a little more.
const TEMPO: i32 = 40;
/// What each square is worth that a piece may go to.
const MOBILITY: i32 = 6;
/// What it costs that a piece is attacked, and more if nothing defends it.
const ATTACKED: i32 = 10;
const HANGING: i32 = 60;
/// What each step is worth that a piece is nearer to a king than four.
const NEAR_OWN_KING: i32 = 20;
const NEAR_THEIR_KING: i32 = 25;

/// What a square next to a king adds to its danger: attacked, attacked twice, and attacked where only the king defends.
const RING_ATTACKED: i32 = 15;
const RING_PRESSED: i32 = 40;
const RING_WEAK: i32 = 30;
/// What a kind in hand adds that could give check where nobody takes it, and one that could do so elsewhere.
const SAFE_DROP_CHECK: i32 = 180;
const DROP_CHECK: i32 = 70;
/// Dangers add to each other: what their square is divided by.
const DANGER_SQUARE: i32 = 4000;
/// No danger is worse.
const MOST_DANGER: i32 = 4000;

impl Handcraft {
    /// For games of this variant.
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

    /// Everything that is kept up to date, from scratch.
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

/// What a player's pieces do: where they may go, whom they are near, whether they stand safely.
fn activity(variant: &Variant, pieces: Squares, own: &AttackMap, theirs: &AttackMap) -> i32 {
    let steps = |near: &Near| near.iter().map(|squares| (pieces & *squares).len() as i32).sum::<i32>();
    let nearness = |map: &AttackMap| map.royal().map_or(0, |royal| steps(variant.near(royal)));
    let attacked = pieces & theirs.once;
    MOBILITY * own.reached + NEAR_OWN_KING * nearness(own) + NEAR_THEIR_KING * nearness(theirs)
        - ATTACKED * attacked.len() as i32
        - HANGING * attacked.without(own.once).len() as i32
}

/// How much a player's royal piece has to fear: attacks on the squares around it, and checks by pieces in hand.
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
        // A piece of the other colour attacks the way back.
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
        // The same hands and nearly the same men: in the first the golds leave the king's front open.
        let open = value("gorogoro", "g1k1g/5/1ppp1/1PPP1/5/1GKG1 b Ss 1");
        let closed = value("gorogoro", "1gkg1/5/1ppp1/1PPP1/5/1GKG1 b Ss 1");
        assert!(open > closed + SAFE_DROP_CHECK - DROP_CHECK, "{open} {closed}");
    }
}

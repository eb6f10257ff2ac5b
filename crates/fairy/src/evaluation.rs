//! An evaluation that follows from the rules alone.

use crate::kind::Kind;
use crate::position::core::Core;
use crate::position::{Change, Position};
use crate::square::Squares;
use crate::variant::Variant;
use game::{Color, Evaluation};
use std::sync::Arc;

/// Material and place kept up to date, the danger to kings looked at when asked.
#[derive(Clone)]
pub struct Handcraft {
    variant: Arc<Variant>,
    /// For the first player, along the line of play.
    sums: Vec<i32>,
}

/// The side to move has a little more.
const TEMPO: i32 = 20;
/// What each square is worth that a piece may go to.
const MOBILITY: i32 = 4;
/// What squares of units of danger are divided by.
const DANGER: i32 = 3;
/// No danger is worse.
const MOST_DANGER: i32 = 2500;

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
        let maps = Color::ALL.map(|color| Attacks::of(variant, core, color));
        let [black, white] = Color::ALL.map(|color| {
            let danger = king_danger(variant, core, color, &maps[color.index()], &maps[(!color).index()]);
            maps[color.index()].mobility - danger
        });
        let total = sum + black - white;
        TEMPO + if core.side == Color::Black { total } else { -total }
    }
}

/// What a player attacks.
struct Attacks {
    once: Squares,
    twice: Squares,
    /// How much the pieces can do, in the unit of the evaluation.
    mobility: i32,
}

impl Attacks {
    fn of(variant: &Variant, core: &Core, color: Color) -> Self {
        let (mut once, mut twice) = (Squares::EMPTY, Squares::EMPTY);
        let mut reached = 0;
        let (occupied, own) = (core.occupied(), core.of_color(color));
        for square in own {
            let Some(piece) = core.piece_at(square) else { continue };
            let attacks = core.attacks_from(variant, color, variant.kind(piece.form()), square, occupied);
            twice |= once & attacks;
            once |= attacks;
            reached += attacks.without(own).len() as i32;
        }
        Self { once, twice, mobility: MOBILITY * reached }
    }
}

/// How much a player's royal piece has to fear: what attacks the squares around it, and what waits in hand.
fn king_danger(variant: &Variant, core: &Core, color: Color, own: &Attacks, theirs: &Attacks) -> i32 {
    let royals = core.royals(variant, color);
    let Some(royal) = royals.first().filter(|_| !royals.several()) else { return 0 };
    let ring = variant.ring(royal);
    let attacked = ring & theirs.once;
    let pressed = ring & theirs.twice;
    // The king itself guards every square around it; that is not enough.
    let weak = attacked.without(own.twice);
    let hand = &core.hands[(!color).index()];
    let ready: i32 = variant.kinds.iter().map(|kind| ready(variant, *kind, hand[kind.index()])).sum();
    let weight = 3 * attacked.len() as i32 + 3 * pressed.len() as i32 + 5 * weak.len() as i32;
    let units = weight + if weight > 0 { ready } else { ready / 3 };
    // Two attackers are more than twice as bad as one.
    (units * units / DANGER).min(MOST_DANGER)
}

/// What pieces in hand add to an attack.
fn ready(variant: &Variant, kind: Kind, count: u8) -> i32 {
    let value = variant.values.hand[kind.index()];
    i32::from(count.min(3)) * (value / 60).clamp(2, 10)
}

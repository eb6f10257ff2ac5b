//! Evaluation: that of shogi, plus the remaining freezes.

use crate::position::Position;
use game::Evaluation;
use shogi::{Change, Color};

/// The value of a player's remaining freezes. The last is worth most: with it, every check that only one kind of piece
/// can answer is mate. With much smaller values, freezes are wasted early and missed later (`BENCHMARKS.md`).
#[must_use]
pub fn stock_value(left: u8) -> i32 {
    const WORTH: [i32; 4] = [0, 1500, 2300, 2900];
    const EACH_MORE: i32 = 100;
    let most = WORTH.len() - 1;
    WORTH[usize::from(left).min(most)] + EACH_MORE * (i32::from(left) - most as i32).max(0)
}

/// An evaluation of shogi that also counts freezes.
///
/// ```
/// use freeze::{Counts, FreezeEvaluation, Position};
/// use game::Evaluation;
/// let mut evaluation = FreezeEvaluation(eval::Material::default());
/// let [rich, poor] = [Counts::new(3, 0), Counts::new(0, 3)].map(Position::startpos);
/// assert!(evaluation.value(&rich) > evaluation.value(&poor));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FreezeEvaluation<E>(pub E);

impl<E: Evaluation<shogi::Position>> Evaluation<Position> for FreezeEvaluation<E> {
    const HUNDRED_CENTIPAWNS: i32 = E::HUNDRED_CENTIPAWNS;

    fn refresh(&mut self, position: &Position) {
        self.0.refresh(position.shogi());
    }

    fn push(&mut self, changes: &[Change]) {
        self.0.push(changes);
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn value(&mut self, position: &Position) -> i32 {
        let stock = |color: Color| {
            if position.has_freezes(color) { stock_value(position.left().of(color)) } else { 0 }
        };
        let side = position.shogi().side();
        self.0.value(position.shogi()) + stock(side) - stock(!side)
    }
}

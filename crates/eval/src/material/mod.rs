//! Evaluation without a file: pieces, where they stand, and what they attack.

mod attack_counts;
mod control;
mod level;
mod placement;
mod survey;

pub use level::{MaterialLevel, ParseMaterialLevelError};

use control::ControlWeights;
use game::Evaluation;
use shogi::{Change, Color, Position};
use survey::Survey;

/// The evaluation that needs no file: the fallback if there is no network.
///
/// It stores nothing between calls.
///
/// ```
/// use eval::{Material, MaterialLevel};
/// use game::Evaluation;
/// use shogi::Position;
/// let rook_down = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1")?;
/// assert!(Material::default().value(&rook_down) < -900);
/// assert!(Material::new(MaterialLevel::Pieces).value(&rook_down) < -900);
/// # Ok::<(), shogi::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Material {
    level: MaterialLevel,
}

/// The value of having the move; it also makes balanced positions differ.
const TEMPO: i32 = 36;

impl Material {
    /// An evaluation of this level.
    #[must_use]
    pub const fn new(level: MaterialLevel) -> Self {
        Self { level }
    }

    /// What it takes into account.
    #[must_use]
    pub const fn level(self) -> MaterialLevel {
        self.level
    }

    /// Everything beyond piece values, from Black's point of view.
    fn knowledge(self, position: &Position) -> i32 {
        let weights = match self.level {
            MaterialLevel::Pieces => return 0,
            MaterialLevel::Squares => {
                return placement::of(position, Color::Black) - placement::of(position, Color::White);
            }
            MaterialLevel::KingSafety => &ControlWeights::KINGS_ONLY,
            MaterialLevel::Mobility => &ControlWeights::FULL,
        };
        let black = Survey::new(position, Color::Black);
        let white = Survey::new(position, Color::White);
        black.value(&white, position, weights) - white.value(&black, position, weights)
    }
}

impl Evaluation<Position> for Material {
    /// A pawn's value.
    const HUNDRED_CENTIPAWNS: i32 = 90;

    fn refresh(&mut self, _: &Position) {}

    fn push(&mut self, _: &[Change]) {}

    fn pop(&mut self) {}

    fn value(&mut self, position: &Position) -> i32 {
        let balance = position.material() + self.knowledge(position);
        TEMPO + if position.side() == Color::Black { balance } else { -balance }
    }
}

#[cfg(test)]
mod tests;

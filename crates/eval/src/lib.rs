//! Evaluations of shogi positions: plain [`Material`], and the networks of [`nnue`].
//!
//! Files of many years share a numbering of pieces in their places, [`BonaPiece`].

mod bona_piece;
pub mod nnue;

pub use bona_piece::BonaPiece;

use game::Evaluation;
use shogi::{Change, Color, Position};

/// The material balance, which every position keeps anyway, and a small bonus for having the move.
///
/// ```
/// use eval::Material;
/// use game::Evaluation;
/// use shogi::Position;
/// let rook_down = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1")?;
/// assert!(Material.value(&rook_down) < -900);
/// # Ok::<(), shogi::SfenError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

/// A move is worth something; also keeps values of balanced positions from being all alike.
const TEMPO: i32 = 10;

impl Evaluation<Position> for Material {
    /// A pawn's value.
    const HUNDRED_CENTIPAWNS: i32 = 90;

    fn refresh(&mut self, _: &Position) {}

    fn push(&mut self, _: &[Change]) {}

    fn pop(&mut self) {}

    fn value(&mut self, position: &Position) -> i32 {
        let balance = match position.side() {
            Color::Black => position.material(),
            Color::White => -position.material(),
        };
        balance + TEMPO
    }
}

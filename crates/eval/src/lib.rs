//! Evaluations of shogi positions.
//!
//! | evaluation | what it needs |
//! |---|---|
//! | [`Evaluator`] | whichever of these there is |
//! | [`Material`] | nothing: piece values and shogi knowledge, in levels |
//! | [`kppt`] | the three tables of KPPT or `KPP_KKPT`, mapped into memory |
//! | [`nnue`] | a network, `nn.bin`, of any shape in use |
//!
//! Files of many years share a numbering of pieces in their places, [`BonaPiece`].

mod bona_piece;
mod evaluator;
pub mod kppt;
mod material;
pub mod nnue;

pub use bona_piece::BonaPiece;
pub use evaluator::{Evaluator, EvaluatorError};
pub use material::{Material, MaterialLevel, ParseMaterialLevelError};

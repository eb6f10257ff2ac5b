//! Evaluations of shogi positions.
//!
//! | evaluation | what it needs |
//! |---|---|
//! | [`Evaluator`] | whichever of these there is |
//! | [`Material`] | nothing: piece values and shogi knowledge, in levels |
//! | [`kppt`] | the three tables of KPPT or `KPP_KKPT`, mapped into memory |
//! | [`nnue`] | a network, `nn.bin`, of any shape in use |
//! | [`EmbeddedNet`] | nothing: the network that was compiled in, if there was one |
//!
//! Files of many years share a numbering of pieces in their places, [`BonaPiece`].

mod bona_piece;
mod embedded;
mod evaluator;
pub mod kppt;
mod material;
mod new_files;
pub mod nnue;

pub use bona_piece::BonaPiece;
pub use embedded::{EmbeddedNet, EmbeddedNetError};
pub use evaluator::{Evaluator, EvaluatorError, LoadOptions, Saved};
pub use material::{Material, MaterialLevel, ParseMaterialLevelError};
pub use new_files::WriteError;

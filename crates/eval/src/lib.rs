//! Evaluations of shogi positions.
//!
//! | evaluation | what it needs |
//! |---|---|
//! | [`Material`] | nothing: piece values and shogi knowledge, in levels |
//! | [`kppt`] | the three tables of KPPT or `KPP_KKPT`, mapped into memory |

mod bona_piece;
pub mod kppt;
mod material;

pub use bona_piece::BonaPiece;
pub use material::{Material, MaterialLevel, ParseMaterialLevelError};

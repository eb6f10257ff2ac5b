//! Evaluations of shogi positions.
//!
//! | evaluation | what it needs |
//! |---|---|
//! | [`Material`] | nothing: piece values and shogi knowledge, in levels |

mod material;

pub use material::{Material, MaterialLevel, ParseMaterialLevelError};

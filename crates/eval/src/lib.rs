//! Evaluations of shogi positions.
//!
//! | evaluation | what it needs |
//! |---|---|
//! | [`Evaluator`] | any of the following |
//! | [`Material`] | nothing: piece values and shogi knowledge, in levels |
//! | [`kppt`] | the three tables of KPPT or `KPP_KKPT`, mapped into memory |
//! | [`nnue`] | a network, `nn.bin`, of any shape in use |
//! | [`EmbeddedNet`] | nothing: the network that was compiled in, if any |
//!
//! [`NetFile`] describes, exports and embeds network files; [`Comparison`] compares evaluations; [`EvalBench`] measures their speed.
//!
//! [`BonaPiece`] is the numbering of pieces in places that KPPT and NNUE files share.

mod bench;
mod bona_piece;
mod embedded;
mod evaluator;
pub mod kppt;
mod material;
mod net_file;
mod new_files;
pub mod nnue;

pub use bench::{BenchLength, EvalBench};
pub use bona_piece::BonaPiece;
pub use embedded::{EmbeddedNet, EmbeddedNetError};
pub use evaluator::{Evaluator, EvaluatorError, LoadOptions, Saved};
pub use material::{Material, MaterialLevel, ParseMaterialLevelError};
pub use net_file::{Comparison, ComparisonError, EmbedError, Embedding, NetFile, NetFileError};
pub use new_files::WriteError;

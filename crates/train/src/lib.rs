//! Training: self-play games, formats of training data, and learning.
//!
//! | to | see |
//! |---|---|
//! | generate games of self-play | [`generate`] |
//! | store games in two or three bytes per position | [`pack`], [`TrainingGame`] |
//! | read training data of any format | [`corpus`], [`DataFormat`] |
//! | write it | [`DataFile`], [`output`] |
//! | fit networks | [`fit`] |
//! | learn tables of the KPPT family | [`kppt`] |
//! | run the console's `learn` and `gensfen` | [`console`] |
//! | train on another machine | [`tensors`], [`perturb`] |
//! | make a network from scratch | [`pipeline`] |

mod check;
pub mod console;
pub mod corpus;
mod data_file;
mod data_format;
mod evaluation;
pub mod fit;
mod game;
pub mod generate;
mod hcpe3;
pub mod kppt;
pub mod output;
pub mod pack;
pub mod perturb;
pub mod pipeline;
mod stats;
pub mod tensors;

pub use check::{CheckError, check_file};
pub use data_file::{DataError, DataFile, Written};
pub use data_format::DataFormat;
pub use evaluation::{EvaluationChoice, EvaluationChoiceError, IdentifiedEvaluation};
pub use game::{Ending, ScoredMove, TrainingGame};
pub use hcpe3::{Hcpe3Error, Hcpe3Reader, write_hcpe3};
pub use stats::{Stats, fit_scale};

/// A hash for identifying content (FNV-1a).
///
/// ```
/// assert_eq!(train::fingerprint(b"a"), 0xAF63_DC4C_8601_EC8C);
/// ```
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

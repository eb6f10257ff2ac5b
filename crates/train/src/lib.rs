//! Teachers and nets: games played for data, the formats of teachers, and learning.
//!
//! | to | see |
//! |---|---|
//! | play games for data | [`generate`] |
//! | keep games in two or three bytes a position | [`pack`], [`TeacherGame`] |
//! | read teachers of any kind | [`corpus`] |
//! | fit networks to teachers | [`fit`] |
//! | learn tables of the KPPT family | [`kppt`] |
//! | train on another machine | [`tensors`], [`Stray`], [`Visited`] |

pub mod corpus;
pub mod fit;
mod game;
pub mod generate;
mod hcpe3;
pub mod kppt;
pub mod pack;
mod stats;
mod stray;
pub mod tensors;
mod visited;

pub use game::{Ending, ScoredMove, TeacherGame};
pub use hcpe3::{Hcpe3Error, Hcpe3Reader, write_hcpe3};
pub use stats::{Stats, fit_scale};
pub use stray::Stray;
pub use visited::{Visited, VisitedOfGame};

/// A number that tells contents apart (FNV-1a).
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

//! NNUE: small networks whose first layer is updated incrementally.
//!
//! | to | see |
//! |---|---|
//! | describe the shape of a network | [`Architecture`], [`Features`], [`KingZones`], [`Stacks`] |
//! | make a network from plain arrays, or take it apart | [`Parameters::from_layers`], [`Parameters::layers`] |
//! | read and write files | [`Parameters::read`], [`Parameters::write`], [`NetworkError`] |
//! | record how a network was made | [`Parameters::facts`], [`Facts`] |
//! | convert a network to other features | [`Parameters::with_features`] |
//! | evaluate from scratch (slow, the reference) | [`Parameters::evaluate`] |
//! | evaluate fast | [`Network`], [`NnueEvaluation`], [`Isa`] |

mod features;
mod file;
mod incremental;
mod network;
mod shape;
mod simd;

pub use features::Features;
pub use features::buckets::{HandBuckets, KingBuckets};
pub use features::king_zones::{KingZones, KingZonesError};
pub use features::refeature::FeaturesError;
pub use file::error::{ArchitectureError, HashMismatch, NetworkError};
pub use file::facts::Facts;
pub use file::read::Loaded;
pub use incremental::evaluation::NnueEvaluation;
pub use network::layers::{DenseLayer, Layers, LayersError};
pub use network::parameters::Parameters;
pub use network::{FILE_NAME, Network};
pub use shape::architecture::{Architecture, Model, Shards, Stacks};
pub use simd::{Isa, ParseIsaError};

/// The version at the beginning of every network file.
pub const VERSION: u32 = 0x7AF3_2F16;

/// Values of positions are clamped to this, below all values of mates.
pub const MAX_VALUE: i32 = 31_753;

/// Converts the result of [`Parameters::evaluate`] to the unit of the search: divides by `FV_SCALE`, rounding toward
/// zero.
///
/// ```
/// use eval::nnue::scale;
/// assert_eq!(scale(-47, 24), -1);
/// assert_eq!(scale(i32::MAX, 16), 31_753);
/// ```
#[inline]
#[must_use]
pub fn scale(value: i32, fv_scale: i32) -> i32 {
    (value / fv_scale.max(1)).clamp(-MAX_VALUE, MAX_VALUE)
}

//! NNUE: small networks that are evaluated by what a move changes.
//!
//! | to | see |
//! |---|---|
//! | know the shape of a network | [`Architecture`], [`Features`], [`KingZones`], [`Stacks`] |
//! | make a network from plain arrays, or take it apart | [`Parameters::from_layers`], [`Parameters::layers`] |
//! | read and write files | [`Parameters::read`], [`Parameters::write`], [`NetworkError`] |
//! | know how a network was made | [`Parameters::facts`], [`Facts`] |
//! | give a network other features | [`Parameters::with_features`] |
//! | evaluate slowly and surely | [`Parameters::evaluate`] |
//! | evaluate fast | [`Network`], [`NnueEvaluation`], [`Isa`] |

mod accumulators;
mod activity;
mod aligned;
mod architecture;
mod buckets;
mod delta;
mod error;
mod evaluation;
mod facts;
mod feature_list;
mod features;
mod header_text;
mod king_view;
mod king_zones;
mod layers;
mod lean;
mod leb128;
mod network;
mod packed;
mod parameters;
mod read;
mod refeature;
mod reference;
mod refresh_cache;
mod simd;
mod source;
mod value_scale;
mod write;

pub use architecture::{Architecture, Model, Shards, Stacks};
pub use buckets::{HandBuckets, KingBuckets};
pub use error::{ArchitectureError, HashMismatch, NetworkError};
pub use evaluation::NnueEvaluation;
pub use facts::Facts;
pub use features::Features;
pub use king_zones::{KingZones, KingZonesError};
pub use layers::{DenseLayer, Layers, LayersError};
pub use network::{FILE_NAME, Network};
pub use parameters::Parameters;
pub use read::Loaded;
pub use refeature::FeaturesError;
pub use simd::{Isa, ParseIsaError};

/// What every network file begins with.
pub const VERSION: u32 = 0x7AF3_2F16;

/// Values of positions are clamped to this, below all values of mates.
pub const MAX_VALUE: i32 = 31_753;

/// What [`Parameters::evaluate`] says in the unit of the search: divided by `FV_SCALE`, rounding toward zero.
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

//! Incremental evaluation.

pub(in crate::nnue) mod accumulators;
pub(in crate::nnue) mod delta;
pub(in crate::nnue) mod evaluation;
pub(in crate::nnue) mod refresh_cache;

//! Training samples and their targets.

pub(in crate::fit) mod batch;
pub(in crate::fit) mod correction;
pub(in crate::fit) mod samples;
pub(in crate::fit) mod target;

//! Positions to learn from, and what a network should say of them.

pub(in crate::fit) mod batch;
pub(in crate::fit) mod correction;
pub(in crate::fit) mod samples;
pub(in crate::fit) mod target;

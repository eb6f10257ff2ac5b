//! Gradients and steps: batches of positions through the layers and back.

pub(in crate::fit) mod adam;
pub(in crate::fit) mod first_layer;
pub(in crate::fit) mod pass;
pub(in crate::fit) mod trainer;
pub(in crate::fit) mod upper;
pub(in crate::fit) mod vector;

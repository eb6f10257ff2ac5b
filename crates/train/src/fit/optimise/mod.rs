//! Forward and backward passes, and optimiser steps.

pub(in crate::fit) mod adam;
pub(in crate::fit) mod first_layer;
pub(in crate::fit) mod pass;
pub(in crate::fit) mod trainer;
pub(in crate::fit) mod upper;
pub(in crate::fit) mod vector;

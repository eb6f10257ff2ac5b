//! `variants.ini`: its sections, keys and pieces, and the [`rules::Rules`] that a section states.

pub mod betza;
pub(crate) mod ini;
mod keys;
pub(crate) mod library;
pub(crate) mod message;
pub(crate) mod piece;
pub(crate) mod region;
pub(crate) mod rules;

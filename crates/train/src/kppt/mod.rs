//! Trains KPPT and `KPP_KKPT` tables (pairs of pieces relative to a king), from zero.
//!
//! | to | see |
//! |---|---|
//! | hold the numbers during training | [`LearningTables`] |
//! | train them | [`KpptLearner`], [`LearnSettings`] |
//!
//! Entries that are equal by mirroring or by exchanging the players are one number here ([`lowered`]), so a position
//! also trains its mirror images.

mod learner;
pub mod lowered;
mod tables;

pub use learner::{HeldOut, KpptLearner, LearnNews, LearnSettings};
pub use tables::{Freeze, LearningTables};

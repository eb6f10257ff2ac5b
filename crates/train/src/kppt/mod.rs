//! Learning of KPPT and `KPP_KKPT`: pairs of pieces beside a king, from nothing.
//!
//! | to | see |
//! |---|---|
//! | hold the numbers while they are learned | [`LearningTables`] |
//! | learn them from training data | [`KpptLearner`], [`LearnSettings`] |
//!
//! Entries that mirroring, or looking from the other side, makes the same are one number here ([`lowered`]), so that a
//! position teaches about its mirror images too.

mod learner;
pub mod lowered;
mod tables;

pub use learner::{HeldOut, KpptLearner, LearnNews, LearnSettings};
pub use tables::{Freeze, LearningTables};

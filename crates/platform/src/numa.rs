//! Machines whose processors are divided into nodes with memory of their own: which thread runs where.
//!
//! A thread that stays on one node and has first touched its memory there has that memory near. [`NumaPolicy`] is the
//! user's choice, [`Topology`] the machine, [`Placement`] the result of both. Threads can be bound to processors on
//! Linux only.

mod placement;
mod policy;
mod processors;
mod topology;

pub use placement::{CAN_PIN, Placement, Seat, Seats, pin_to_core};
pub use policy::{NumaPolicy, ParseNumaPolicyError};
pub use processors::{ParseProcessorsError, Processors};
pub use topology::{NumaError, Topology};

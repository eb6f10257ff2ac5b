//! Games in a terminal.
//!
//! | to | see |
//! |---|---|
//! | play a game | [`Session`], [`Seats`] |
//! | keep its moves, clocks and record | [`Table`] |
//! | read what people type | [`read_typed`] |
//! | let an engine play, or ask it for advice | [`Opponent`], [`Advisor`] |
//! | draw it | [`view`] |
//! | show it | [`Face`], [`Plain`], [`Screen`] |

mod advisor;
mod face;
mod opponent;
mod pointing;
mod session;
mod table;
mod typed;
pub mod view;
mod words;

pub use advisor::Advisor;
pub use face::{Face, Input, Plain, Screen};
pub use opponent::{Opponent, Reply, Thinking};
pub use session::{PlayError, Seat, Seats, Session};
pub use table::{SaveError, Table};
pub use typed::{Typed, read_typed};
pub use words::Words;

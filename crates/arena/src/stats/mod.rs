//! Statistics of game results: Elo, normalised Elo, likelihood of superiority, sequential tests.
//!
//! Games are counted in pairs from the same opening with colours reversed, so that the advantage of the opening cancels
//! out. A pair scores 0 to 4 half points, and a [`Pentanomial`] counts the five cases.

mod elo;
mod likelihood;
mod pentanomial;
mod sprt;

pub use elo::{Estimate, expected_score};
pub use likelihood::{EloModel, llr};
pub use pentanomial::{ParsePentanomialError, Pentanomial};
pub use sprt::{Decision, SPRT_WORDS, Sprt};

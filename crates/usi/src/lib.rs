//! The USI protocol: words, options, clocks and the engine session, for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`Go`], [`Limits`], [`MateLimits`] | what `go` asks for |
//! | [`parse_ponderhit`] | the clocks that `ponderhit` may bring |
//! | [`time`] | how long to think |

mod go;
pub mod time;

pub use go::{Go, GoWarning, Limits, MateLimits, parse_ponderhit};

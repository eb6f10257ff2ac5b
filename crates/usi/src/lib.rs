//! The USI protocol: words, options, clocks and the engine session, for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`Session`] | reads commands, keeps position and options, and lets an engine think |
//! | [`Engine`] | what a session drives: any player of any game; [`SearchEngine`] is this project's |
//! | [`options`] | the table of options, `setoption`, and the files that override it |
//! | [`Go`], [`Limits`] | what `go` asks for |
//! | [`time`] | how long a move may take |
//! | [`Output`] | one writer for all threads |

mod engine;
mod go;
pub mod options;
mod output;
mod session;
pub mod time;

pub use engine::{Engine, FixedTime, Mate, MateReport, MoveOf, SearchEngine};
pub use go::{Go, GoWarning, Limits, MateLimits, parse_ponderhit};
pub use output::Output;
pub use session::{DrillLimits, Flow, Session, is_command, perft};

//! The USI protocol: words, options, clocks and the engine session, for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`Session`] | reads commands, keeps position and options, and lets an engine think |
//! | [`Console`], [`Games`] | a session whose game a host may change (`USI_Variant`) |
//! | [`Extension`] | an option that turns one game into another, besides `USI_Variant` |
//! | [`Desk`] | what a session needs besides its game, and hands on to the next one |
//! | [`Engine`] | what a session drives: any player of any game; [`SearchEngine`] is this project's |
//! | [`Workshop`] | long work of an engine: books, learning, teachers |
//! | [`options`] | the table of options, `setoption`, and the files that override it |
//! | [`Go`], [`Limits`] | what `go` asks for |
//! | [`time`] | how long a move may take |
//! | [`Output`], [`Captured`] | one writer for all threads; one that keeps what it is told |

mod captured;
mod engine;
mod go;
mod numa_option;
pub mod options;
mod output;
#[cfg(any(test, feature = "tuning"))]
mod parameter_log;
mod replaced;
mod session;
pub mod time;
mod workshop;

pub use captured::Captured;
pub use engine::{Engine, FixedTime, Mate, MateReport, MoveOf, SearchEngine};
pub use go::{Go, GoWarning, Limits, MateLimits, parse_ponderhit};
pub use output::{Fault, Output};
pub use session::{
    AnySession, Console, Desk, DrillLimits, Extension, Flow, Games, Session, is_command, perft,
};
pub use workshop::{Errand, WorkError, Workshop, WrongUsage};

//! The USI protocol: words, options, clocks and the engine session, for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`Session`] | reads commands, keeps position and options, and lets an engine think |
//! | [`Console`], [`Games`] | a session whose game a host may change (`USI_Variant`) |
//! | [`Extension`] | an option that turns one game into another, besides `USI_Variant` |
//! | [`SessionContext`] | what a session needs besides its game, and hands on to the next one |
//! | [`Engine`] | what a session drives: any player of any game; [`SearchEngine`] is this project's |
//! | [`BookMoves`], [`MateSolver`], [`StaticEval`], [`ConsoleCommands`], [`EngineTests`], [`UserCommand`] | what an engine may be able to do besides |
//! | [`LongCommand`] | `makebook`, `learn`, `gensfen` |
//! | [`options`] | the table of options, `setoption`, and the files that override it |
//! | [`Go`], [`Limits`] | the arguments of `go` |
//! | [`time`] | how long a move may take |
//! | [`Output`], [`Captured`] | one writer for all threads; one that keeps lines in memory |

mod captured;
mod engine;
mod fixed_time;
mod go;
mod long_command;
mod numa_option;
pub mod options;
mod output;
#[cfg(any(test, feature = "tuning"))]
mod parameter_log;
mod replaced;
mod search_engine;
mod session;
pub mod time;

pub use captured::Captured;
pub use engine::{BookMoves, ConsoleCommands, EngineTests, MateSolver, StaticEval, UserCommand};
pub use engine::{Engine, Mate, MateReport, MoveOf};
pub use fixed_time::FixedTime;
pub use go::{Go, GoWarning, Limits, MateLimits, parse_ponderhit};
pub use long_command::{CommandContext, CommandFailure, LongCommand, WrongUsage};
pub use output::{Fault, Output};
pub use search_engine::SearchEngine;
pub use session::{
    AnySession, CommandLimits, Console, Extension, Flow, Games, Session, SessionContext, is_command, perft,
};

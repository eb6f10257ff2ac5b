//! The USI protocol: commands, options, clocks and engine sessions, for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`Session`] | executes commands, keeps position and options, and runs an engine |
//! | [`Console`], [`Games`] | a session whose game the host can change (`USI_Variant`) |
//! | [`Extension`] | an option that turns one game into another, besides `USI_Variant` |
//! | [`SessionContext`] | the state of a session that survives a change of the game |
//! | [`Engine`] | the interface of a session to any player of any game; [`SearchEngine`] is this project's |
//! | [`BookMoves`], [`PlayAtLevel`], [`MateSolver`], [`StaticEval`], [`ConsoleCommands`], [`EngineTests`], [`UserCommand`] | optional capabilities |
//! | [`LongCommand`] | `makebook`, `learn`, `gensfen` |
//! | [`options`] | the table of options, `setoption`, and the files that override it |
//! | [`Level`], [`Rank`] | playing below strength: the steps that people choose, and their names |
//! | [`Go`], [`Limits`] | the arguments of `go` |
//! | [`time`] | time management |
//! | [`Output`], [`Captured`] | the writer that all threads share; one that keeps lines in memory |

mod captured;
mod engine;
mod fixed_time;
mod go;
mod level;
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
pub use engine::{BookMoves, ConsoleCommands, EngineTests, MateSolver, PlayAtLevel, StaticEval, UserCommand};
pub use engine::{Engine, Mate, MateReport, MoveOf};
pub use fixed_time::FixedTime;
pub use go::{Go, GoWarning, Limits, MateLimits, parse_ponderhit};
pub use level::{Level, Rank};
pub use long_command::{CommandContext, CommandFailure, LongCommand, WrongUsage};
pub use output::{Fault, Output};
pub use search_engine::SearchEngine;
pub use session::{
    AnySession, CommandLimits, Console, Extension, Flow, Games, Runner, Session, SessionContext,
    SteppedConsole, is_command, perft,
};

//! Matches between USI engines, their statistics, tuning and checks for engine authors.
//!
//! | item | what it is |
//! |---|---|
//! | [`EngineSpec`], [`TimeControl`] | an engine and its time |
//! | [`Referee`] | the rules: legality of every move, ends of games, adjudication |
//! | [`play()`], [`Verdict`], [`Reason`] | one game, and how it ended |
//! | [`setup`] | engines, cores and rules from the words of a command line |
//! | [`tournament`] | many games in parallel, in a folder from which a killed run resumes |
//! | [`stats`] | Elo, normalised Elo, likelihood of superiority, sequential tests |
//! | [`openings`] | where games begin |
//! | [`tune`] | parameters tuned by SPSA |
//! | [`result_log`] | win rates from an engine's own log |
//! | [`compliance`] | checks of what USI hosts rely on |
//! | [`game_files`] | games as KIF and CSA |
//!
//! Everything is written against `game`'s traits; a game that is to be refereed implements [`GameFiles`] on top.

pub mod compliance;
mod engine;
pub mod game_files;
pub mod openings;
mod play;
mod record_format;
mod referee;
pub mod result_log;
pub mod setup;
pub mod stats;
mod time;
pub mod tournament;
pub mod tune;
mod verdict;
mod words;

pub use engine::{Answer, ENGINE_WORDS, EngineSpec, Score, Session, StartError, Thought};
pub use game_files::GameFiles;
pub use play::{Conditions, PlayError, Played, PlayedMove, Player, Remark, RemarkKind, play};
pub use referee::{Adjudication, Referee, Rule, Ruling};
pub use time::{Clock, TimeControl};
pub use verdict::{Aftermath, GameResult, Reason, Verdict};
pub use words::WordError;

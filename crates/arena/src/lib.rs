//! Matches between USI engines: referee, tournaments, statistics, tuning, and compliance checks.
//!
//! | item | what it is |
//! |---|---|
//! | [`EngineSpec`], [`TimeControl`] | an engine and its time control |
//! | [`Referee`] | the rules: legality of every move, ends of games, adjudication |
//! | [`play()`], [`Verdict`], [`Reason`] | one game, and its end |
//! | [`setup`] | engines, cores and rules from command-line words |
//! | [`tournament`] | many games in parallel, in a folder from which a killed run resumes |
//! | [`stats`] | Elo, normalised Elo, likelihood of superiority, sequential tests |
//! | [`openings`] | start positions |
//! | [`tune`] | parameters tuned by SPSA |
//! | [`result_log`] | win rates from an engine's own log |
//! | [`compliance`] | checks of what USI hosts rely on |
//! | [`game_files`] | games as KIF and CSA |
//!
//! All of it is generic over `game`'s traits; a game that is played in matches also implements [`GameFiles`].

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

pub use engine::{Answer, ENGINE_WORDS, EngineSpec, FLOOD, Info, Score, SearchInfo, Session, StartError};
pub use game_files::GameFiles;
pub use play::{Conditions, PlayError, Played, PlayedMove, Player, Remark, RemarkKind, play};
pub use referee::{Adjudication, Referee, Rule, Ruling};
pub use time::{Clock, TimeControl, go_words};
pub use verdict::{Aftermath, GameResult, Reason, Verdict};
pub use words::WordError;

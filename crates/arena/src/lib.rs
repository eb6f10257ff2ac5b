//! Matches between USI engines that an author can trust.
//!
//! | item | what it is |
//! |---|---|
//! | [`EngineSpec`], [`TimeControl`] | who plays, and for how long |
//! | [`Referee`] | knows the rules and believes nobody |
//! | [`play()`], [`Verdict`], [`Reason`] | one game, and how it ended |
//! | [`tournament`] | many games by many hands, in a folder that survives a kill |
//! | [`stats`] | Elo, normalised Elo, likelihood of superiority, sequential tests |
//! | [`openings`] | where games begin |
//! | [`tune`] | parameters tuned by SPSA |
//! | [`result_log`] | win rates from an engine's own log |
//! | [`compliance`] | what hosts rely on, checked |
//! | [`game_files`] | games as KIF and CSA |
//!
//! Everything is written against `game`'s traits; a game that is to be refereed implements [`GameFiles`] on top.

pub mod compliance;
mod engine;
pub mod game_files;
pub mod openings;
mod play;
mod referee;
pub mod result_log;
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

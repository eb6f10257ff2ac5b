//! What the server says by itself.

use super::{
    Analysis, Change, Clocks, EngineStatus, GameAnalysis, MiningProgress, RunState, TsumeReport, TsumeResult,
};
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first one on a new socket.
    Hello(Hello),
    /// A board that this tab subscribed to has changed.
    Changed(Changed),
    /// Another tab looks at another node; only for tabs that follow.
    Cursor(CursorMoved),
    /// New lines of an engine.
    Analysis(Analysis),
    /// An engine started, stopped, failed.
    Engine(EngineStatus),
    /// Progress of `analyse_game`.
    GameAnalysis(GameAnalysis),
    /// The clocks of a game after a move; pages count down by themselves.
    Clock(ClockEvent),
    /// Progress and end of `book.mine`.
    Mining(MiningProgress),
    /// Progress and result of `tsume.solve`.
    Tsume(TsumeResult),
    /// The result of `tsume.report`.
    TsumeReport(Box<TsumeReport>),
    /// A run that is watched has grown.
    Run(Box<RunState>),
    /// The list of boards, or of runs, has changed: ask again.
    Lists,
    /// The server ends; pages try to reach it again.
    Goodbye,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Hello {
    /// `Tsumugi 0.2.0`.
    pub version: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Changed {
    pub board: String,
    /// The revision after the changes; a page that misses one subscribes again with the last it knows.
    pub rev: u32,
    pub changes: Vec<Change>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CursorMoved {
    pub board: String,
    pub node: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClockEvent {
    pub board: String,
    pub clocks: Clocks,
}

//! Analysis.

use super::{NamedMove, Value};
use serde::{Deserialize, Serialize};

/// An engine that may be asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EngineName {
    /// The name that requests use: `tsumugi` for ours.
    pub engine: String,
    pub name: String,
    /// The games that it plays; all if empty.
    pub games: Vec<String>,
    /// Whether it can play at levels.
    pub levels: bool,
}

/// What an engine thinks of a position now.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Analysis {
    pub board: String,
    pub node: u32,
    pub engine: String,
    /// Best first; a line per `multipv`.
    pub lines: Vec<PvLine>,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    #[cfg_attr(test, ts(optional = nullable))]
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// Per mille of the table in use.
    pub hashfull: Option<u32>,
    /// Milliseconds since it began.
    pub time: Option<u64>,
    /// It has ended by itself (mate found, or the limit of a whole-game analysis).
    pub done: bool,
}

/// One line of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct PvLine {
    /// From 1.
    pub rank: u32,
    /// For black.
    pub score: Option<Value>,
    /// `lower` or `upper` where the value is a bound only, for black.
    pub bound: Option<String>,
    pub depth: Option<u32>,
    pub moves: Vec<NamedMove>,
}

/// How an engine is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EngineStatus {
    pub board: String,
    pub engine: String,
    pub state: EngineState,
    /// Why, where there is more to say: a sentence.
    pub text: String,
}

/// What an engine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EngineState {
    Starting,
    Thinking,
    /// It was stopped, or is done.
    Idle,
    /// It ended in the middle and is started again.
    Restarting,
    /// It does not start, or ended too often: `text` says why.
    Failed,
}

/// How far the analysis of a whole game is; evaluations arrive as changes of nodes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameAnalysis {
    pub board: String,
    pub engine: String,
    pub done: u32,
    pub total: u32,
    /// It is over or was stopped.
    pub finished: bool,
}

/// Answer to `hint`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Hint {
    pub node: u32,
    pub best: NamedMove,
    /// For black.
    pub score: Option<Value>,
}

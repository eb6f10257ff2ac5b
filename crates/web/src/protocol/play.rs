//! Playing.

use super::Side;
use serde::{Deserialize, Serialize};

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Player {
    /// A person at any tab.
    Human {
        /// For the record.
        #[serde(default)]
        name: String,
    },
    /// An engine.
    Engine {
        /// As in `about`.
        engine: String,
        /// 1 to `About.levels`; the strongest where absent.
        level: Option<u32>,
    },
}

/// Time for a game, in milliseconds; no limit where all are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct ClockRules {
    /// 持ち時間
    pub main: u64,
    /// 秒読み
    pub byoyomi: u64,
    /// Fischer: added after each move.
    pub increment: u64,
}

/// The clocks of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Clocks {
    /// Main time left, in milliseconds, black's first.
    pub main: [u64; 2],
    /// Byoyomi left of this move; the full period for the side that waits.
    pub byoyomi: [u64; 2],
    /// Whose clock runs.
    pub running: Option<Side>,
    /// Whether there is any limit.
    pub limited: bool,
}

/// A game in progress, or over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct PlayState {
    /// Black's player first.
    pub sides: [Player; 2],
    /// Where the game is; `play` at this node moves in it.
    pub node: u32,
    pub rules: ClockRules,
    pub clocks: Clocks,
    /// An engine is thinking about its move.
    pub thinking: bool,
    /// The game is over; the record's last node says how.
    pub over: bool,
}

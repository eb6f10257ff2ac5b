//! The record of a board: positions with moves between them.

use super::{PlayState, Rules, Side, Words};
use serde::{Deserialize, Serialize};

/// A whole board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Snapshot {
    pub board: String,
    /// Counts the changes.
    pub rev: u32,
    pub rules: Rules,
    /// The start position as text.
    pub start: String,
    /// Names and values of the header, as KIF has them: 先手, 後手, 棋戦, 開始日時, …
    pub header: Vec<[String; 2]>,
    /// All nodes; a parent comes before its children, siblings in their order, the main line first. The root is node 1.
    pub nodes: Vec<TreeNode>,
    /// The game in progress, or how it ended.
    pub play: Option<PlayState>,
    /// What `undo` and `redo` would do.
    pub can_undo: bool,
    pub can_redo: bool,
}

/// A position of the record and the move that led to it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct TreeNode {
    pub id: u32,
    /// Absent for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Moves from the root.
    pub ply: u32,
    /// The move; absent for the root and for an ending.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `７六歩`, `同　銀`, without ▲ and △; for an ending its word: `投了`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ja: String,
    /// `P-76`, `Sx34`; `resigns`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub en: String,
    /// Who moved (or ended the game).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The code of the ending (as `SceneOutcome.reason`), if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Milliseconds that the move took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<NodeEval>,
    /// Signs of `mark`: `!`, `!!`, `?`, `??`, `!?`, `?!`, `bookmark`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

/// What an engine thought of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct NodeEval {
    /// For black.
    pub score: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The engine's name; absent where the value was in a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The move it would have played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<NamedMove>,
}

/// A value, in centipawns or as a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// `{"cp":120}`
    Cp(i32),
    /// `{"mate":-5}`: plies to the end, negative where the side loses.
    Mate(i32),
}

impl Value {
    /// The same value for the opponent.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Mate(plies) => Self::Mate(plies.saturating_neg()),
        }
    }
}

/// A move in both notations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedMove {
    #[serde(rename = "move")]
    pub text: String,
    pub ja: String,
    pub en: String,
}

/// Answer to `subscribe`: what has changed since the revision that was named, or everything.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Subscribed {
    pub rev: u32,
    pub all: Option<Snapshot>,
    pub changes: Option<Vec<Change>>,
}

/// A change of a board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum Change {
    /// Nodes that are new, or whose notes changed.
    Put { nodes: Vec<TreeNode> },
    /// The children of a node in their order; those that are not named are gone with all that follows them.
    Children { node: u32, children: Vec<u32> },
    /// The header.
    Header { header: Vec<[String; 2]> },
    /// The game in progress.
    Play { play: Option<PlayState> },
    /// So much changed that the whole board is sent.
    All { board: Box<Snapshot> },
    /// What `undo` and `redo` would do.
    History { can_undo: bool, can_redo: bool },
}

/// Answer to `open`, `new_game`, `runs.open`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opened {
    pub board: String,
    /// What the record had that could not be taken over, a sentence each.
    pub notices: Vec<String>,
}

/// Answer to `play`, `add_line`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Played {
    /// Where the move leads; the last one for a line.
    pub node: u32,
    pub scene: super::Scene,
}

/// Answer to `paste`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pasted {
    /// The node to show: the end of the main line, or the root of a position.
    pub node: u32,
    pub notices: Vec<String>,
}

/// Answer to `export`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Exported {
    /// A name for the file.
    pub name: String,
    pub text: String,
    /// What the format could not take over, a sentence each.
    pub losses: Vec<String>,
}

/// Answer to `edit_position`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Edited {
    /// The position as text, if it can be written at all.
    pub text: Option<String>,
    /// Why play cannot begin from it.
    pub problem: Option<String>,
    /// The same in Japanese, where the game knows it.
    pub problem_ja: Option<String>,
    pub scene: Option<super::Scene>,
    /// Pieces that are missing from the game's full set (or too many, negative), by kind.
    pub missing: Vec<super::Missing>,
}

/// Answer to `preview`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Preview {
    /// The position after the moves that could be played.
    pub scene: super::Scene,
    pub line: Vec<NamedMove>,
    /// Why the rest could not be played.
    pub stopped: Option<Words>,
}

//! What to draw at a node.

use super::{Side, Words};
use serde::{Deserialize, Serialize};

/// A position with everything that a page needs to show it and to let people move in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Scene {
    /// The node that it belongs to; 0 for a preview.
    pub node: u32,
    /// Names of the files from left to right, as squares are named: a square is its file and its rank, `7g`.
    pub files: Vec<String>,
    /// Names of the ranks from top to bottom.
    pub ranks: Vec<String>,
    /// Squares, row by row from the upper left corner; `null` where nothing stands.
    pub cells: Vec<Option<Cell>>,
    /// Pieces in hand, black's first; each kind in the order in which it is shown.
    pub hands: [Vec<Held>; 2],
    /// The side to move.
    pub side: Side,
    /// Number of the move to come, as the position text counts it.
    pub ply: u32,
    /// Squares of royal pieces in check.
    pub check: Vec<String>,
    /// Squares that the last move touched; where it went comes first.
    pub last: Vec<String>,
    /// Legal moves by where they come from.
    pub legal: Vec<Origin>,
    /// The side to move may declare a win (入玉宣言).
    pub declare: bool,
    /// The last move and what matters now, as a screen reader says it.
    pub say: Words,
    /// The position as text (SFEN).
    pub text: String,
    /// How the game ended, by its rules or by what the node says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<SceneOutcome>,
    /// Freeze shogi.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freeze: Option<FreezeScene>,
    /// Games that begin by placing pieces, as long as that goes on, and kinds that are locked afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<SetupScene>,
    /// Games in which a number of checks wins: how many are still to be given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<[u32; 2]>,
    /// Binarsi: the thirteen lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<Vec<WayScene>>,
    /// Binarsi: the six targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<Vec<TargetScene>>,
}

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Cell {
    /// Its letter, upper case, without a plus: `P`; `+` in front where it is promoted: `+P`. The key of [`Palette`].
    pub kind: String,
    pub side: Side,
    /// Whether its picture is that of a promoted piece.
    #[serde(default, skip_serializing_if = "is_false")]
    pub promoted: bool,
    /// It may not move now (frozen).
    #[serde(default, skip_serializing_if = "is_false")]
    pub frozen: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A kind of pieces in hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Held {
    /// The key of [`Palette`].
    pub kind: String,
    pub count: u32,
    /// It may not be dropped any more in this game.
    #[serde(default, skip_serializing_if = "is_false")]
    pub locked: bool,
    /// It may not be dropped now (frozen).
    #[serde(default, skip_serializing_if = "is_false")]
    pub frozen: bool,
}

/// Where legal moves come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Origin {
    /// A square (`7g`), a piece in hand (`P*`), or a line of Binarsi (`4`).
    pub from: String,
    pub to: Vec<Target>,
}

/// Where a piece may go. `from` + `to` is the base move that `expand` takes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Target {
    /// A square; empty for Binarsi.
    pub to: String,
    /// The only move of this base move, as `play` takes it. Where there is none, `expand` lists the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<String>,
}

/// How the game ended here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct SceneOutcome {
    /// Nobody for a draw or a game that was broken off.
    pub winner: Option<Side>,
    /// `resign`, `mate`, `repetition`, `perpetual_check`, `declaration`, `move_limit`, `goal`, `points`, `time`, `illegal`,
    /// `interrupt`, `other`.
    pub reason: String,
    /// A sentence about it.
    pub say: Words,
}

/// What is frozen, and how many freezes are left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct FreezeScene {
    /// The kind that the side to move must leave alone.
    pub kind: Option<String>,
    /// Freezes left, black's first.
    pub left: [u32; 2],
}

/// A phase in which pieces are placed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SetupScene {
    /// Whether each side is still placing.
    pub placing: [bool; 2],
    /// Pieces each side has placed, and how many it places in all.
    pub placed: [u32; 2],
    pub total: [u32; 2],
    /// Kinds of which only so many may be placed: 飛か角を一枚.
    pub groups: Vec<GroupScene>,
    /// Kinds that a side may not drop to the end of the game.
    pub locked: [Vec<String>; 2],
}

/// A choice among kinds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GroupScene {
    pub side: Side,
    pub kinds: Vec<String>,
    /// How many of them are placed.
    pub limit: u32,
    /// Those that were placed so far.
    pub chosen: Vec<String>,
    /// Whether the others are locked when the limit is reached.
    pub locks: bool,
}

/// A line of Binarsi.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WayScene {
    /// `1` to `7` for files, `a` to `f` for ranks; the base move that `expand` takes.
    pub way: String,
    pub locked: bool,
    /// Nothing stands on it: a move makes it anew.
    pub empty: bool,
    /// How many operators are legal.
    pub moves: u32,
    /// Stones from top to bottom or left to right: `1`, `0` or `-`.
    pub stones: String,
    /// Other lines that its operators read.
    pub inputs: Vec<String>,
}

/// A target of Binarsi.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct TargetScene {
    /// `b3`, `w5`, … as the position text writes it.
    pub target: String,
    pub name: Words,
    pub side: Side,
    pub length: u32,
    /// `horizontal`, `vertical`, `diagonal`.
    pub shape: String,
    /// The move that cleared it, counted from 1; absent while it is not cleared. 0 where the move is not known.
    pub lit: Option<u32>,
}

/// Answer to `expand`: the moves of one base move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Expansion {
    pub base: String,
    pub choices: Vec<Choice>,
}

/// One of several moves that begin the same way.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Choice {
    /// As `play` takes it.
    #[serde(rename = "move")]
    pub text: String,
    pub name: Words,
    /// The kind (key of [`Palette`]) that the piece is afterwards; differs where a promotion is to be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
    /// The piece promotes, or is dropped promoted.
    pub promotes: bool,
    /// The kind that the move freezes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freezes: Option<String>,
    /// Binarsi: the operator, `s1`, `nH`, `xo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// Binarsi: the line afterwards: `1`, `0` or `-` from top to bottom or left to right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Binarsi: places of the preview that change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<u32>>,
    /// Binarsi: targets that the move lights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lights: Option<Vec<String>>,
    /// Binarsi: lines that the move locks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<Vec<String>>,
}

/// Every kind of piece of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Palette {
    /// Plain kinds before promoted ones, in the order of hands.
    pub pieces: Vec<PieceFace>,
}

/// How a kind of piece looks and moves.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct PieceFace {
    /// `P`, `+P`: the key that cells and hands use.
    pub kind: String,
    /// Kanji for sets of one kanji: `歩`, `と`, `杏`; absent for pieces without kanji, which are shown by `letter` and `moves`.
    pub glyph: Option<String>,
    /// Kanji for sets of two: `歩兵`, `成香`.
    pub glyph2: Option<String>,
    /// `P`, `+P`.
    pub letter: String,
    pub name: Words,
    pub promoted: bool,
    /// The kind that it promotes to.
    pub promotes_to: Option<String>,
    /// The kind that it is in hand after it was captured; absent where captured pieces leave the game.
    pub in_hand: Option<String>,
    /// A piece whose loss ends the game.
    pub royal: bool,
    /// How it moves, from its owner's point of view.
    pub moves: Vec<StepFace>,
}

/// A direction in which a piece moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StepFace {
    /// Squares to the right and forward, as its owner sees it.
    pub right: i32,
    pub forward: i32,
    /// 1 for a step or a leap; 0 for a slide to the edge; else the most steps.
    pub range: u32,
    /// Whether it may move, capture, or both this way: `move`, `capture`, `both`.
    pub purpose: String,
}

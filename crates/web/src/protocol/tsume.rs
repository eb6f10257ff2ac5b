//! Mates.

use super::NamedMove;
use serde::{Deserialize, Serialize};

/// How far a search for mate is, or what it found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct TsumeResult {
    pub board: String,
    pub node: u32,
    /// `searching`, `mate`, `no_mate`, `unknown` (limits were reached), `stopped`, `failed`.
    pub state: String,
    /// Plies of the mate.
    pub length: Option<u32>,
    /// The solution (作意).
    pub line: Vec<NamedMove>,
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    /// What went wrong, where the state is `failed`.
    pub text: String,
}

/// The composer's report.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct TsumeReport {
    pub board: String,
    pub node: u32,
    /// `mate`, `no_mate`, `unknown`, `failed`.
    pub state: String,
    /// Plies of the longest defence, and of it without futile interpositions.
    pub length: Option<u32>,
    pub length_without_futile: Option<u32>,
    pub solution: Vec<NamedMove>,
    /// Other moves of the attacker that make the problem unsound (余詰, 手順前後), with the ply at which they are played.
    pub cooks: Vec<Flaw>,
    /// 最終手余詰
    pub last_move_cooks: Vec<Flaw>,
    /// 変同, 変長: other defences that last as long or longer.
    pub same_length: Vec<Flaw>,
    /// 駒余り: pieces left in hand at the end, by kind.
    pub left_over: Vec<super::Held>,
    /// Sound by the custom of today, which forgives blemishes.
    pub sound: bool,
    /// The verdict of the custom.
    pub verdict: super::Words,
    /// The whole report, line by line.
    pub details: Vec<super::Words>,
    /// Everything was proven; else some question stayed open.
    pub proven: bool,
    pub text: String,
}

/// A move that a problem should not have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Flaw {
    /// The ply of the move, from 1.
    pub ply: u32,
    #[serde(flatten)]
    pub name: NamedMove,
}

/// Answer to `tsume.tree`: the moves at one place of the proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TsumeMoves {
    pub node: u32,
    /// The moves from the node to the place.
    pub path: Vec<NamedMove>,
    /// Whether the attacker is to move.
    pub attacker: bool,
    pub moves: Vec<TsumeMove>,
}

/// A move of a proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct TsumeMove {
    #[serde(flatten)]
    pub name: NamedMove,
    /// `mate`: it mates (or, of a defence, is mated); `no_mate`: it does not; `unknown`.
    pub state: String,
    /// Plies of the mate after the move.
    pub left: Option<u32>,
    /// It is the main line.
    pub main: bool,
    pub nodes: Option<u64>,
}

/// Answer to `tsume.judge`: whether a tried move is right, and why not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct TsumeJudged {
    /// `right`, `longer` (mates, but later), `wrong`, `no_check` (the move gives no check), `unknown`.
    pub verdict: String,
    /// Plies of the mate that remain after the move.
    pub left: Option<u32>,
    /// Why it fails: the defence that escapes; or, after a right move, the defence of the main line.
    pub answer: Option<NamedMove>,
    /// A sentence about it.
    pub say: super::Words,
}

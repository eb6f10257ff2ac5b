use crate::engine::Score;
use crate::play::{Played, Remark};
use crate::tournament::schedule::Fixture;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// A game in `games.jsonl`, one per line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number, from 0.
    pub game: u64,
    /// The pair that it belongs to.
    pub round: u64,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The start position, in the syntax of `position`.
    pub opening: String,
    /// The moves played from there, separated by blanks.
    pub moves: String,
    /// Its end.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The score of each move by its player.
    pub scores: Vec<Option<Score>>,
    /// The nodes of each move.
    pub nodes: Vec<Option<u64>>,
    /// Time per move in milliseconds, by our clock.
    pub ms: Vec<f64>,
    /// Irregularities that did not lose the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// The longest time between the `time` in an engine's last `info` and our clock.
    pub lag_ms: [Option<f64>; 2],
}

impl GameRecord {
    /// The record of a game.
    #[must_use]
    pub fn new(fixture: Fixture, names: [&str; 2], opening: &str, played: &Played) -> Self {
        let thousandths = |ms: f64| (ms * 1000.0).round() / 1000.0;
        let moves = &played.moves;
        Self {
            game: fixture.game,
            round: fixture.round,
            black: names[0].to_owned(),
            white: names[1].to_owned(),
            opening: opening.to_owned(),
            moves: moves.iter().map(|m| m.text.as_str()).collect::<Vec<_>>().join(" "),
            verdict: played.verdict.clone(),
            scores: moves.iter().map(|m| m.search_info.score).collect(),
            nodes: moves.iter().map(|m| m.search_info.nodes).collect(),
            ms: moves.iter().map(|m| thousandths(m.elapsed.as_secs_f64() * 1000.0)).collect(),
            remarks: played.remarks.clone(),
            lag_ms: played.lag_ms.map(|lag| lag.map(thousandths)),
        }
    }
}

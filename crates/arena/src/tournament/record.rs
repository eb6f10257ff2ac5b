use crate::engine::Score;
use crate::play::{Played, Remark};
use crate::tournament::schedule::Fixture;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// A game as `games.jsonl` keeps it, one to a line.
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
    /// Where it began, as `position` takes it.
    pub opening: String,
    /// The moves played from there, blank separated.
    pub moves: String,
    /// How it ended.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What each mover thought of its move.
    pub scores: Vec<Option<Score>>,
    /// The nodes that each mover counted.
    pub nodes: Vec<Option<u64>>,
    /// Milliseconds per move, as our clock saw them.
    pub ms: Vec<f64>,
    /// Something amiss that did not cost the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// The longest time between an engine's own last word about the time and our clock.
    pub lag_ms: [Option<f64>; 2],
}

impl GameRecord {
    /// Writes down a game.
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
            scores: moves.iter().map(|m| m.thought.score).collect(),
            nodes: moves.iter().map(|m| m.thought.nodes).collect(),
            ms: moves.iter().map(|m| thousandths(m.elapsed.as_secs_f64() * 1000.0)).collect(),
            remarks: played.remarks.clone(),
            lag_ms: played.lag_ms.map(|lag| lag.map(thousandths)),
        }
    }
}

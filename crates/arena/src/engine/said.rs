//! Parses `info` and `bestmove` lines.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An engine's score, for the side to move.
///
/// ```
/// use arena::Score;
/// assert_eq!(Score::Mate(-3).to_string(), "mate -3");
/// assert!(Score::Mate(5).centipawns() > Score::Centipawns(9000).centipawns());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "ScoreJson", into = "ScoreJson")]
pub enum Score {
    /// `score cp`.
    Centipawns(i32),
    /// `score mate`: plies to mate, negative if the side to move is mated.
    Mate(i32),
}

/// The form in result files: a number, or `{"mate": plies}`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ScoreJson {
    Centipawns(i32),
    Mate { mate: i32 },
}

impl From<ScoreJson> for Score {
    fn from(json: ScoreJson) -> Self {
        match json {
            ScoreJson::Centipawns(value) => Self::Centipawns(value),
            ScoreJson::Mate { mate } => Self::Mate(mate),
        }
    }
}

impl From<Score> for ScoreJson {
    fn from(score: Score) -> Self {
        match score {
            Score::Centipawns(value) => Self::Centipawns(value),
            Score::Mate(mate) => Self::Mate { mate },
        }
    }
}

/// The absolute value of mates in centipawns, as servers and record files have it.
const MATE: i32 = 100_000;

impl Score {
    /// The score in centipawns, with mates beyond all other scores.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(value) => value.clamp(-MATE / 2, MATE / 2),
            Self::Mate(plies) if plies > 0 => MATE - plies.min(MATE / 4),
            Self::Mate(plies) => -MATE - plies.max(-MATE / 4),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "cp {value}"),
            Self::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

/// The state of thinking after the `info` lines so far, for the best line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// `score`.
    pub score: Option<Score>,
    /// `depth`.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `time` in milliseconds.
    pub time: Option<u64>,
    /// `pv`.
    pub pv: Vec<String>,
}

impl SearchInfo {
    /// Updates it by an `info` line, if that is about the best line.
    pub fn hear(&mut self, line: &str) {
        let Some(Info { search_info: mut heard, .. }) = Info::read(line).filter(|info| info.line == 1) else {
            return;
        };
        if heard.score.is_some() || !heard.pv.is_empty() {
            // A line without moves has the newest score; the moves of the line before stay.
            if heard.pv.is_empty() {
                heard.pv = std::mem::take(&mut self.pv);
            }
            *self = heard;
        } else {
            self.nodes = heard.nodes.or(self.nodes);
            self.time = heard.time.or(self.time);
        }
    }
}

/// An `info` line about a principal variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// `multipv`, from 1.
    pub line: usize,
    /// Whether the score is only a bound.
    pub is_bound: bool,
    /// Its data.
    pub search_info: SearchInfo,
}

impl Info {
    /// Parses an `info` line; `None` for other lines.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix("info ")?.split_ascii_whitespace();
        let mut info = Self { line: 1, ..Self::default() };
        let heard = &mut info.search_info;
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "multipv" => info.line = words.next()?.parse().ok()?,
                "depth" => heard.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => heard.nodes = words.next().and_then(|word| word.parse().ok()),
                "time" => heard.time = words.next().and_then(|word| word.parse().ok()),
                "score" => heard.score = score(words.next(), words.next()),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "pv" => heard.pv = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        Some(info)
    }
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<Score> {
    let value = value?;
    match kind? {
        "cp" => value.parse().ok().map(Score::Centipawns),
        "mate" => match value {
            // Some engines report a mate without its length.
            "+" => Some(Score::Mate(1)),
            "-" => Some(Score::Mate(-1)),
            _ => value.parse().ok().map(Score::Mate),
        },
        _ => None,
    }
}

/// A parsed `bestmove` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move, `resign`, `win`, or any other word.
    pub best: String,
    /// The expected reply.
    pub ponder: Option<String>,
}

impl Answer {
    /// Parses a `bestmove` line; `None` for other lines.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("bestmove") {
            return None;
        }
        let best = words.next().unwrap_or_default().to_owned();
        let ponder = (words.next() == Some("ponder")).then(|| words.next()).flatten().map(str::to_owned);
        Some(Self { best, ponder })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info() {
        let mut search_info = SearchInfo::default();
        search_info.hear("info depth 3 seldepth 5 time 12 nodes 345 score cp -20 upperbound pv 7g7f 3c3d");
        search_info.hear("info multipv 2 depth 3 score cp 900 pv 2g2f");
        search_info.hear("info string score cp 5");
        search_info.hear("info nodes 400 time 13 nps 99");
        search_info.hear("bestmove 7g7f");
        assert_eq!(search_info.score, Some(Score::Centipawns(-20)));
        assert_eq!((search_info.nodes, search_info.time), (Some(400), Some(13)));
        assert_eq!(search_info.pv, ["7g7f", "3c3d"]);
        search_info.hear("info depth 4 score mate -");
        assert_eq!(search_info.score, Some(Score::Mate(-1)));
        assert_eq!(search_info.pv.len(), 2);
        search_info.hear("info score cp");
        search_info.hear("info score");
        assert_eq!(search_info.score, Some(Score::Mate(-1)));
    }

    #[test]
    fn bestmove() {
        let answer = |best: &str, ponder: Option<&str>| {
            Some(Answer { best: best.to_owned(), ponder: ponder.map(str::to_owned) })
        };
        assert_eq!(Answer::read("bestmove 7g7f ponder 3c3d"), answer("7g7f", Some("3c3d")));
        assert_eq!(Answer::read("bestmove resign"), answer("resign", None));
        assert_eq!(Answer::read("bestmove"), answer("", None));
        assert_eq!(Answer::read("bestmove 7g7f ponder"), answer("7g7f", None));
        assert_eq!(Answer::read("bestmoves 7g7f"), None);
        assert_eq!(Answer::read(""), None);
    }

    #[test]
    fn shorter_mates_are_worth_more() {
        let order = [
            Score::Mate(-1),
            Score::Mate(-5),
            Score::Centipawns(i32::MIN),
            Score::Centipawns(0),
            Score::Centipawns(i32::MAX),
            Score::Mate(7),
            Score::Mate(1),
        ];
        assert!(order.is_sorted_by_key(|score| score.centipawns()));
    }
}

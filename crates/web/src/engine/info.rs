//! `info` lines with every line of `MultiPV`.

use crate::protocol::Value;

/// What one `info` line says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine {
    /// `multipv`, from 1.
    pub rank: u32,
    /// `score`, for the side to move.
    pub score: Option<Value>,
    /// `lowerbound` or `upperbound`: whether the value is at least or at most so high.
    pub bound: Option<bool>,
    /// `depth`.
    pub depth: Option<u32>,
    /// `seldepth`.
    pub seldepth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `nps`.
    pub nps: Option<u64>,
    /// `hashfull`.
    pub hashfull: Option<u32>,
    /// `time` in milliseconds.
    pub time: Option<u64>,
    /// `pv`.
    pub pv: Vec<String>,
}

/// Lines are not shown further than this.
const LONGEST: usize = 40;

impl InfoLine {
    /// Reads a line; `None` if it is something else.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
            word.and_then(|word| word.parse().ok())
        }
        let mut words = line.strip_prefix("info ")?.split_ascii_whitespace();
        let mut info = Self { rank: 1, ..Self::default() };
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "multipv" => info.rank = number(words.next()).unwrap_or(1),
                "depth" => info.depth = number(words.next()),
                "seldepth" => info.seldepth = number(words.next()),
                "nodes" => info.nodes = number(words.next()),
                "nps" => info.nps = number(words.next()),
                "hashfull" => info.hashfull = number(words.next()),
                "time" => info.time = number(words.next()),
                "lowerbound" => info.bound = Some(true),
                "upperbound" => info.bound = Some(false),
                "score" => info.score = score(words.next(), words.next()),
                "pv" => info.pv = words.by_ref().take(LONGEST).map(str::to_owned).collect(),
                _ => {}
            }
        }
        Some(info)
    }
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<Value> {
    match (kind?, value?) {
        ("cp", value) => value.parse().ok().map(Value::Cp),
        ("mate", "+") => Some(Value::Mate(1)),
        ("mate", "-") => Some(Value::Mate(-1)),
        ("mate", value) => value.parse().ok().map(Value::Mate),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let info = InfoLine::read(
            "info depth 12 seldepth 20 multipv 2 score cp -31 upperbound nodes 1000 nps 500 hashfull 3 time 7 pv 7g7f 3c3d",
        )
        .unwrap();
        assert_eq!((info.rank, info.depth, info.seldepth), (2, Some(12), Some(20)));
        assert_eq!((info.score, info.bound), (Some(Value::Cp(-31)), Some(false)));
        assert_eq!(info.pv, ["7g7f", "3c3d"]);
        assert_eq!(InfoLine::read("info score mate -").unwrap().score, Some(Value::Mate(-1)));
        assert_eq!(InfoLine::read("info string score cp 5").unwrap().score, None);
        assert_eq!(InfoLine::read("bestmove 7g7f"), None);
    }
}

//! What an `info` line says.

/// An `info` line that is not a string.
#[derive(Default, Debug)]
pub struct Info {
    pub depth: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<Score>,
    pub is_bound: bool,
    pub nodes: Option<u64>,
    pub time: Option<u64>,
    pub hashfull: Option<u64>,
    pub pv: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    Centipawns(i64),
    Mate(i64),
}

impl Info {
    /// Reads a line as a strict host does: an unknown word, a missing number or a second blank is an error.
    /// `None` for `info string`.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix("info ").unwrap_or_else(|| panic!("{line}")).split(' ');
        let mut info = Self::default();
        while let Some(word) = words.next() {
            let mut number = || {
                let word = words.next().unwrap_or_else(|| panic!("nothing after `{word}`: {line}"));
                word.parse::<i64>().unwrap_or_else(|_| panic!("`{word}` is no number: {line}"))
            };
            let mut count = || Some(u64::try_from(number()).unwrap_or_else(|_| panic!("negative: {line}")));
            match word {
                "string" => return None,
                "depth" => info.depth = count(),
                "seldepth" | "nps" => drop(count()),
                "multipv" => info.multipv = count(),
                "nodes" => info.nodes = count(),
                "time" => info.time = count(),
                "hashfull" => info.hashfull = count(),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "score" => {
                    info.score = match words.next() {
                        Some("cp") => words.next().and_then(|n| n.parse().ok()).map(Score::Centipawns),
                        Some("mate") => words.next().and_then(|n| n.parse().ok()).map(Score::Mate),
                        _ => None,
                    };
                    assert!(info.score.is_some(), "no score: {line}");
                }
                "pv" => {
                    info.pv = words.map(str::to_owned).collect();
                    assert!(!info.pv.is_empty() && !info.pv.contains(&String::new()), "{line}");
                    break;
                }
                _ => panic!("no host knows `{word}`: {line}"),
            }
        }
        Some(info)
    }
}

/// All lines of a search that show a variation; every other line must be an `info string`.
pub fn variations(lines: &[String]) -> Vec<Info> {
    lines.iter().filter_map(|line| Info::parse(line)).filter(|info| !info.pv.is_empty()).collect()
}

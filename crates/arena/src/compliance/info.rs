//! Parses `info` lines as strictly as the strictest hosts.

/// The words of one `info` line.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct Info<'a> {
    pub(super) pairs: Vec<(&'a str, &'a str)>,
    pub(super) score: Option<(&'a str, &'a str)>,
    pub(super) is_bound: bool,
    pub(super) pv: Option<Vec<&'a str>>,
    pub(super) unknown: Vec<&'a str>,
}

/// Words with exactly one value.
const VALUED: [&str; 13] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "nps",
    "hashfull",
    "currmove",
    "currmovenumber",
    "multipv",
    "tbhits",
    "cpuload",
    "refutation",
    "currline",
];

impl<'a> Info<'a> {
    /// Reads a line; `None` if it is no `info` line.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let mut words = line.strip_prefix("info")?.split_ascii_whitespace();
        let mut info = Self::default();
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "pv" => {
                    info.pv = Some(words.collect());
                    break;
                }
                "score" => info.score = words.next().zip(words.next()),
                "lowerbound" | "upperbound" => info.is_bound = true,
                _ if VALUED.contains(&word) => info.pairs.push((word, words.next().unwrap_or_default())),
                _ => info.unknown.push(word),
            }
        }
        Some(info)
    }

    pub(super) fn value(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Its `multipv`; 1 if not given.
    pub(super) fn multipv(&self) -> &'a str {
        self.value("multipv").unwrap_or("1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted() {
        let info = Info::read("info depth 3 score cp -5 lowerbound wdl 1 pv 7g7f 3c3d").unwrap();
        assert_eq!(info.value("depth"), Some("3"));
        assert_eq!(info.score, Some(("cp", "-5")));
        assert!(info.is_bound);
        assert_eq!(info.unknown, ["wdl", "1"]);
        assert_eq!(info.pv, Some(vec!["7g7f", "3c3d"]));
        assert_eq!(info.multipv(), "1");
        assert_eq!(Info::read("info string depth 3"), Some(Info::default()));
        assert_eq!(Info::read("bestmove 7g7f"), None);
    }
}

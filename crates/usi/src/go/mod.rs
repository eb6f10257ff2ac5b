//! Parses `go` and `ponderhit`.

mod limits;
#[cfg(test)]
mod tests;
mod warning;
mod words;

use crate::time::{Clock, Millis};
pub use limits::{Limits, MateLimits};
pub use warning::GoWarning;
use words::Words;

/// The `go` command.
///
/// Parsing cannot fail: hosts wait for an answer to every `go`, so anything odd is ignored with a warning.
///
/// ```
/// use usi::time::Millis;
/// use usi::Go;
/// let (go, warnings) = Go::parse("btime 60000.5 wtime 60000 byoyomi 10000 searchmoves 7g7f 2g2f");
/// let Go::Search(limits) = go else { panic!() };
/// assert_eq!(limits.clock.unwrap().time[0], Millis(60_000));
/// assert_eq!(limits.searchmoves, ["7g7f", "2g2f"]);
/// assert!(warnings.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Go {
    /// Search for a move.
    Search(Limits),
    /// Solve a tsume problem.
    Mate(MateLimits),
    /// Count the tree to this depth (perft).
    Perft(u32),
}

impl Go {
    /// Parses the text after `go`.
    ///
    /// The words may be in any order; if one is repeated, the last counts. `mate` and `perft` decide the kind wherever
    /// they are. A depth or node number of 0 means no limit, as in the options of that name.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<GoWarning>) {
        let mut reader =
            Reader { words: Words::new(text), limits: Limits::default(), mate: None, perft: None };
        while let Some(word) = reader.words.next() {
            reader.word(word);
        }
        let Reader { words, limits, mate, perft } = reader;
        let go = match (perft, mate) {
            (Some(depth), _) => Self::Perft(depth),
            (None, Some(mate)) => {
                let time = if limits.infinite { None } else { mate.time.or(limits.movetime) };
                Self::Mate(MateLimits { time, nodes: limits.nodes, depth: limits.depth })
            }
            (None, None) => Self::Search(limits),
        };
        (go, words.warnings.into_vec())
    }
}

/// Parses the text after `ponderhit`: empty, or the clocks that `go ponder` did not have.
///
/// ```
/// use usi::parse_ponderhit;
/// assert_eq!(parse_ponderhit(""), (None, vec![]));
/// assert!(parse_ponderhit("btime 1000 wtime 1000 byoyomi 500").0.is_some());
/// ```
#[must_use]
pub fn parse_ponderhit(text: &str) -> (Option<Clock>, Vec<GoWarning>) {
    let mut words = Words::new(text);
    let mut clock = None;
    while let Some(word) = words.next() {
        if !clock_word(word, &mut words, &mut clock) {
            words.unknown(word);
        }
    }
    (clock, words.warnings.into_vec())
}

struct Reader<'a> {
    words: Words<'a>,
    limits: Limits,
    mate: Option<MateLimits>,
    perft: Option<u32>,
}

impl Reader<'_> {
    fn word(&mut self, word: &str) {
        let (words, limits) = (&mut self.words, &mut self.limits);
        if clock_word(word, words, &mut limits.clock) {
            return;
        }
        match word {
            "movetime" => limits.movetime = words.millis("movetime").or(limits.movetime),
            "rtime" => limits.rtime = words.millis("rtime").or(limits.rtime),
            "depth" => limits.depth = words.count("depth").filter(|depth| *depth > 0),
            "nodes" => limits.nodes = words.number("nodes", u64::MAX).filter(|n| *n > 0),
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                while let Some(text) = words.next_value() {
                    limits.searchmoves.push(text.to_owned());
                }
            }
            "mate" => {
                let time = if words.skip("infinite") { None } else { words.optional_millis("mate") };
                self.mate = Some(MateLimits { time, ..MateLimits::default() });
            }
            "perft" => self.perft = Some(words.count("perft").unwrap_or(1)),
            _ => words.unknown(word),
        }
    }
}

/// Parses a clock word, if `word` is one; a missing number counts as zero.
fn clock_word(word: &str, words: &mut Words<'_>, clock: &mut Option<Clock>) -> bool {
    type Field = fn(&mut Clock) -> &mut Millis;
    let (name, field): (_, Field) = match word {
        "btime" => ("btime", |clock| &mut clock.time[0]),
        "wtime" => ("wtime", |clock| &mut clock.time[1]),
        "binc" => ("binc", |clock| &mut clock.increment[0]),
        "winc" => ("winc", |clock| &mut clock.increment[1]),
        "byoyomi" => ("byoyomi", |clock| &mut clock.byoyomi),
        _ => return false,
    };
    let time = words.millis(name);
    let clock = clock.get_or_insert_default();
    if let Some(time) = time {
        *field(clock) = time;
    }
    true
}

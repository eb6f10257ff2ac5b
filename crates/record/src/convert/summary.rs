//! The counts of a conversion.

use crate::Loss;
use std::collections::BTreeMap;
use std::fmt;

/// Counts of one conversion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Files, including those in archives and standard input.
    pub sources: usize,
    /// Games that were read.
    pub games: usize,
    /// Games that were written.
    pub written: usize,
    /// Games that the filter left out.
    pub filtered: usize,
    /// Sources and games that could not be read or written.
    pub failed: usize,
    /// Games not written because their file already exists.
    pub existing: usize,
    /// The first such file.
    pub first_existing: Option<String>,
    /// Games with moves that were left out or are against the rules.
    pub faulty: usize,
    /// How often each kind of fault occurred.
    pub kinds: BTreeMap<&'static str, usize>,
    /// Moves of the main lines that were written.
    pub moves: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Number of games with each kind of loss.
    pub losses: BTreeMap<&'static str, usize>,
}

impl Summary {
    pub(super) fn lose(&mut self, losses: &[Loss]) {
        for loss in losses {
            let what = match loss {
                Loss::Branches(_) => "branches",
                Loss::Moves(_) => "moves",
                Loss::Endings(_) => "endings",
                Loss::Fields(_) => "header fields",
                Loss::Times(_) => "times",
                Loss::Comments(_) => "comments",
                Loss::Bookmarks(_) => "bookmarks",
                Loss::Remarks(_) => "remarks",
                Loss::FirstNumber => "the number of the first move",
                Loss::Freezes => "freezes",
                Loss::Characters(_) => "characters",
            };
            *self.losses.entry(what).or_default() += 1;
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let counts = [
            (self.filtered, "left out by the filters"),
            (self.existing, "there already"),
            (self.failed, "failed"),
        ];
        let ending = if self.games == 1 { "" } else { "s" };
        write!(f, "{} game{ending} read, {} written", self.games, self.written)?;
        for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        if self.faulty > 0 {
            write!(f, "; {} with bad moves", plural(self.faulty, "game"))?;
            for (i, (kind, count)) in self.kinds.iter().enumerate() {
                f.write_str(if i == 0 { " (" } else { ", " })?;
                write!(f, "{kind} {count}")?;
            }
            f.write_str(if self.kinds.is_empty() { "" } else { ")" })?;
        }
        for (i, (what, count)) in self.losses.iter().enumerate() {
            f.write_str(if i == 0 { "; lost: " } else { ", " })?;
            write!(f, "{what} of {}", plural(*count, "game"))?;
        }
        Ok(())
    }
}

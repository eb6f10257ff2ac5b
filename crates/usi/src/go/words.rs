use super::warning::{GoWarning, Warnings, quote};
use crate::time::Millis;
use std::iter::Peekable;
use std::str::SplitWhitespace;

/// All keywords, so that a missing number does not consume the next one.
pub(super) const KEYWORDS: [&str; 14] = [
    "btime",
    "wtime",
    "binc",
    "winc",
    "byoyomi",
    "rtime",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

/// The longest accepted clock, some thirty years; sums of such numbers cannot overflow.
const LONGEST: u64 = 1_000_000_000_000;

/// The words of a command, with warnings.
pub(super) struct Words<'a> {
    rest: Peekable<SplitWhitespace<'a>>,
    pub(super) warnings: Warnings,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.split_whitespace().peekable(), warnings: Warnings::default() }
    }

    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.rest.next()
    }

    /// The next word, unless it is a keyword.
    pub(super) fn next_value(&mut self) -> Option<&'a str> {
        self.rest.next_if(|word| !KEYWORDS.contains(word))
    }

    pub(super) fn skip(&mut self, word: &str) -> bool {
        self.rest.next_if_eq(&word).is_some()
    }

    pub(super) fn millis(&mut self, name: &'static str) -> Option<Millis> {
        self.number(name, LONGEST).map(Millis)
    }

    /// `mate N`: the limit is optional.
    pub(super) fn optional_millis(&mut self, name: &'static str) -> Option<Millis> {
        let word = self.rest.next_if(|word| read(word).is_some())?;
        self.checked(name, word, LONGEST).map(Millis)
    }

    pub(super) fn count(&mut self, name: &'static str) -> Option<u32> {
        self.number(name, u32::MAX.into()).map(|number| number as u32)
    }

    /// The number after `name`; `None`, with a warning, if it is missing.
    pub(super) fn number(&mut self, name: &'static str, most: u64) -> Option<u64> {
        let Some(word) = self.next_value() else {
            self.warnings.add(GoWarning::NumberMissing(name));
            return None;
        };
        self.checked(name, word, most)
    }

    fn checked(&mut self, name: &'static str, word: &str, most: u64) -> Option<u64> {
        let (number, warning) = match read(word) {
            None => (None, Some(GoWarning::NotANumber(name, quote(word)))),
            Some(Number::Negative) => (Some(0), Some(GoWarning::Negative(name, quote(word)))),
            Some(Number::Whole(number)) if number > most => {
                (Some(most), Some(GoWarning::TooLarge(name, quote(word))))
            }
            Some(Number::Whole(number)) => (Some(number), None),
        };
        if let Some(warning) = warning {
            self.warnings.add(warning);
        }
        number
    }

    pub(super) fn unknown(&mut self, word: &str) {
        self.warnings.add(GoWarning::Unknown(quote(word)));
    }
}

enum Number {
    Negative,
    /// Its whole part; saturates.
    Whole(u64),
}

/// Hosts that use floating point send `1234.5`, in some countries `1234,5`, and for very long times `1E+15`.
fn read(word: &str) -> Option<Number> {
    if word.len() > 40
        || !word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b',' | b'+' | b'-' | b'e' | b'E'))
    {
        return None;
    }
    if let Ok(number) = word.parse() {
        return Some(Number::Whole(number));
    }
    let number: f64 = word.replace(',', ".").parse().ok()?;
    Some(if number <= -1.0 { Number::Negative } else { Number::Whole(number as u64) })
}

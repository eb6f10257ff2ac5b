//! Parses values of console arguments; errors are messages to the user.

use std::str::{FromStr, SplitWhitespace};

/// The argument after `word`.
pub(super) fn value<'a>(word: &str, words: &mut SplitWhitespace<'a>) -> Result<&'a str, String> {
    words.next().ok_or_else(|| format!("{word}: expected a value, found nothing"))
}

fn parsed<N: FromStr>(
    word: &str,
    found: &str,
    expected: &str,
    accepts: impl Fn(&N) -> bool,
) -> Result<N, String> {
    let number = found.parse().ok().filter(accepts);
    number.ok_or_else(|| format!("{word}: expected {expected}, found `{found}`"))
}

pub(super) fn number<N: FromStr>(word: &str, found: &str) -> Result<N, String> {
    parsed(word, found, "a whole number", |_| true)
}

pub(super) fn flag(word: &str, found: &str) -> Result<bool, String> {
    number::<u8>(word, found).map(|number| number != 0)
}

pub(super) fn above_zero(word: &str, found: &str) -> Result<u32, String> {
    parsed(word, found, "a whole number above 0", |number| *number > 0)
}

pub(super) fn positive(word: &str, found: &str) -> Result<f32, String> {
    parsed(word, found, "a number above 0", |number: &f32| *number > 0.0 && number.is_finite())
}

pub(super) fn share(word: &str, found: &str) -> Result<f32, String> {
    parsed(word, found, "a number from 0 to 1", |number| (0.0..=1.0).contains(number))
}

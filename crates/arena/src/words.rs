//! `key=value` words, the form in which the command line describes engines and rules.

use std::str::FromStr;

/// A `key=value` word that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WordError {
    /// No `=` in it.
    #[error("`{0}`: expected `KEY=VALUE`")]
    Shape(String),
    /// An unknown key.
    #[error("unknown key `{key}`; expected one of {known}")]
    Unknown {
        /// The key.
        key: String,
        /// The known ones.
        known: &'static str,
    },
    /// The value does not fit the key.
    #[error("`{word}`: expected {expected}")]
    Value {
        /// The whole word.
        word: String,
        /// What fits.
        expected: &'static str,
    },
    /// A required key is missing.
    #[error("`{key}=` is missing: {meaning}")]
    Missing {
        /// The key.
        key: &'static str,
        /// What it stands for.
        meaning: &'static str,
    },
}

/// Cuts a word at its first `=`.
pub(crate) fn split(word: &str) -> Result<(&str, &str), WordError> {
    word.split_once('=').ok_or_else(|| WordError::Shape(word.to_owned()))
}

/// The number that `value` is.
pub(crate) fn number<T: FromStr>(key: &str, value: &str) -> Result<T, WordError> {
    value.parse().map_err(|_| bad(key, value, "a number"))
}

/// `on` or `off`.
pub(crate) fn switch(key: &str, value: &str) -> Result<bool, WordError> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(bad(key, value, "`on` or `off`")),
    }
}

/// The error for a value that is not as `expected`.
pub(crate) fn bad(key: &str, value: &str, expected: &'static str) -> WordError {
    WordError::Value { word: format!("{key}={value}"), expected }
}

//! Parses `key=value` words, by which the command line describes engines and rules.

use std::str::FromStr;

/// An invalid `key=value` word.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WordError {
    /// Without `=`.
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
    /// A value that the key does not accept.
    #[error("`{word}`: expected {expected}")]
    Value {
        /// The whole word.
        word: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// A required key is missing.
    #[error("`{key}=` is missing: {meaning}")]
    Missing {
        /// The key.
        key: &'static str,
        /// Its meaning.
        meaning: &'static str,
    },
}

/// Splits a word at its first `=`.
pub(crate) fn split(word: &str) -> Result<(&str, &str), WordError> {
    word.split_once('=').ok_or_else(|| WordError::Shape(word.to_owned()))
}

/// Parses `value` as a number.
pub(crate) fn number<T: FromStr>(key: &str, value: &str) -> Result<T, WordError> {
    value.parse().map_err(|_| bad(key, value, "a number"))
}

/// Parses `on` or `off`.
pub(crate) fn switch(key: &str, value: &str) -> Result<bool, WordError> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(bad(key, value, "`on` or `off`")),
    }
}

/// The error for a value other than `expected`.
pub(crate) fn bad(key: &str, value: &str, expected: &'static str) -> WordError {
    WordError::Value { word: format!("{key}={value}"), expected }
}

use super::quote::quote;
use crate::replaced::option_hint;
use std::fmt;

/// Why an option was not changed. The message is one line for `info string`; the old value is always kept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("No such option: {}{}", quote(.0), hint(.0))]
    Unknown(String),
    /// The option cannot have the value.
    #[error("Error! {name}: expected {expected}, found {}; {} is kept", found_text(.found), quote(.kept))]
    Value {
        /// The option.
        name: String,
        /// The values that it accepts.
        expected: Expected,
        /// What was given.
        found: String,
        /// The value that it keeps.
        kept: String,
    },
    /// An options file fixes the value.
    #[error("{name} is fixed by an options file; {} is kept", quote(.kept))]
    Fixed {
        /// The option.
        name: String,
        /// The value that it keeps.
        kept: String,
    },
}

/// A hint at what replaces another program's option.
fn hint(name: &str) -> String {
    option_hint(name).map_or_else(String::new, |hint| format!(" ({hint})"))
}

/// The values that an option accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// `true` or `false`.
    TrueOrFalse,
    /// A whole number.
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these words.
    OneOf(Vec<String>),
    /// Text on one line.
    Line,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrueOrFalse => f.write_str("true or false"),
            Self::Number { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::OneOf(words) => write!(f, "one of {}", words.join(" ")),
            Self::Line => f.write_str("a text without control characters"),
        }
    }
}

fn found_text(found: &str) -> String {
    if found.is_empty() { "nothing".to_owned() } else { format!("`{}`", quote(found)) }
}

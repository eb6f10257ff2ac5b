use std::fmt;

/// A warning about a `go` command, for an `info string`; the rest of the command is used.
///
/// ```
/// use usi::Go;
/// let (_, warnings) = Go::parse("btime wtime 1000");
/// assert_eq!(warnings[0].to_string(), "go: btime needs a number");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoWarning {
    /// An unknown word.
    Unknown(String),
    /// A number is missing after a word.
    NumberMissing(&'static str),
    /// Another text instead of a number.
    NotANumber(&'static str, String),
    /// A negative number, read as zero.
    Negative(&'static str, String),
    /// A number that is too large, read as the largest.
    TooLarge(&'static str, String),
    /// The number of further warnings.
    More(usize),
}

impl fmt::Display for GoWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(word) => write!(f, "go: `{word}` is not known, ignored"),
            Self::NumberMissing(name) => write!(f, "go: {name} needs a number"),
            Self::NotANumber(name, word) => write!(f, "go: {name} needs a number, found `{word}`"),
            Self::Negative(name, word) => write!(f, "go: {name} {word} is below zero, taken as 0"),
            Self::TooLarge(name, word) => write!(f, "go: {name} {word} is too large, cut down"),
            Self::More(count) => write!(f, "go: {count} more such words"),
        }
    }
}

/// Quotes the beginning of a word in ASCII, because input may be anything.
pub(super) fn quote(word: &str) -> String {
    word.chars().take(24).map(|letter| if letter.is_ascii_graphic() { letter } else { '?' }).collect()
}

/// Collects warnings, up to a limit.
#[derive(Default)]
pub(super) struct Warnings {
    said: Vec<GoWarning>,
    unsaid: usize,
}

impl Warnings {
    const MOST: usize = 8;

    pub(super) fn add(&mut self, warning: GoWarning) {
        if self.said.len() < Self::MOST {
            self.said.push(warning);
        } else {
            self.unsaid += 1;
        }
    }

    pub(super) fn into_vec(mut self) -> Vec<GoWarning> {
        if self.unsaid > 0 {
            self.said.push(GoWarning::More(self.unsaid));
        }
        self.said
    }
}

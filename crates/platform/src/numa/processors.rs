//! Sets of processors, as Linux writes them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A set of the machine's processors, by number; its text is Linux's, `0-15,32-47`.
///
/// ```
/// use platform::numa::Processors;
/// let processors: Processors = "0-2,8".parse()?;
/// assert_eq!(processors.iter().collect::<Vec<_>>(), [0, 1, 2, 8]);
/// assert_eq!(processors.to_string(), "0-2,8");
/// # Ok::<(), platform::numa::ParseProcessorsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Processors(BTreeSet<usize>);

/// A text that is not a set of processors.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected processors such as 0-15,32-47 with numbers below {}, found `{}`", Processors::MAX, self.0.escape_default())]
pub struct ParseProcessorsError(String);

impl Processors {
    /// Exclusive limit of processor numbers, as in the sets that threads can be bound to.
    pub const MAX: usize = 1024;

    /// The numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The intersection with another set.
    #[must_use]
    pub fn shared_with(&self, other: &Self) -> Self {
        Self(self.0.intersection(&other.0).copied().collect())
    }

    /// The lowest number that is in none of the other sets.
    pub(super) fn first_outside(&self, others: &[Self]) -> Option<usize> {
        self.iter().find(|processor| !others.iter().any(|other| other.0.contains(processor)))
    }
}

impl FromIterator<usize> for Processors {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

impl FromStr for Processors {
    type Err = ParseProcessorsError;

    fn from_str(text: &str) -> Result<Self, ParseProcessorsError> {
        let number = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<usize>().ok().filter(|number| digits && *number < Self::MAX)
        };
        let range = |text: &str| match text.split_once('-') {
            Some((first, last)) => Some(number(first)?..=number(last)?),
            None => number(text).map(|one| one..=one),
        };
        let mut processors = Self::default();
        // Nodes without processors have an empty list.
        for part in text.trim().split(',').filter(|_| !text.trim().is_empty()) {
            let range = range(part).filter(|range| !range.is_empty());
            processors.0.extend(range.ok_or_else(|| ParseProcessorsError(text.chars().take(60).collect()))?);
        }
        Ok(processors)
    }
}

impl fmt::Display for Processors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.iter().peekable();
        let mut comma = "";
        while let Some(first) = rest.next() {
            let mut last = first;
            while let Some(next) = rest.next_if(|next| *next == last + 1) {
                last = next;
            }
            write!(f, "{comma}{first}")?;
            if last > first {
                write!(f, "-{last}")?;
            }
            comma = ",";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_round_trip_in_their_shortest_form() {
        for (text, shortest) in
            [("", ""), (" \n", ""), ("3", "3"), ("0-1\n", "0-1"), ("8,0,1,2-3,3", "0-3,8"), ("1023", "1023")]
        {
            assert_eq!(text.parse::<Processors>().expect(text).to_string(), shortest);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["x", "-", "1-", "-1", "3-1", "1,", ",", "0 1", "1024", "0-99999999999999999999", "1-2-3", "0-+3"]
        {
            assert!(text.parse::<Processors>().is_err(), "{text}");
        }
        let message = "1-x\n".parse::<Processors>().unwrap_err().to_string();
        assert_eq!(message, "expected processors such as 0-15,32-47 with numbers below 1024, found `1-x\\n`");
    }
}

//! The user's choice of memory nodes for threads.

use super::{ParseProcessorsError, Processors};
use std::fmt;
use std::str::FromStr;

/// Where threads run; the syntax is that of the option `NumaPolicy`.
///
/// ```
/// use platform::numa::NumaPolicy;
/// assert_eq!("auto".parse(), Ok(NumaPolicy::Auto));
/// let custom: NumaPolicy = "0-15,32-47:16-31".parse()?;
/// assert!(matches!(&custom, NumaPolicy::Custom(nodes) if nodes.len() == 2));
/// # Ok::<(), platform::numa::ParseNumaPolicyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum NumaPolicy {
    /// Placement by the system.
    None,
    /// On the system's nodes, within the processors that the process may use.
    System,
    /// As `System`, if there are more threads than one node can serve well.
    #[default]
    Auto,
    /// As `System`, including processors that the process is not meant to use.
    Hardware,
    /// On these sets of processors.
    Custom(Vec<Processors>),
}

/// A text that is not a policy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseNumaPolicyError {
    /// A word that is none of the policies.
    #[error(
        "expected none, system, auto, hardware or the processors of each node such as 0-15:16-31, found `{}`",
        .0.escape_default()
    )]
    Word(String),
    /// A node that is not a set of processors.
    #[error(transparent)]
    Processors(#[from] ParseProcessorsError),
    /// A node without processors.
    #[error("expected processors for each node, found none for node {0}")]
    EmptyNode(usize),
    /// One processor in two nodes.
    #[error("processor {0} is in two nodes")]
    Twice(usize),
}

impl FromStr for NumaPolicy {
    type Err = ParseNumaPolicyError;

    fn from_str(text: &str) -> Result<Self, ParseNumaPolicyError> {
        match text.trim() {
            "none" => return Ok(Self::None),
            "system" => return Ok(Self::System),
            "auto" => return Ok(Self::Auto),
            "hardware" => return Ok(Self::Hardware),
            other if !other.starts_with(|first: char| first.is_ascii_digit()) => {
                return Err(ParseNumaPolicyError::Word(other.chars().take(60).collect()));
            }
            _ => {}
        }
        let mut nodes = Vec::new();
        for (number, text) in text.trim().split(':').enumerate() {
            let node: Processors = text.parse()?;
            if node.is_empty() {
                return Err(ParseNumaPolicyError::EmptyNode(number));
            }
            if let Some(twice) = nodes.iter().find_map(|other| node.shared_with(other).iter().next()) {
                return Err(ParseNumaPolicyError::Twice(twice));
            }
            nodes.push(node);
        }
        Ok(Self::Custom(nodes))
    }
}

impl fmt::Display for NumaPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::System => f.write_str("system"),
            Self::Auto => f.write_str("auto"),
            Self::Hardware => f.write_str("hardware"),
            Self::Custom(nodes) => {
                let nodes: Vec<String> = nodes.iter().map(ToString::to_string).collect();
                f.write_str(&nodes.join(":"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_round_trip() {
        for text in ["none", "system", "auto", "hardware", "0", "0-15,32-47:16-31", "3:1:2"] {
            let policy: NumaPolicy = text.parse().expect(text);
            assert_eq!(policy.to_string(), text);
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, message) in [
            (
                "all",
                "expected none, system, auto, hardware or the processors of each node such as 0-15:16-31, found `all`",
            ),
            ("0-x", "expected processors such as 0-15,32-47 with numbers below 1024, found `0-x`"),
            ("0-1:", "expected processors for each node, found none for node 1"),
            ("0-3:4:2-5", "processor 2 is in two nodes"),
        ] {
            assert_eq!(text.parse::<NumaPolicy>().unwrap_err().to_string(), message);
        }
        assert!("".parse::<NumaPolicy>().is_err());
    }
}

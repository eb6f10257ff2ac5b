//! How much is thought about each position.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What ends the search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// So many positions searched.
    Nodes(u64),
    /// So many plies deep.
    Depth(u64),
    /// So many milliseconds.
    Movetime(u64),
}

impl Limit {
    /// Whether what was found with this limit will do for another.
    ///
    /// ```
    /// use analysis::Limit;
    /// assert!(Limit::Nodes(2000).covers(Limit::Nodes(1000)));
    /// assert!(!Limit::Nodes(2000).covers(Limit::Depth(1)));
    /// ```
    #[must_use]
    pub fn covers(self, wanted: Self) -> bool {
        match (self, wanted) {
            (Self::Nodes(had), Self::Nodes(wanted))
            | (Self::Depth(had), Self::Depth(wanted))
            | (Self::Movetime(had), Self::Movetime(wanted)) => had >= wanted,
            _ => false,
        }
    }

    pub(crate) fn amount(self) -> u64 {
        let (Self::Nodes(amount) | Self::Depth(amount) | Self::Movetime(amount)) = self;
        amount
    }
}

/// As in `go`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Nodes(_) => "nodes",
            Self::Depth(_) => "depth",
            Self::Movetime(_) => "movetime",
        };
        write!(f, "{name} {}", self.amount())
    }
}

/// How much is thought about each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// What ends the search.
    pub limit: Limit,
    /// Lines of play that are looked for (`MultiPV`).
    pub lines: usize,
    /// Positions that the mate engine may search; 0 leaves it out.
    pub mate_nodes: u64,
}

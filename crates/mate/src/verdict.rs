//! Goals and limits of the solver, and its verdicts.

use shogi::Move;
use std::time::Duration;

/// What the solver looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// Any mate.
    Any,
    /// A shortest mate, proved to be one.
    #[default]
    Shortest,
}

/// Which of the defender's interpositions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpositions {
    /// Every one: the strict count.
    #[default]
    All,
    /// The customary count (無駄合): a position counts as mate if the defender's only moves are interpositions that the
    /// checking piece can take, and after which, with the piece back in his hand, he is mated in the same way.
    Useful,
}

/// The length of a mate in plies, and whether it is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateLength {
    /// Both sides play optimally.
    Exact(u32),
    /// The attacker can mate this fast; faster may be possible.
    AtMost(u32),
}

impl MateLength {
    /// The number of plies.
    #[must_use]
    pub fn plies(self) -> u32 {
        match self {
            Self::Exact(plies) | Self::AtMost(plies) => plies,
        }
    }

    /// Whether it is proved to be the shortest.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }
}

impl std::fmt::Display for MateLength {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact(_) => f.write_str("exactly "),
            Self::AtMost(_) => f.write_str("at most "),
        }?;
        match self.plies() {
            1 => f.write_str("1 ply"),
            plies => write!(f, "{plies} plies"),
        }
    }
}

/// A forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// How long it takes.
    pub length: MateLength,
    /// A line that ends in mate or, by the customary count, where only futile interpositions are left. If the length is
    /// exact, both sides play optimally in it.
    pub line: Vec<Move>,
}

/// The result for a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is a mate.
    Mate(Mate),
    /// There is no mate.
    NoMate,
    /// Not decided.
    Unknown(Reason),
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mate(mate) => write!(f, "mate in {}", mate.length),
            Self::NoMate => f.write_str("no mate"),
            Self::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

/// Why a problem was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The search was stopped, by the caller or at its limit of positions.
    Stopped,
    /// Lines beyond the maximum depth would have to be searched.
    TooDeep,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped before anything was proved",
            Self::TooDeep => "lines of more than 4000 plies would have to be searched",
        })
    }
}

/// Progress of a search.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Positions searched.
    pub nodes: u64,
    /// Time since the beginning.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: usize,
    /// The length of the mate found so far.
    pub found: Option<MateLength>,
    /// The moves from the root to the position being searched.
    pub line: Vec<Move>,
}

/// The interval of progress reports, and their receiver.
pub type Reporter<'a> = (Duration, &'a mut dyn FnMut(&Progress));

/// Limits of a search, and its progress callback.
pub struct Limits<'a> {
    /// Maximum number of positions.
    pub nodes: Option<u64>,
    /// Maximum length of mates in plies. `NoMate` then only means none within it.
    pub plies: Option<u32>,
    /// Polled; `true` stops the search.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Receives progress.
    pub report: Option<Reporter<'a>>,
}

impl Limits<'_> {
    /// No limits.
    #[must_use]
    pub fn none() -> Self {
        Self { nodes: None, plies: None, stop: &|| false, report: None }
    }

    /// A limit of positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::none() }
    }
}

//! Questions to the solver and its answers: goals, limits, verdicts, lengths.

use shogi::Move;
use std::time::Duration;

/// What the search is to prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// That there is one.
    Any,
    /// The shortest, proved to be so.
    #[default]
    Shortest,
}

/// Which of the defender's interpositions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpositions {
    /// Every one: the strict count.
    #[default]
    All,
    /// The customary count: a position is mate if nothing is left to the defender but putting between pieces that the
    /// checking piece can take, and given back to him they leave him mated in the same way (無駄合).
    Useful,
}

/// How long a mate takes, in plies, and how certain that is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateLength {
    /// The attacker cannot do it faster, the defender cannot hold out longer.
    Exact(u32),
    /// The attacker can do it as fast as this; faster may be possible.
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
    /// A line that ends in mate, or by the customary count where only futile interpositions are left. With an exact length
    /// it is that long, and both sides play as well as they can.
    pub line: Vec<Move>,
}

/// The answer to a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It mates.
    Mate(Mate),
    /// It does not, whatever the attacker does.
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
    /// Lines of thousands of plies would have to be searched.
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

/// What a search has done so far.
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

/// When to stop, and where progress is reported.
pub struct Limits<'a> {
    /// So many positions at most.
    pub nodes: Option<u64>,
    /// Only mates within so many plies; that there is none of them does not mean that there is none.
    pub plies: Option<u32>,
    /// Polled; `true` stops the search.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Receives progress.
    pub report: Option<Reporter<'a>>,
}

impl Limits<'_> {
    /// None at all.
    #[must_use]
    pub fn none() -> Self {
        Self { nodes: None, plies: None, stop: &|| false, report: None }
    }

    /// So many positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::none() }
    }
}

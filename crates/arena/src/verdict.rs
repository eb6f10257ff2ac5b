//! How games end.

use game::{Color, EndReason, Outcome};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// Black won.
    Black,
    /// White won.
    White,
    /// A draw.
    Draw,
}

impl GameResult {
    /// A win for `color`.
    #[must_use]
    pub const fn win(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }

    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Black => Some(Color::Black),
            Self::White => Some(Color::White),
            Self::Draw => None,
        }
    }

    /// Half points for `color`: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(self, color: Color) -> u8 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == color => 2,
            Some(_) => 0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Mate, or nothing left to play.
    NoLegalMove,
    /// `bestmove resign`.
    Resignation,
    /// The entering-king declaration or the try rule.
    Declaration,
    /// The same position too often: a draw.
    Repetition,
    /// The same position too often, one side giving check all the time: that side lost.
    PerpetualCheck,
    /// The agreed number of moves was played.
    MoveLimit,
    /// A goal of the game itself.
    Goal,
    /// Points were counted.
    Points,
    /// Both engines had long seen the same winner.
    ScoreWin,
    /// Both engines had long seen a level game.
    ScoreDraw,
    /// A move that the rules forbid.
    IllegalMove,
    /// A `bestmove` with something that is no move.
    Garbage,
    /// `bestmove win` without the right to it.
    FalseDeclaration,
    /// The move came too late.
    Time,
    /// No move came at all.
    Hang,
    /// The engine ended.
    Crash,
    /// The engine closed its output.
    ClosedOutput,
    /// A `bestmove` without a `go`.
    ExtraBestmove,
    /// More output than anyone can mean.
    Flood,
    /// The engine could not be brought to the start of the game.
    NoStart,
}

/// What became of an engine by a fault of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aftermath {
    /// It may go on.
    Fit,
    /// It must be started anew.
    Broken,
}

impl Reason {
    /// All reasons that are an engine's own fault.
    pub const FAULTS: [Self; 10] = [
        Self::IllegalMove,
        Self::Garbage,
        Self::FalseDeclaration,
        Self::Time,
        Self::Hang,
        Self::Crash,
        Self::ClosedOutput,
        Self::ExtraBestmove,
        Self::Flood,
        Self::NoStart,
    ];

    /// Whether the loser broke down or broke the protocol, rather than being beaten.
    #[must_use]
    pub fn is_fault(self) -> bool {
        Self::FAULTS.contains(&self)
    }

    /// What an engine is good for after this fault.
    #[must_use]
    pub const fn aftermath(self) -> Aftermath {
        match self {
            Self::Hang
            | Self::Crash
            | Self::ClosedOutput
            | Self::ExtraBestmove
            | Self::Flood
            | Self::NoStart => Aftermath::Broken,
            _ => Aftermath::Fit,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoLegalMove => "no legal move",
            Self::Resignation => "resignation",
            Self::Declaration => "declaration",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual check",
            Self::MoveLimit => "move limit",
            Self::Goal => "goal reached",
            Self::Points => "points",
            Self::ScoreWin => "adjudged a win",
            Self::ScoreDraw => "adjudged a draw",
            Self::IllegalMove => "illegal move",
            Self::Garbage => "garbage for a move",
            Self::FalseDeclaration => "false declaration",
            Self::Time => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::ClosedOutput => "closed output",
            Self::ExtraBestmove => "bestmove out of turn",
            Self::Flood => "flood of output",
            Self::NoStart => "no start",
        })
    }
}

impl From<EndReason> for Reason {
    fn from(reason: EndReason) -> Self {
        match reason {
            EndReason::Repetition => Self::Repetition,
            EndReason::PerpetualCheck => Self::PerpetualCheck,
            EndReason::Declaration => Self::Declaration,
            EndReason::MoveLimit => Self::MoveLimit,
            EndReason::Goal => Self::Goal,
            EndReason::Points => Self::Points,
            // The enum may grow; what ends a game by its rules leaves nothing to play.
            _ => Self::NoLegalMove,
        }
    }
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// What exactly was done, where there is more to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Verdict {
    /// `loser` lost.
    #[must_use]
    pub const fn loss(loser: Color, reason: Reason, detail: Option<String>) -> Self {
        let result = match loser {
            Color::Black => GameResult::White,
            Color::White => GameResult::Black,
        };
        Self { result, reason, detail }
    }

    /// A draw.
    #[must_use]
    pub const fn draw(reason: Reason) -> Self {
        Self { result: GameResult::Draw, reason, detail: None }
    }

    /// The side that this end is charged to as a fault of its own.
    #[must_use]
    pub fn at_fault(&self) -> Option<Color> {
        self.result.winner().filter(|_| self.reason.is_fault()).map(|winner| !winner)
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        let reason = outcome.reason().into();
        match outcome.winner() {
            Some(winner) => Self::loss(!winner, reason, None),
            None => Self::draw(reason),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.result.winner() {
            Some(winner) => write!(f, "{winner} wins, {}", self.reason)?,
            None => write!(f, "draw, {}", self.reason)?,
        }
        match &self.detail {
            Some(detail) => write!(f, " ({detail})"),
            None => Ok(()),
        }
    }
}

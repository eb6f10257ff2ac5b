//! Ends of games.

use game::{Color, EndReason, Outcome};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of a game.
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
    /// A goal of the game.
    Goal,
    /// Points were counted.
    Points,
    /// Adjudicated: both engines have long reported the same winner.
    ScoreWin,
    /// Adjudicated: both engines have long reported a level game.
    ScoreDraw,
    /// The game was broken off.
    Interrupted,
    /// An illegal move.
    IllegalMove,
    /// A `bestmove` with something other than a move.
    Garbage,
    /// `bestmove win` without fulfilling the rule.
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
    /// Too much output.
    Flood,
    /// The engine did not get ready for the game.
    NoStart,
}

/// The state of an engine after a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aftermath {
    /// It can continue.
    Fit,
    /// It must be restarted.
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

    /// Whether the loser broke down or violated the protocol, rather than being beaten.
    #[must_use]
    pub fn is_fault(self) -> bool {
        Self::FAULTS.contains(&self)
    }

    /// The state of an engine after this fault.
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
            Self::Interrupted => "interrupted",
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
            // The enum may grow; other ends by the rules also leave no moves.
            _ => Self::NoLegalMove,
        }
    }
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The result.
    pub result: GameResult,
    /// The reason.
    pub reason: Reason,
    /// Details, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Verdict {
    /// A loss of `loser`.
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

    /// The side to which the end is charged as a fault.
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
            None if self.reason == Reason::Interrupted => write!(f, "{}", self.reason)?,
            None => write!(f, "draw, {}", self.reason)?,
        }
        match &self.detail {
            Some(detail) => write!(f, " ({detail})"),
            None => Ok(()),
        }
    }
}

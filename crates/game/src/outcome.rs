use crate::Color;
use std::fmt;

/// How a game ended.
///
/// ```
/// use game::{Color, EndReason, Outcome};
/// let outcome = Outcome::Win { winner: Color::White, reason: EndReason::NoLegalMove };
/// assert_eq!(outcome.to_string(), "white wins: no legal move");
/// assert_eq!(outcome.winner(), Some(Color::White));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win {
        /// The side that won.
        winner: Color,
        /// Why.
        reason: EndReason,
    },
    /// Neither side won.
    Draw {
        /// Why.
        reason: EndReason,
    },
}

impl Outcome {
    /// The side that won, if any did.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win { winner, .. } => Some(winner),
            Self::Draw { .. } => None,
        }
    }

    /// What ended the game.
    #[must_use]
    pub const fn reason(self) -> EndReason {
        match self {
            Self::Win { reason, .. } | Self::Draw { reason } => reason,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner, reason } => write!(f, "{winner} wins: {reason}"),
            Self::Draw { reason } => write!(f, "draw: {reason}"),
        }
    }
}

/// What ended a game: the union over all games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EndReason {
    /// The side to move has no legal move (mate, or nothing left to play).
    NoLegalMove,
    /// The same position came up too often.
    Repetition,
    /// The same position came up too often, one side giving check all the time.
    PerpetualCheck,
    /// The entering-king declaration, or reaching the try square.
    Declaration,
    /// The agreed number of moves was played.
    MoveLimit,
    /// A goal of the game itself was reached: a line, a flag, the last piece of a kind.
    Goal,
    /// The board is full or the game has run its course, and points were counted.
    Points,
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoLegalMove => "no legal move",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual check",
            Self::Declaration => "declaration",
            Self::MoveLimit => "move limit",
            Self::Goal => "goal reached",
            Self::Points => "points",
        })
    }
}

/// How the side to move can win at once by a rule other than mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Declaration<M> {
    /// By declaring (`bestmove win`).
    Win,
    /// By this move (the try rule of shogi).
    Try(M),
}

/// What a repetition means for the side to move (`YaneuraOu`'s `RepetitionState`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// The same position: a draw.
    Draw,
    /// The same position, and the opponent gave check all the way: the side to move wins.
    Win,
    /// The same position, and the side to move gave check all the way: it loses.
    Lose,
    /// The same board with more pieces in the hand of the side to move than before.
    Superior,
    /// The same board with fewer pieces in the hand of the side to move than before.
    Inferior,
}

impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draw => "rep_draw",
            Self::Win => "rep_win",
            Self::Lose => "rep_lose",
            Self::Superior => "rep_sup",
            Self::Inferior => "rep_inf",
        })
    }
}

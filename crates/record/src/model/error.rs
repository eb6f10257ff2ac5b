//! Errors of records.

use shogi::{Move, SfenError};
use std::fmt;

/// Why a record cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// It looks like none of the formats.
    #[error("no game record found: expected KIF, KI2, CSA, JKF, USI, USEN or a BOD diagram")]
    Unrecognised,
    /// A malformed line.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What was expected.
        expected: &'static str,
        /// The beginning of the line.
        found: String,
    },
    /// A bad SFEN.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// Bad JSON.
    #[error("JSON at byte {at}: expected {expected}")]
    Json {
        /// Offset in bytes.
        at: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// JSON, but not a record.
    #[error("JKF: {0}")]
    Jkf(String),
    /// Malformed USEN.
    #[error("USEN: {0}")]
    Usen(String),
}

impl ReadError {
    pub(crate) fn line(line: usize, expected: &'static str, found: &str) -> Self {
        Self::Line { line, expected, found: quote(found) }
    }
}

/// Quotes the beginning of a text, because input may be of any length.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted: String =
        text.trim().chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.trim().chars().count() > 40 {
        quoted.push('…');
    }
    quoted
}

/// A move that was left out; its line ends before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Line of the file, from 1, where the format has lines.
    pub line: Option<usize>,
    /// Number of the move, from 1.
    pub ply: u32,
    /// The move as it was written.
    pub text: String,
    /// Why.
    pub reason: FaultReason,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "move {} `{}`: {}", self.ply, self.text, self.reason)
    }
}

/// Why a move was left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum FaultReason {
    /// Not the notation of a move.
    #[error("not a move")]
    NotAMove,
    /// 同 without a move before.
    #[error("there is no previous move whose square 同 could mean")]
    NothingBefore,
    /// Nothing stands on the square of origin.
    #[error("there is no such piece")]
    NoPiece,
    /// No piece of that kind reaches the square.
    #[error("no such piece can go there")]
    Unreachable,
    /// More than one piece could be meant.
    #[error("ambiguous: more than one piece can go there")]
    Ambiguous,
    /// The piece is the opponent's.
    #[error("it is the other player's turn")]
    WrongSide,
    /// A branch from a move number that the line does not have.
    #[error("the preceding line has no such move to branch from")]
    NoBranchPoint,
    /// Illegal, in a game that does not name the rule.
    #[error("illegal here")]
    AgainstTheRules,
    /// Against the rules.
    #[error("illegal: {0}")]
    Illegal(Illegality),
}

impl FaultReason {
    /// A short form for counting.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::NotAMove => "not a move",
            Self::NothingBefore | Self::NoPiece | Self::Unreachable => "no such piece",
            Self::Ambiguous => "ambiguous",
            Self::WrongSide => "wrong side",
            Self::NoBranchPoint => "bad branch",
            Self::AgainstTheRules | Self::Illegal(_) => "illegal",
        }
    }
}

/// The rule that a move violates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Illegality {
    /// The square of origin is empty.
    #[error("there is no piece on that square")]
    EmptyOrigin,
    /// The piece belongs to the opponent.
    #[error("the piece is the opponent's")]
    NotYours,
    /// The target holds a piece of one's own, or a king.
    #[error("the square is taken")]
    Taken,
    /// The piece does not move like that.
    #[error("the piece does not move like that")]
    Unreachable,
    /// Promotion outside the zone, or of a piece that cannot promote.
    #[error("it cannot promote")]
    Promotion,
    /// The piece could never move again.
    #[error("the piece could never move again")]
    DeadEnd,
    /// Nothing of that kind in hand.
    #[error("there is no such piece in hand")]
    EmptyHand,
    /// Two unpromoted pawns on one file.
    #[error("two pawns on one file")]
    TwoPawns,
    /// Mate by dropping a pawn.
    #[error("mate by dropping a pawn")]
    PawnDropMate,
    /// The king stays or comes under attack.
    #[error("the king is left in check")]
    KingInCheck,
}

impl Fault {
    pub(crate) fn illegal(ply: u32, m: Move, reason: Illegality) -> Self {
        Self { line: None, ply, text: m.to_string(), reason: FaultReason::Illegal(reason) }
    }
}

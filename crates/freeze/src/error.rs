//! Errors in positions of Freeze shogi.

use shogi::SfenError;

/// Why a text is not a position of Freeze shogi, or is not allowed by the option FREEZE.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FreezeError {
    /// The position apart from freezes.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// Malformed counts.
    #[error("syntax: expected counts such as z3Z3 (0 to 99 each), found `{0}`")]
    Counts(String),
    /// A malformed marker.
    #[error("syntax: kind: expected a marker such as zG or zB+, found `{0}`")]
    Marker(String),
    /// A second marker or second counts in one place.
    #[error("syntax: two {what} in one place, the second is `{word}`")]
    Twice {
        /// What was given twice.
        what: &'static str,
        /// The second one.
        word: String,
    },
    /// Moves after counts in the list of moves.
    #[error("syntax: counts must be last, but `{0}` follows them")]
    CountsNotLast(String),
    /// Counts after the moves that leave no room for those before.
    #[error("syntax: the counts before the moves would be more than 99")]
    TooMany,
    /// `FREEZE` is `NONE`.
    #[error("freeze not enabled: `{0}` needs the option FREEZE to be OK, ALLOW_FREEZE or CAN_FREEZE")]
    NotEnabled(String),
    /// `FREEZE` is `CAN_FREEZE`.
    #[error("opponent freeze not accepted: `{0}` needs the option FREEZE to be OK or ALLOW_FREEZE")]
    OpponentFreezes(String),
}

/// Which of the legal moves to generate.
///
/// For a position in check every set holds only moves that answer the check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveSet {
    /// Everything.
    Legal,
    /// Moves that capture.
    Captures,
    /// Moves that do not capture, drops included.
    Quiets,
    /// Answers to a check; nothing when there is no check.
    Evasions,
    /// Moves that give check.
    Checks,
    /// Moves that put a piece from the hand on the board.
    Drops,
}

/// How to generate promotions that are optional.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Promotions {
    /// Both the promotion and the plain move, as the rules have it.
    #[default]
    All,
    /// Leaves out plain moves that are never better than the promotion, as engines do while they search.
    Sensible,
}

//! Positions of Freeze shogi.

use crate::kinds::KindSet;
use crate::state::{State, States};
use crate::tokens::Counts;
use shogi::{Color, HandPiece, Origin, PieceKind};

/// How the search treats freezes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Handling {
    /// Considers freezes that restrict the opponent, counts their cost, and detects freeze mates.
    #[default]
    Staged,
    /// Treats all of them like other moves, for comparison.
    Naive,
}

/// Settings for a whole game or session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Terms {
    /// Whether counts are written even if both are 0.
    pub(crate) with_counts: bool,
    /// A player who may not freeze, whatever the counts are.
    pub(crate) barred: Option<Color>,
    /// Whether moves made under a freeze are shown with a `Z` marker.
    pub(crate) with_remarks: bool,
    pub(crate) handling: Handling,
}

/// A position of Freeze shogi: one of shogi, the kind that is frozen for the side to move, and the remaining freezes of
/// each player.
///
/// ```
/// use freeze::{Counts, Position};
/// let position = Position::startpos(Counts::new(3, 0));
/// assert!(position.can_freeze());
/// assert_eq!(position.frozen(), None);
/// ```
#[derive(Clone)]
pub struct Position {
    pub(crate) shogi: shogi::Position,
    pub(crate) states: States,
    pub(crate) terms: Terms,
}

impl Position {
    /// The ordinary start position.
    #[must_use]
    pub fn startpos(left: Counts) -> Self {
        Self::new(shogi::Position::startpos(), None, left)
    }

    /// A position of shogi with an active freeze and counts.
    #[must_use]
    pub fn new(shogi: shogi::Position, frozen: Option<PieceKind>, left: Counts) -> Self {
        let first = State {
            frozen,
            left,
            board_key: shogi.board_key(),
            hands: Color::ALL.map(|color| shogi.hand(color)),
            checks_in_a_row: [0; 2],
            comparable: 0,
        };
        let terms = Terms { with_counts: true, ..Terms::default() };
        Self { shogi, states: States::new(first), terms }
    }

    /// Board and hands.
    #[inline]
    #[must_use]
    pub const fn shogi(&self) -> &shogi::Position {
        &self.shogi
    }

    /// The kind that the side to move must not move.
    #[inline]
    #[must_use]
    pub fn frozen(&self) -> Option<PieceKind> {
        self.states.present().frozen
    }

    /// The remaining freezes of each player.
    #[inline]
    #[must_use]
    pub fn left(&self) -> Counts {
        self.states.present().left
    }

    /// Sets the counts, for records that state them.
    pub fn set_left(&mut self, left: Counts) {
        let state = self.states.present_mut();
        state.left = left;
        state.comparable = 0;
    }

    /// Whether the side to move may freeze: it has a freeze left and is not under one.
    #[inline]
    #[must_use]
    pub fn can_freeze(&self) -> bool {
        let side = self.shogi.side();
        self.frozen().is_none() && self.left().of(side) > 0 && self.terms.barred != Some(side)
    }

    /// Whether a player may still freeze at some time.
    #[inline]
    #[must_use]
    pub fn has_freezes(&self, color: Color) -> bool {
        self.left().of(color) > 0 && self.terms.barred != Some(color)
    }

    /// The side that may not freeze, if there is one.
    #[must_use]
    pub fn barred(&self) -> Option<Color> {
        self.terms.barred
    }

    /// Forbids a player to freeze, whatever the counts are.
    pub fn bar(&mut self, color: Option<Color>) {
        self.terms.barred = color;
    }

    /// Sets how the search treats freezes.
    pub fn set_handling(&mut self, handling: Handling) {
        self.terms.handling = handling;
    }

    /// The kinds that `color` has, on the board or in hand.
    #[must_use]
    pub fn kinds_of(&self, color: Color) -> KindSet {
        let own = self.shogi.pieces(color);
        let on_board =
            own.into_iter().filter_map(|square| self.shogi.piece_at(square)).map(shogi::Piece::kind);
        let in_hand = self.shogi.hand(color).iter().map(|(piece, _)| piece.kind());
        on_board.chain(in_hand).collect()
    }

    /// The kinds that the opponent has after `m`, given those before: `m` may capture the last piece of a kind.
    pub(crate) fn kinds_after(&self, before: KindSet, m: shogi::Move) -> KindSet {
        let Some(taken) = self.shogi.piece_at(m.to()) else { return before };
        let (owner, kind) = (taken.color(), taken.kind());
        let others = (self.shogi.pieces_of(kind) & self.shogi.pieces(owner)).many();
        let held = !kind.is_promoted()
            && kind.to_hand().is_some_and(|piece: HandPiece| self.shogi.hand(owner).has(piece));
        if others || held { before } else { before.without(kind) }
    }

    /// The kind of the piece that a move moves or drops, before any promotion.
    #[inline]
    #[must_use]
    pub fn moved_kind(&self, m: shogi::Move) -> Option<PieceKind> {
        match m.origin() {
            Origin::Board(from) => self.shogi.piece_at(from).map(shogi::Piece::kind),
            Origin::Hand(piece) => Some(piece.kind()),
        }
    }

    /// Whether the active freeze forbids a move.
    #[inline]
    pub(crate) fn is_barred(&self, m: shogi::Move) -> bool {
        self.frozen().is_some_and(|frozen| self.moved_kind(m) == Some(frozen))
    }
}

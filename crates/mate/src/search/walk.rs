//! The current position of a search and the path to it.

use super::path::Path;
use crate::dominance::hand_after;
use crate::futile_interposition::is_mated_but_for_futile;
use crate::verdict::Interpositions;
use shogi::{Color, Hand, Move, MoveList, MoveSet, Position, Promotions, Square};

/// A position with the path from the root, from the attacker's and the defender's point of view.
pub(crate) struct Walk {
    pub(crate) position: Position,
    pub(crate) path: Path,
    attacker: Color,
    interpositions: Interpositions,
}

impl Walk {
    pub(crate) fn new(position: &Position, attacker: Color, interpositions: Interpositions) -> Self {
        // Without history: repetition counts from the root.
        let fresh = Position::try_from(position.setup()).unwrap_or_else(|_| position.clone());
        Self { position: fresh, path: Path::new(), attacker, interpositions }
    }

    /// Makes these positions count as visited before the root: no mate may pass through them.
    pub(crate) fn avoid(&mut self, positions: &[Position]) {
        for position in positions {
            self.path.avoid(position.board_key(), position.hand(self.attacker));
        }
    }

    /// Whether the attacker is to move.
    #[inline]
    pub(crate) fn attacks(&self) -> bool {
        self.position.side() == self.attacker
    }

    pub(crate) fn depth(&self) -> u16 {
        self.path.depth()
    }

    #[inline]
    pub(crate) fn board(&self) -> u128 {
        self.position.board_key()
    }

    /// The attacker's hand.
    #[inline]
    pub(crate) fn hand(&self) -> Hand {
        self.position.hand(self.attacker)
    }

    /// The king to be mated.
    #[inline]
    pub(crate) fn king(&self) -> Option<Square> {
        self.position.king(!self.attacker)
    }

    /// The attacker's hand after a move of the side to move.
    #[inline]
    pub(crate) fn hand_after(&self, m: Move) -> Hand {
        if self.attacks() { hand_after(&self.position, m, self.hand()) } else { self.hand() }
    }

    pub(crate) fn enter(&mut self, m: Move) {
        self.path.enter(self.position.board_key(), self.position.hand(self.attacker), m);
        self.position.do_move(m);
    }

    pub(crate) fn leave(&mut self) {
        self.position.undo_move();
        self.path.leave();
    }

    /// [`Walk::generate`] into a new list.
    pub(crate) fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(&mut moves);
        moves
    }

    /// Fills an empty list: checks for the attacker; for the defender all legal moves that count.
    #[inline]
    pub(crate) fn generate(&self, moves: &mut MoveList) {
        let set = match (self.attacks(), self.position.in_check()) {
            (true, _) => MoveSet::Checks,
            (false, true) => MoveSet::Evasions,
            // Only at the root; afterwards every move of the attacker is a check.
            (false, false) => MoveSet::Legal,
        };
        self.position.generate(set, Promotions::All, moves);
        if self.interpositions == Interpositions::Useful
            && set == MoveSet::Evasions
            && is_mated_but_for_futile(&self.position, moves)
        {
            moves.clear();
        }
    }
}

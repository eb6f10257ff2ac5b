//! Mate in one move.

use super::{Movement, Position};
use crate::Move;
use crate::movegen::MoveList;
use game::{MoveSet, Promotions};

impl Position {
    /// A move that mates at once, if there is one.
    ///
    /// Never wrong: every checking move is tried on the board. Declined promotions that cannot mate where the
    /// promotion does not are not returned.
    ///
    /// ```
    /// use shogi::Position;
    /// let mut position = Position::from_sfen("7nk/9/8P/9/9/9/9/9/9 b G 1")?;
    /// assert_eq!(position.mate_in_one(), "G*1b".parse().ok());
    /// # Ok::<(), shogi::SfenError>(())
    /// ```
    #[must_use]
    pub fn mate_in_one(&mut self) -> Option<Move> {
        let mut checks = MoveList::new();
        self.generate(MoveSet::Checks, Promotions::Sensible, &mut checks);
        checks.iter().copied().find(|&m| {
            self.do_move(m);
            let mated = !self.has_evasion();
            self.undo_move();
            mated
        })
    }

    /// Whether the side to move, in check, has an answer.
    fn has_evasion(&self) -> bool {
        let side = self.side();
        // Most checks are answered by the king, and finding that out is cheap.
        let targets = !(self.pieces(side) | self.moving_like(Movement::King));
        if let Some(king) = self.king(side)
            && crate::movegen::safe_king_squares(self, side, king, targets).any()
        {
            return true;
        }
        if self.checkers().many() {
            return false;
        }
        let mut moves = MoveList::new();
        self.generate(MoveSet::Evasions, Promotions::Sensible, &mut moves);
        !moves.is_empty()
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        if self.in_check() {
            return self.has_evasion();
        }
        let mut moves = MoveList::new();
        self.generate(MoveSet::Legal, Promotions::Sensible, &mut moves);
        !moves.is_empty()
    }

    /// Whether the side to move is checkmated.
    #[must_use]
    pub fn is_mated(&self) -> bool {
        self.in_check() && !self.has_evasion()
    }
}

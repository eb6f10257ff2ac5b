//! Upcoming repetitions: returns to an earlier position by the next move.

use super::{Movement, Position, State};
use crate::{Bitboard, Move, Origin, zobrist};
use game::Repetition;

/// The smallest distance in plies at which one move can restore a position: the opponent has moved away and back.
const NEAREST: usize = 3;

impl Position {
    /// The result for the side to move of returning by one legal board move to the nearest earlier position, in a
    /// search whose root lies `plies_from_root` moves back. Positions before the root do not count, nor those before
    /// the last drop, capture, promotion or null move.
    ///
    /// ```
    /// use game::{Game, Repetition};
    /// let moves = "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b";
    /// let position = shogi::Shogi::default().position_command(moves)?;
    /// assert_eq!(position.upcoming_repetition(6), Some(Repetition::Draw), "3h2h");
    /// assert_eq!(position.upcoming_repetition(3), None, "it would be the root");
    /// # Ok::<(), game::PositionCommandError<shogi::SfenError>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn upcoming_repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        let [.., third, second, present] = self.states.all() else { return None };
        let plain = present.was_plain_move() && second.was_plain_move() && third.was_plain_move();
        if plain && plies_from_root > NEAREST && self.can_go_back(present) && self.can_go_back(second) {
            self.find_return(plies_from_root)
        } else {
            None
        }
    }

    /// Whether the piece moved last in this state is of a kind that can move back.
    #[inline(always)]
    fn can_go_back(&self, moved: &State) -> bool {
        let piece = moved.last_move.and_then(|m| self.piece_at(m.to()));
        piece.is_some_and(|piece| Movement::of(piece.kind()) > Movement::Knight)
    }

    /// Walks back over plain moves. When the opponent's moves cancel out, ours may be one move away from doing so.
    #[inline(never)]
    fn find_return(&self, plies_from_root: usize) -> Option<Repetition> {
        let mut states = self.states.all().iter().rev();
        let mut theirs = 0;
        let mut after = states.next()?;
        for distance in (1..plies_from_root).step_by(2) {
            let before = states.next()?;
            // Half of a key suffices as a filter; candidates are verified with the whole key.
            theirs ^= (after.board_key ^ before.board_key ^ zobrist::white_to_move()) as u64;
            if theirs == 0 && distance >= NEAREST && self.way_back(before, distance).is_some() {
                return Some(self.kind_of_return(before, distance));
            }
            if !before.was_plain_move() {
                return None;
            }
            after = states.next().filter(|after| after.was_plain_move())?;
        }
        None
    }

    /// The move that restores the board of `distance` plies ago, given that the opponent's moves since cancel out.
    #[cold]
    fn way_back(&self, earlier: &State, distance: usize) -> Option<Move> {
        // Squares that were left and reached equally often cancel out.
        let our_moves = self.states.all().iter().rev().take(distance).skip(1).step_by(2);
        let ours = our_moves.fold(Bitboard::EMPTY, |ours, state| ours ^ state.squares_of_move());
        let only = |squares: Bitboard| squares.first().filter(|_| !squares.many());
        let from = only(ours & self.occupied())?;
        let to = only(ours - self.occupied())?;
        let piece = self.piece_at(from)?;
        let step = zobrist::piece_on(piece, from) ^ zobrist::piece_on(piece, to) ^ zobrist::white_to_move();
        let m = Move::board(from, to, false);
        (self.state().board_key ^ step == earlier.board_key && self.is_legal(m)).then_some(m)
    }

    /// What [`Position::repetition`] would return after the move, for the side that makes it.
    fn kind_of_return(&self, earlier: &State, distance: usize) -> Repetition {
        let moves_each = distance.div_ceil(2);
        let in_a_row = |color: game::Color| usize::from(self.state().checks_in_a_row[color.index()]);
        if in_a_row(!self.side) >= moves_each {
            Repetition::Win
        } else if earlier.checkers.any() && in_a_row(self.side) + 1 >= moves_each {
            Repetition::Lose
        } else {
            Repetition::Draw
        }
    }
}

impl State {
    /// Whether the last move was neither a capture, a drop nor a promotion.
    #[inline(always)]
    fn was_plain_move(&self) -> bool {
        self.last_move.is_some_and(|m| !m.is_drop() && !m.is_promotion()) && self.captured.is_none()
    }

    /// The two squares of the last move.
    fn squares_of_move(&self) -> Bitboard {
        match self.last_move.map(|m| (m.origin(), m.to())) {
            Some((Origin::Board(from), to)) => [from, to].into_iter().collect(),
            _ => Bitboard::EMPTY,
        }
    }
}

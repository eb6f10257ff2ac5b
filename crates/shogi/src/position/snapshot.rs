//! A position without history, small enough to be stored by the million.

use super::Position;
use super::state::{Movement, State};
use crate::{Bitboard, Color, Hand, Piece, PieceKind, Square};

/// A position to be restored by [`Position::restore`]: board, hands and side to move.
///
/// ```
/// use shogi::Position;
/// let mut position = Position::startpos();
/// let start = position.snapshot();
/// position.do_move("7g7f".parse()?);
/// position.restore(&start);
/// assert_eq!(position, Position::startpos());
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[derive(Clone)]
pub struct Snapshot {
    board: [Option<Piece>; Square::COUNT],
    hands: [Hand; 2],
    side: Color,
}

impl Position {
    /// Stores the position without its history.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { board: self.board, hands: self.state().hands, side: self.side }
    }

    /// Sets the position up again in the memory of this one and clears the history. Much faster than making a new
    /// position, because nothing is allocated or validated.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        for state in self.states.all() {
            self.visits.leave(state.board_key);
        }
        self.board = snapshot.board;
        self.side = snapshot.side;
        self.movements = [Bitboard::EMPTY; Movement::COUNT];
        self.colors = [Bitboard::EMPTY; 2];
        self.promoted = Bitboard::EMPTY;
        self.kings = [None; 2];
        for square in Square::all() {
            let Some(piece) = snapshot.board[square.index()] else { continue };
            self.toggle(piece, square);
            if piece.kind() == PieceKind::King {
                self.kings[piece.color().index()] = Some(square);
            }
        }
        self.started_in_check = false;
        self.states.restart(State { hands: snapshot.hands, ..State::EMPTY });
        self.started_in_check =
            self.king(!self.side).is_some_and(|king| self.is_attacked(king, self.side, self.occupied()));
        let state = self.state_from_scratch();
        self.visits.enter(state.board_key);
        self.states.restart(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restored_position_is_the_same_in_every_respect() {
        let mut moving = Position::startpos();
        let mut other = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        for ply in 0..200u32 {
            let moves = moving.legal_moves();
            let Some(m) = moves.iter().copied().nth(ply as usize * 7919 % moves.len().max(1)) else { break };
            moving.do_move(m);
            other.restore(&moving.snapshot());
            assert_eq!(other, moving);
            assert_eq!(other.key128(), moving.key128());
            assert_eq!(other.checkers(), moving.checkers());
            other.assert_consistent();
            assert_eq!(other.repetition(10), None);
        }
    }
}

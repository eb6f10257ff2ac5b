//! Playing moves and taking them back.

use super::Position;
use super::state::{Change, Movement};
use crate::{Bitboard, HandPiece, Move, Origin, Piece, Square, hand_value, piece_value, zobrist};

const ILLEGAL: &str = "the move is not legal in this position";

impl Position {
    /// Plays a legal move.
    ///
    /// # Panics
    /// When the move cannot be made at all: no own piece to move, an own piece or a king on the target square,
    /// no such piece in hand. Moves from outside go through [`Position::is_legal`] first.
    #[inline]
    pub fn do_move(&mut self, m: Move) {
        self.do_move_observed(m, |_| ());
    }

    /// Plays a legal move and tells `observer` each change, so that an evaluation can follow.
    ///
    /// # Panics
    /// As [`Position::do_move`].
    #[inline]
    pub fn do_move_observed(&mut self, m: Move, observer: impl FnMut(Change)) {
        self.history.push(self.state);
        self.state.last_move = Some(m);
        self.state.captured = None;
        match m.origin() {
            Origin::Board(from) => self.move_piece(from, m.to(), m.is_promotion(), observer),
            Origin::Hand(piece) => self.drop_piece(piece, m.to(), observer),
        }
        let us = self.side;
        let state = &mut self.state;
        state.board_key ^= zobrist::white_to_move();
        state.plies_from_null += 1;
        let in_a_row = &mut state.checks_in_a_row[us.index()];
        *in_a_row = if state.checkers.any() { in_a_row.saturating_add(1) } else { 0 };
        self.side = !us;
        self.visits.enter(self.state.board_key);
    }

    #[inline(always)]
    fn move_piece(&mut self, from: Square, to: Square, promote: bool, mut observer: impl FnMut(Change)) {
        let us = self.side;
        let before = self.board[from.index()].expect(ILLEGAL);
        assert!(before.color() == us, "{ILLEGAL}");
        let after = if promote { Piece::new(us, before.kind().promoted().expect(ILLEGAL)) } else { before };
        if let Some(captured) = self.board[to.index()] {
            assert!(captured.color() != us, "{ILLEGAL}");
            self.take_to_hand(captured, to, &mut observer);
        }

        self.board[from.index()] = None;
        self.board[to.index()] = Some(after);
        let path = Bitboard::from(from) | to.into();
        self.colors[us.index()] ^= path;
        let state = &mut self.state;
        state.board_key ^= zobrist::piece_on(before, from) ^ zobrist::piece_on(after, to);
        if promote {
            self.movements[Movement::of(before.kind()) as usize] ^= from.into();
            self.movements[Movement::of(after.kind()) as usize] ^= to.into();
            self.promoted ^= to.into();
            let gain = piece_value(after.kind()) - piece_value(before.kind());
            state.material += if us == crate::Color::Black { gain } else { -gain };
        } else {
            let movement = Movement::of(after.kind());
            self.movements[movement as usize] ^= path;
            if after.kind().is_promoted() {
                self.promoted ^= path;
            }
            if movement == Movement::King {
                self.kings[us.index()] = Some(to);
            }
        }
        observer(Change::Removed(before, from));
        observer(Change::Placed(after, to));
        self.state.checkers = match self.kings[(!us).index()] {
            Some(king) => self.checkers_after(king, after, Some(from), to, self.occupied()),
            None => Bitboard::EMPTY,
        };
    }

    #[inline(always)]
    fn take_to_hand(&mut self, captured: Piece, on: Square, observer: &mut impl FnMut(Change)) {
        let us = self.side;
        let kind = captured.kind();
        let piece = kind.to_hand().expect(ILLEGAL);
        self.movements[Movement::of(kind) as usize] ^= on.into();
        self.colors[(!us).index()] ^= on.into();
        if kind.is_promoted() {
            self.promoted ^= on.into();
        }
        let state = &mut self.state;
        state.captured = Some(captured);
        state.board_key ^= zobrist::piece_on(captured, on);
        state.hand_key = state.hand_key.wrapping_add(zobrist::in_hand(us, piece));
        state.hands[us.index()].add(piece);
        let gain = piece_value(kind) + hand_value(piece);
        state.material += if us == crate::Color::Black { gain } else { -gain };
        observer(Change::Removed(captured, on));
        let after = state.hands[us.index()].count(piece);
        observer(Change::Hand { color: us, piece, before: after - 1, after });
    }

    #[inline(always)]
    fn drop_piece(&mut self, piece: HandPiece, to: Square, mut observer: impl FnMut(Change)) {
        let us = self.side;
        assert!(self.board[to.index()].is_none(), "{ILLEGAL}");
        let placed = Piece::new(us, piece.kind());
        self.board[to.index()] = Some(placed);
        self.colors[us.index()] ^= to.into();
        self.movements[Movement::of(piece.kind()) as usize] ^= to.into();
        let state = &mut self.state;
        state.board_key ^= zobrist::piece_on(placed, to);
        state.hand_key = state.hand_key.wrapping_sub(zobrist::in_hand(us, piece));
        let hand = &mut state.hands[us.index()];
        hand.remove(piece);
        let after = hand.count(piece);
        observer(Change::Hand { color: us, piece, before: after + 1, after });
        observer(Change::Placed(placed, to));
        self.state.checkers = match self.kings[(!us).index()] {
            Some(king) => self.checkers_after(king, placed, None, to, self.occupied()),
            None => Bitboard::EMPTY,
        };
    }

    /// Takes the last move (or null move) back.
    ///
    /// # Panics
    /// When nothing has been played.
    #[inline]
    pub fn undo_move(&mut self) {
        let previous = self.history.pop().expect("no move to take back");
        self.visits.leave(self.state.board_key);
        self.side = !self.side;
        match self.state.last_move {
            Some(m) => match m.origin() {
                Origin::Board(from) => self.unmove_piece(from, m.to(), m.is_promotion()),
                Origin::Hand(piece) => self.undrop_piece(piece, m.to()),
            },
            None => {}
        }
        self.state = previous;
    }

    #[inline(always)]
    fn unmove_piece(&mut self, from: Square, to: Square, promote: bool) {
        let us = self.side;
        let after = self.board[to.index()].expect("the moved piece is where it went");
        let path = Bitboard::from(from) | to.into();
        let before = if promote {
            let before = Piece::new(us, after.kind().unpromoted());
            self.movements[Movement::of(before.kind()) as usize] ^= from.into();
            self.movements[Movement::of(after.kind()) as usize] ^= to.into();
            self.promoted ^= to.into();
            before
        } else {
            let movement = Movement::of(after.kind());
            self.movements[movement as usize] ^= path;
            if after.kind().is_promoted() {
                self.promoted ^= path;
            }
            if movement == Movement::King {
                self.kings[us.index()] = Some(from);
            }
            after
        };
        self.colors[us.index()] ^= path;
        self.board[from.index()] = Some(before);
        self.board[to.index()] = self.state.captured;
        if let Some(captured) = self.state.captured {
            self.movements[Movement::of(captured.kind()) as usize] ^= to.into();
            self.colors[(!us).index()] ^= to.into();
            if captured.kind().is_promoted() {
                self.promoted ^= to.into();
            }
        }
    }

    #[inline(always)]
    fn undrop_piece(&mut self, piece: HandPiece, to: Square) {
        self.board[to.index()] = None;
        self.colors[self.side.index()] ^= to.into();
        self.movements[Movement::of(piece.kind()) as usize] ^= to.into();
    }

    /// Passes the turn. The side to move must not be in check.
    ///
    /// # Panics
    /// When it is in check.
    pub fn do_null_move(&mut self) {
        assert!(!self.in_check(), "a player in check cannot pass");
        self.history.push(self.state);
        let state = &mut self.state;
        state.last_move = None;
        state.captured = None;
        state.plies_from_null = 0;
        state.checks_in_a_row = [0; 2];
        state.board_key ^= zobrist::white_to_move();
        self.side = !self.side;
        self.visits.enter(self.state.board_key);
    }
}

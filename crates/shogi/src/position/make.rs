//! Making and unmaking moves.

use super::Position;
use super::state::{Change, Movement, State};
use crate::{Bitboard, Color, HandPiece, Move, Origin, Piece, Square, hand_value, piece_value, zobrist};

const ILLEGAL: &str = "the move is not legal in this position";

impl Position {
    /// Plays a legal move.
    ///
    /// If the move cannot be made at all: no own piece to move, an own piece or a king on the target square, no such
    /// piece in hand. Check moves from outside with [`Position::is_legal`] first.
    #[inline]
    pub fn do_move(&mut self, m: Move) {
        self.do_move_observed(m, |_| ());
    }

    /// Plays a legal move and passes each change to `observer`, which keeps an evaluation up to date.
    ///
    /// # Panics
    /// As [`Position::do_move`].
    #[inline]
    pub fn do_move_observed(&mut self, m: Move, observer: impl FnMut(Change)) {
        self.do_move_prefetching(m, |_| (), observer);
    }

    /// Like [`Position::do_move_observed`], but first calls `prefetch` with the [`Position::key`] after the move.
    ///
    /// # Panics
    /// As [`Position::do_move`].
    #[inline]
    pub fn do_move_prefetching(&mut self, m: Move, prefetch: impl FnOnce(u64), observer: impl FnMut(Change)) {
        match m.origin() {
            Origin::Board(from) => self.move_piece(m, from, m.to(), prefetch, observer),
            Origin::Hand(piece) => self.drop_piece(m, piece, m.to(), prefetch, observer),
        }
    }

    #[inline(always)]
    fn move_piece(
        &mut self,
        m: Move,
        from: Square,
        to: Square,
        prefetch: impl FnOnce(u64),
        mut observer: impl FnMut(Change),
    ) {
        let us = self.side;
        let before = self.board[from.index()].expect(ILLEGAL);
        assert!(before.color() == us, "{ILLEGAL}");
        let after =
            if m.is_promotion() { Piece::new(us, before.kind().promoted().expect(ILLEGAL)) } else { before };
        let State { mut board_key, mut hand_key, .. } = *self.state();
        board_key ^=
            zobrist::white_to_move() ^ zobrist::piece_on(before, from) ^ zobrist::piece_on(after, to);
        let captured = self.board[to.index()];
        let taken = captured.map(|captured| {
            assert!(captured.color() != us, "{ILLEGAL}");
            let piece = captured.kind().to_hand().expect(ILLEGAL);
            board_key ^= zobrist::piece_on(captured, to);
            hand_key = hand_key.wrapping_add(zobrist::in_hand(us, piece));
            (captured, piece)
        });
        prefetch((board_key ^ hand_key) as u64);
        let mut material = 0;
        if let Some((captured, piece)) = taken {
            self.toggle(captured, to);
            observer(Change::Removed(captured, to));
            material = piece_value(captured.kind()) + hand_value(piece);
        }
        if m.is_promotion() {
            self.toggle(before, from);
            self.toggle(after, to);
            material += piece_value(after.kind()) - piece_value(before.kind());
        } else {
            self.shift(after, from, to);
        }
        self.board[from.index()] = None;
        self.board[to.index()] = Some(after);
        observer(Change::Removed(before, from));
        observer(Change::Placed(after, to));
        let checkers = self.kings[(!us).index()].map_or(Bitboard::EMPTY, |king| {
            self.checkers_after(king, after, Some(from), to, || self.occupied())
        });
        let next = self.enter(m, captured, board_key, hand_key, material, checkers);
        if let Some((_, piece)) = taken {
            let hand = &mut next.hands[us.index()];
            hand.add(piece);
            let after = hand.count(piece);
            observer(Change::Hand { color: us, piece, before: after - 1, after });
        }
    }

    #[inline(always)]
    fn drop_piece(
        &mut self,
        m: Move,
        piece: HandPiece,
        to: Square,
        prefetch: impl FnOnce(u64),
        mut observer: impl FnMut(Change),
    ) {
        let us = self.side;
        assert!(self.board[to.index()].is_none() && self.hand(us).has(piece), "{ILLEGAL}");
        let placed = Piece::new(us, piece.kind());
        let board_key = self.board_key() ^ zobrist::white_to_move() ^ zobrist::piece_on(placed, to);
        let hand_key = self.hand_key().wrapping_sub(zobrist::in_hand(us, piece));
        prefetch((board_key ^ hand_key) as u64);
        self.toggle(placed, to);
        self.board[to.index()] = Some(placed);
        let checkers = self.kings[(!us).index()]
            .map_or(Bitboard::EMPTY, |king| self.checkers_after(king, placed, None, to, || self.occupied()));
        let next = self.enter(m, None, board_key, hand_key, 0, checkers);
        let hand = &mut next.hands[us.index()];
        hand.remove(piece);
        let after = hand.count(piece);
        observer(Change::Hand { color: us, piece, before: after + 1, after });
        observer(Change::Placed(placed, to));
    }

    /// [`Position::key`] after a legal move, without making it.
    #[inline]
    #[must_use]
    pub fn key_after(&self, m: Move) -> u64 {
        let us = self.side;
        let mut hands = self.state().hand_key as u64;
        match m.origin() {
            Origin::Hand(piece) => hands = hands.wrapping_sub(zobrist::in_hand(us, piece) as u64),
            Origin::Board(_) => {
                if let Some(piece) = self.piece_at(m.to()).and_then(|captured| captured.kind().to_hand()) {
                    hands = hands.wrapping_add(zobrist::in_hand(us, piece) as u64);
                }
            }
        }
        self.board_key_after(m) as u64 ^ hands
    }

    /// [`Position::board_key`] after a legal move, without making it.
    #[inline]
    #[must_use]
    pub fn board_key_after(&self, m: Move) -> u128 {
        let mut board = self.state().board_key ^ zobrist::white_to_move();
        if let Some(piece) = self.piece_after(m) {
            board ^= zobrist::piece_on(piece, m.to());
        }
        if let Origin::Board(from) = m.origin() {
            if let Some(piece) = self.piece_at(from) {
                board ^= zobrist::piece_on(piece, from);
            }
            if let Some(captured) = self.piece_at(m.to()) {
                board ^= zobrist::piece_on(captured, m.to());
            }
        }
        board
    }

    /// Writes the state after a move, given its keys and the mover's gain but the hands from before, and passes the
    /// turn. The state is written once, field by field: copying the old one and changing it would stall on store
    /// forwarding.
    #[inline(always)]
    fn enter(
        &mut self,
        m: Move,
        captured: Option<Piece>,
        board_key: u128,
        hand_key: u128,
        gain: i32,
        checkers: Bitboard,
    ) -> &mut State {
        let us = self.side;
        self.side = !us;
        let (old, next) = self.states.advance();
        next.board_key = board_key;
        next.hand_key = hand_key;
        next.checkers = checkers;
        next.hands = old.hands;
        next.material = old.material + if us == Color::Black { gain } else { -gain };
        let in_a_row = if checkers.any() { old.checks_in_a_row[us.index()].saturating_add(1) } else { 0 };
        next.checks_in_a_row = match us {
            Color::Black => [in_a_row, old.checks_in_a_row[1]],
            Color::White => [old.checks_in_a_row[0], in_a_row],
        };
        next.plies_from_null = old.plies_from_null + 1;
        next.last_move = Some(m);
        next.captured = captured;
        self.visits.enter(board_key);
        next
    }

    /// Toggles a piece in the sets. Not for kings, which are never added or removed.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let single = Bitboard::from(square);
        self.movements[Movement::of(piece.kind()) as usize] ^= single;
        self.colors[piece.color().index()] ^= single;
        if piece.kind().is_promoted() {
            self.promoted ^= single;
        }
    }

    /// Moves a piece from one square to another in the sets.
    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let path = Bitboard::from(from) | to.into();
        let movement = Movement::of(piece.kind());
        self.movements[movement as usize] ^= path;
        self.colors[piece.color().index()] ^= path;
        if piece.kind().is_promoted() {
            self.promoted ^= path;
        }
        if movement == Movement::King {
            self.kings[piece.color().index()] = Some(to);
        }
    }

    /// Takes the last move (or null move) back.
    ///
    /// # Panics
    /// When nothing has been played.
    #[inline]
    pub fn undo_move(&mut self) {
        assert!(self.moves_since_start() > 0, "no move to take back");
        let State { board_key, last_move, captured, .. } = *self.state();
        self.states.retreat();
        self.visits.leave(board_key);
        self.side = !self.side;
        let Some(m) = last_move else { return };
        let to = m.to();
        let after = self.board[to.index()].expect("the moved piece is where it went");
        self.board[to.index()] = captured;
        match m.origin() {
            Origin::Hand(_) => self.toggle(after, to),
            Origin::Board(from) => {
                let before = if m.is_promotion() {
                    let before = Piece::new(self.side, after.kind().unpromoted());
                    self.toggle(after, to);
                    self.toggle(before, from);
                    before
                } else {
                    self.shift(after, to, from);
                    after
                };
                self.board[from.index()] = Some(before);
                if let Some(captured) = captured {
                    self.toggle(captured, to);
                }
            }
        }
    }

    /// Passes the turn. The side to move must not be in check.
    ///
    /// # Panics
    /// When it is in check.
    pub fn do_null_move(&mut self) {
        assert!(!self.in_check(), "a player in check cannot pass");
        let checkers = match self.king(!self.side) {
            Some(king) if self.opponent_in_check() => self.attackers_to(king, self.side, self.occupied()),
            _ => Bitboard::EMPTY,
        };
        let (old, next) = self.states.advance();
        *next = State {
            board_key: old.board_key ^ zobrist::white_to_move(),
            checks_in_a_row: [0; 2],
            plies_from_null: 0,
            last_move: None,
            captured: None,
            checkers,
            ..*old
        };
        self.visits.enter(next.board_key);
        self.side = !self.side;
    }
}

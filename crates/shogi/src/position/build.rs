//! Construction of positions.

use super::state::{Movement, State, States, Visits};
use super::{Position, Rules};
use crate::sfen::write_sfen;
use crate::{Bitboard, Color, Handicap, PieceKind, Setup, SetupError, SfenError, Square};
use crate::{hand_value, piece_value, zobrist};

impl Position {
    /// The ordinary start position.
    #[must_use]
    pub fn startpos() -> Self {
        Self::handicap(Handicap::Even)
    }

    /// The start position of a handicap game.
    #[must_use]
    pub fn handicap(handicap: Handicap) -> Self {
        Self::try_from(handicap.setup()).expect("handicaps are valid; the tests make every one of them")
    }

    /// A position with room for `plies` moves; playing more makes it grow. Smaller and faster to make than one for a
    /// search.
    pub fn with_room(setup: &Setup, plies: usize) -> Result<Self, SetupError> {
        setup.validate()?;
        Ok(Self::build(setup, plies))
    }

    /// Reads an SFEN; the move number may be missing.
    pub fn from_sfen(sfen: &str) -> Result<Self, SfenError> {
        Ok(Self::try_from(sfen.parse::<Setup>()?)?)
    }

    /// The canonical SFEN.
    #[must_use]
    pub fn sfen(&self) -> String {
        let mut text = String::with_capacity(100);
        write_sfen(&mut text, |s| self.piece_at(s), self.side, self.state().hands, self.ply())
            .expect("writing to a string does not fail");
        text
    }

    /// The description of the position, without history.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup { board: self.board, hands: self.state().hands, side: self.side, ply: self.ply() }
    }

    /// The position seen from the other side: rotated by 180°, colours exchanged. It has no history.
    #[must_use]
    pub fn flip(&self) -> Self {
        let flipped = Self::try_from(self.setup().flip()).expect("a rotated legal position is legal");
        flipped.with_rules(self.rules)
    }

    /// The position in a mirror. It has no history.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let mirrored = Self::try_from(self.setup().mirror()).expect("a mirrored legal position is legal");
        mirrored.with_rules(self.rules)
    }

    /// The same position under other rules of declaration and move limit.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Makes room for `plies` more moves, so that playing them does not allocate. A new or cloned position has
    /// room for [`Position::RESERVED_PLIES`].
    pub fn reserve(&mut self, plies: usize) {
        self.states.reserve(plies);
    }

    /// Builds the position from a valid description.
    fn build(setup: &Setup, plies: usize) -> Self {
        let mut position = Self {
            board: setup.board,
            movements: [Bitboard::EMPTY; Movement::COUNT],
            colors: [Bitboard::EMPTY; 2],
            promoted: Bitboard::EMPTY,
            kings: [None; 2],
            side: setup.side,
            start_ply: setup.ply,
            started_in_check: false,
            rules: Rules::default(),
            states: States::new(State { hands: setup.hands, ..State::EMPTY }, plies),
            visits: Visits::new(),
        };
        for (square, piece) in setup.pieces() {
            let kind = piece.kind();
            let single = Bitboard::from(square);
            position.movements[Movement::of(kind) as usize] |= single;
            position.colors[piece.color().index()] |= single;
            if kind.is_promoted() {
                position.promoted |= single;
            }
            if kind == PieceKind::King {
                position.kings[piece.color().index()] = Some(square);
            }
        }
        let in_check = |king: Square| position.is_attacked(king, setup.side, position.occupied());
        position.started_in_check = position.king(!setup.side).is_some_and(in_check);
        let state = position.state_from_scratch();
        position.visits.enter(state.board_key);
        position.states.restart(state);
        position
    }

    /// Computes from the board alone what moves update incrementally: the reference for tests.
    pub(super) fn state_from_scratch(&self) -> State {
        let mut board_key = if self.side == Color::White { zobrist::white_to_move() } else { 0 };
        let mut hand_key = 0u128;
        let mut material = 0;
        for square in self.occupied() {
            let piece = self.piece_at(square).expect("the square is occupied");
            board_key ^= zobrist::piece_on(piece, square);
            let value = if piece.kind() == PieceKind::King { 0 } else { piece_value(piece.kind()) };
            material += if piece.color() == Color::Black { value } else { -value };
        }
        for color in Color::ALL {
            for (piece, count) in self.hand(color).iter() {
                hand_key =
                    hand_key.wrapping_add(zobrist::in_hand(color, piece).wrapping_mul(u128::from(count)));
                let value = hand_value(piece) * count as i32;
                material += if color == Color::Black { value } else { -value };
            }
        }
        let checkers = self
            .king(self.side)
            .map_or(Bitboard::EMPTY, |king| self.attackers_to(king, !self.side, self.occupied()));
        State {
            board_key,
            hand_key,
            checkers,
            hands: self.state().hands,
            material,
            checks_in_a_row: [0; 2],
            plies_from_null: 0,
            last_move: None,
            captured: None,
        }
    }

    /// Compares everything that is updated incrementally with the board.
    ///
    /// # Panics
    /// On any difference.
    #[doc(hidden)]
    pub fn assert_consistent(&self) {
        let fresh = self.state_from_scratch();
        assert_eq!(self.state().board_key, fresh.board_key, "board key of {}", self.sfen());
        assert_eq!(self.state().hand_key, fresh.hand_key, "hand key of {}", self.sfen());
        assert_eq!(self.state().checkers, fresh.checkers, "checkers of {}", self.sfen());
        assert_eq!(self.state().material, fresh.material, "material of {}", self.sfen());
        let rebuilt = Self::try_from(self.setup()).expect("a position that was reached is valid");
        assert_eq!(self.movements, rebuilt.movements, "sets of {}", self.sfen());
        assert_eq!(self.colors, rebuilt.colors, "colours of {}", self.sfen());
        assert_eq!(self.promoted, rebuilt.promoted, "promoted pieces of {}", self.sfen());
        assert_eq!(self.kings, rebuilt.kings, "kings of {}", self.sfen());
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        Self::with_room(&setup, States::ROOM)
    }
}

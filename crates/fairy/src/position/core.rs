//! Board, hands and side to move, without history.

use crate::board::kind::{Form, Kind, Piece};
use crate::board::moves::{Move, Turn};
use crate::board::square::{Square, Squares};
use crate::position::setup::SetupState;
use crate::variant::Variant;
use game::Color;

/// Pieces in hand, by kind.
pub(crate) type Hand = [u8; Kind::COUNT];

/// No piece.
const EMPTY: u8 = u8::MAX;

/// The part of a position that determines the legal moves.
#[derive(Clone)]
pub(crate) struct Core {
    by_kind: [[Squares; Kind::COUNT]; 2],
    by_color: [Squares; 2],
    board: [u8; Square::COUNT],
    pub(crate) hands: [Hand; 2],
    pub(crate) side: Color,
    pub(crate) setup: [SetupState; 2],
    /// Checks that each player still has to give, if they are counted.
    pub(crate) checks_left: [u8; 2],
}

impl Core {
    pub(crate) fn empty() -> Self {
        Self {
            by_kind: [[Squares::EMPTY; Kind::COUNT]; 2],
            by_color: [Squares::EMPTY; 2],
            board: [EMPTY; Square::COUNT],
            hands: [[0; Kind::COUNT]; 2],
            side: Color::Black,
            setup: [SetupState::OVER; 2],
            checks_left: [1; 2],
        }
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Squares {
        self.by_color[0] | self.by_color[1]
    }

    #[inline(always)]
    pub(crate) fn of_color(&self, color: Color) -> Squares {
        self.by_color[color.index()]
    }

    #[inline(always)]
    pub(crate) fn of_kind(&self, color: Color, kind: Kind) -> Squares {
        self.by_kind[color.index()][kind.index()]
    }

    #[inline(always)]
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        let piece = self.board[square.index()];
        (piece != EMPTY).then(|| Piece::from_index(piece))
    }

    #[inline]
    pub(crate) fn put(&mut self, variant: &Variant, piece: Piece, square: Square) {
        let (color, kind, set) = (piece.color().index(), variant.kind(piece.form()), Squares::of(square));
        self.by_kind[color][kind.index()] |= set;
        self.by_color[color] |= set;
        self.board[square.index()] = piece.to_index();
    }

    #[inline]
    pub(crate) fn remove(&mut self, variant: &Variant, piece: Piece, square: Square) {
        let (color, kind, set) = (piece.color().index(), variant.kind(piece.form()), Squares::of(square));
        self.by_kind[color][kind.index()] ^= set;
        self.by_color[color] ^= set;
        self.board[square.index()] = EMPTY;
    }

    /// The piece on the target square after a move.
    #[inline]
    pub(crate) fn form_after(&self, variant: &Variant, m: Move) -> Form {
        let before = match (m.from(), m.dropped()) {
            (Some(from), _) => self.piece_at(from).map_or(Form::plain(Kind::from_letter(0)), Piece::form),
            (None, Some(kind)) => Form::plain(kind),
            (None, None) => unreachable!("a move comes from the board or from the hand"),
        };
        match m.turn() {
            Turn::Stay => before,
            Turn::Promote => Form::promoted(variant.kind(before)),
            Turn::Demote => Form::plain(before.origin()),
        }
    }

    /// The kind that a captured piece adds to the hand.
    #[inline]
    pub(crate) fn captured_kind(variant: &Variant, form: Form) -> Kind {
        if variant.rules.drop_loop { variant.kind(form) } else { form.origin() }
    }

    /// How many pieces of a kind a player has, the hand included.
    pub(crate) fn count_with_hand(&self, color: Color, kind: Kind) -> u32 {
        self.of_kind(color, kind).len() + u32::from(self.hands[color.index()][kind.index()])
    }

    /// Plays a move without history; for looking ahead on a copy.
    pub(crate) fn play(&mut self, variant: &Variant, m: Move) {
        let us = self.side;
        let after = Piece::new(us, self.form_after(variant, m));
        if let Some(captured) = self.piece_at(m.to()) {
            self.remove(variant, captured, m.to());
            if variant.rules.captures_to_hand {
                self.hands[us.index()][Self::captured_kind(variant, captured.form()).index()] += 1;
            }
        }
        if let Some(from) = m.from()
            && let Some(piece) = self.piece_at(from)
        {
            self.remove(variant, piece, from);
        }
        self.put(variant, after, m.to());
        if let Some(kind) = m.dropped() {
            self.hands[us.index()][kind.index()] -= 1;
            self.place(variant, us, kind);
        }
        self.side = !us;
    }
}

//! The state stored for each move of a game, and the sets of pieces.

use crate::{Bitboard, Color, Hand, HandPiece, Move, Piece, PieceKind, Square};

/// One elementary change of a move, reported to evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A piece has left a square.
    Removed(Piece, Square),
    /// A piece has come to a square.
    Placed(Piece, Square),
    /// The number of pieces of a kind in a hand has changed.
    Hand {
        /// Whose hand.
        color: Color,
        /// Which kind.
        piece: HandPiece,
        /// How many there were.
        before: u32,
        /// How many there are.
        after: u32,
    },
}

/// A way of moving. Pieces that slide or step alike share a set, so that a move updates few sets and attack tests read
/// few; [`Position::promoted_pieces`](super::Position::promoted_pieces) distinguishes horse from bishop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Movement {
    Pawn,
    Lance,
    Knight,
    Silver,
    /// Gold and the promoted minor pieces.
    Gold,
    /// Bishop and horse.
    Bishop,
    /// Rook and dragon.
    Rook,
    King,
}

impl Movement {
    pub(crate) const COUNT: usize = 8;

    #[inline(always)]
    pub(crate) const fn of(kind: PieceKind) -> Self {
        const OF: [Movement; 15] = {
            use Movement::{Bishop, Gold, King, Knight, Lance, Pawn, Rook, Silver};
            [
                Pawn, Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, Gold, Gold, Gold, Gold, Bishop,
                Rook,
            ]
        };
        OF[kind.index()]
    }
}

/// What undoing a move restores, and what repetition looks up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) board_key: u128,
    pub(crate) hand_key: u128,
    pub(crate) checkers: Bitboard,
    pub(crate) hands: [Hand; 2],
    pub(crate) material: i32,
    /// How many of each player's latest moves in a row gave check.
    pub(crate) checks_in_a_row: [u16; 2],
    /// Plies since the start or the last null move: repetition does not look back beyond that.
    pub(crate) plies_from_null: u32,
    pub(crate) last_move: Option<Move>,
    pub(crate) captured: Option<Piece>,
}

impl State {
    /// The state before anything is computed.
    pub(crate) const EMPTY: Self = Self {
        board_key: 0,
        hand_key: 0,
        checkers: Bitboard::EMPTY,
        hands: [Hand::EMPTY; 2],
        material: 0,
        checks_in_a_row: [0; 2],
        plies_from_null: 0,
        last_move: None,
        captured: None,
    };
}

/// The states of the game so far, the current one last, in a buffer large enough that searching never allocates.
pub(crate) struct States {
    /// Longer than needed: entries behind `present` are left over from moves taken back.
    buffer: Vec<State>,
    present: usize,
}

impl States {
    pub(crate) const ROOM: usize = 512;

    pub(crate) fn new(first: State, room: usize) -> Self {
        let mut buffer = vec![State::EMPTY; 1 + room];
        buffer[0] = first;
        Self { buffer, present: 0 }
    }

    /// Restarts with this state, in the same buffer.
    pub(crate) fn restart(&mut self, first: State) {
        self.buffer[0] = first;
        self.present = 0;
    }

    #[inline(always)]
    pub(crate) fn present(&self) -> &State {
        debug_assert!(self.present < self.buffer.len());
        // SAFETY: `present` begins at 0 in a buffer that is never empty, and `advance` makes room before it goes on.
        unsafe { self.buffer.get_unchecked(self.present) }
    }

    /// Number of states before the present one.
    #[inline(always)]
    pub(crate) fn moves(&self) -> usize {
        self.present
    }

    /// All states, the present one last.
    pub(crate) fn all(&self) -> &[State] {
        &self.buffer[..=self.present]
    }

    /// Appends a state, which becomes the current one. Returns the old one and the new one, whose content is left over
    /// and must be overwritten.
    #[inline(always)]
    pub(crate) fn advance(&mut self) -> (&State, &mut State) {
        if self.present + 1 == self.buffer.len() {
            self.reserve(Self::ROOM);
        }
        self.present += 1;
        let (old, new) = self.buffer.split_at_mut(self.present);
        (&old[self.present - 1], &mut new[0])
    }

    #[inline(always)]
    pub(crate) fn retreat(&mut self) {
        self.present = self.present.checked_sub(1).expect("as many moves taken back as made");
    }

    #[cold]
    pub(crate) fn reserve(&mut self, plies: usize) {
        let needed = self.present + 1 + plies;
        if needed > self.buffer.len() {
            self.buffer.resize(needed, State::EMPTY);
        }
    }
}

impl Clone for States {
    fn clone(&self) -> Self {
        let mut buffer = Vec::with_capacity(self.present + 1 + Self::ROOM);
        buffer.extend_from_slice(self.all());
        buffer.resize(self.present + 1 + Self::ROOM, State::EMPTY);
        Self { buffer, present: self.present }
    }
}

/// Number of visits of each board in this game, by a few bits of its key. Nearly always this shows that a position is
/// new without looking through the history.
#[derive(Clone)]
pub(crate) struct Visits([u16; Self::SLOTS]);

impl Visits {
    const SLOTS: usize = 1024;

    pub(crate) const fn new() -> Self {
        Self([0; Self::SLOTS])
    }

    #[inline(always)]
    fn slot(&mut self, board_key: u128) -> &mut u16 {
        &mut self.0[board_key as usize % Self::SLOTS]
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, board_key: u128) {
        let slot = self.slot(board_key);
        *slot = slot.wrapping_add(1);
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self, board_key: u128) {
        let slot = self.slot(board_key);
        *slot = slot.wrapping_sub(1);
    }

    /// Whether the current board may have occurred before.
    #[inline(always)]
    pub(crate) fn may_have_recurred(&self, board_key: u128) -> bool {
        self.0[board_key as usize % Self::SLOTS] != 1
    }
}

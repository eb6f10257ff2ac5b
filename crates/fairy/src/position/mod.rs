//! Positions of a variant.

pub(crate) mod attacks;
pub(crate) mod core;
mod ends;
mod exchange;
mod make;
pub(crate) mod setup;
mod text;
mod win_in_one;

pub use make::Change;
pub use text::TextError;
pub(crate) use text::hand_kinds;

use crate::board::kind::{Kind, Piece};
use crate::board::move_list::Moves;
use crate::board::moves::Move;
use crate::board::square::Square;
use crate::movegen::Generator;
use crate::variant::{Variant, Zobrist};
use attacks::Danger;
use core::{Core, Hand};
use game::{Color, MoveSet, Promotions};
use setup::SetupState;
use std::num::NonZeroU32;
use std::sync::Arc;

/// The state stored for each move.
#[derive(Clone)]
struct State {
    key: u64,
    danger: Danger,
    /// Moves since the last capture or irreversible move, for the n-move rule.
    quiet_moves: u16,
    checks_left: [u8; 2],
    /// The last move, unless it was a null move.
    last: Option<Last>,
    /// A null move, which changes neither hands nor setup.
    is_null: bool,
}

/// The move that led to a position, with the data to undo it.
#[derive(Clone, Copy)]
struct Last {
    m: Move,
    /// The piece before the move.
    moved: Option<Piece>,
    captured: Option<Piece>,
}

/// A position of a variant, with the history that repetition needs.
///
/// ```
/// use fairy::Library;
/// use game::{Game, Position};
/// let library = Library::shipped();
/// let game = library.game("minishogi").unwrap();
/// let mut position = game.startpos();
/// assert_eq!(position.legal_moves().len(), 14);
/// let m = position.parse_move("1e1d").unwrap_or_else(|_| position.legal_moves()[0]);
/// position.do_move(m);
/// position.undo_move();
/// assert_eq!(position.to_text(), "rbsgk/4p/5/P4/KGSBR b - 1");
/// ```
#[derive(Clone)]
pub struct Position {
    variant: Arc<Variant>,
    core: Core,
    /// Number of the first move.
    first_ply: u32,
    states: Vec<State>,
    /// Setups and hands before each drop of a variant with a setup.
    setups: Vec<([SetupState; 2], Hand)>,
    /// Number of occurrences by the low bits of the key: zero means that a position is new, which is nearly always so.
    seen: Box<[u8; SEEN]>,
    max_moves: Option<NonZeroU32>,
}

/// Number of counters in [`Position::seen`].
const SEEN: usize = 1024;

impl Position {
    /// A position without history.
    fn from_core(variant: Arc<Variant>, core: Core, ply: u32) -> Self {
        let danger = core.danger(&variant);
        let mut position = Self {
            core,
            first_ply: ply,
            states: Vec::with_capacity(256),
            setups: Vec::new(),
            seen: Box::new([0; SEEN]),
            max_moves: None,
            variant,
        };
        let key = position.key_from_scratch();
        let checks_left = position.core.checks_left;
        position.states.push(State { key, danger, quiet_moves: 0, checks_left, last: None, is_null: false });
        position.seen[key as usize % SEEN] = 1;
        position
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    pub(crate) fn set_max_moves(&mut self, limit: Option<NonZeroU32>) {
        self.max_moves = limit;
    }

    #[inline]
    fn state(&self) -> &State {
        // Never empty: one state is pushed with the position, and later ones are popped only as often as they were
        // pushed.
        &self.states[self.states.len() - 1]
    }

    #[inline]
    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.core.piece_at(square)
    }

    /// How many of a kind a player has in hand.
    #[must_use]
    pub fn in_hand(&self, color: Color, kind: Kind) -> u8 {
        self.core.hands[color.index()][kind.index()]
    }

    #[inline]
    pub(crate) fn generator(&self) -> Generator<'_> {
        Generator { core: &self.core, variant: &self.variant, danger: &self.state().danger }
    }

    pub(crate) fn generate_moves(&self, set: MoveSet, promotions: Promotions, moves: &mut Moves) {
        if self.goal_reached().is_none() {
            self.generator().generate(set, promotions, moves);
        }
    }

    pub(crate) fn is_legal_move(&self, m: Move) -> bool {
        self.goal_reached().is_none() && self.generator().is_legal(m)
    }

    /// Whether a royal piece of the side to move is attacked.
    #[inline]
    pub(crate) fn is_in_check(&self) -> bool {
        !self.state().danger.checkers.is_empty()
    }

    #[inline]
    pub(crate) fn current_key(&self) -> u64 {
        self.state().key
    }

    pub(crate) fn last_move(&self) -> Option<Move> {
        self.state().last.map(|last| last.m)
    }

    /// Number of the next move.
    pub(crate) fn ply_number(&self) -> u32 {
        let nulls = self.states.iter().filter(|state| state.is_null).count();
        self.first_ply + (self.states.len() - 1 - nulls) as u32
    }

    /// Moves played since the position was set up.
    pub(crate) fn moves_played(&self) -> usize {
        self.states.len() - 1
    }

    fn key_from_scratch(&self) -> u64 {
        let variant = &*self.variant;
        let mut key = if self.core.side == Color::White { variant.zobrist.side } else { 0 };
        for square in self.core.occupied() {
            if let Some(piece) = self.core.piece_at(square) {
                key ^= variant.zobrist.piece(piece, square);
            }
        }
        for color in Color::ALL {
            for &kind in &variant.kinds {
                key ^= Zobrist::hand(color, kind, self.in_hand(color, kind));
            }
            key ^= self.core.setup_key(variant, color);
            if variant.rules.check_counting {
                key ^= self.core.checks_key(color);
            }
        }
        key
    }
}

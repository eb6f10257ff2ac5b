//! A validated state of play.

mod build;
mod checks;
mod declaration;
mod exchange;
mod legality;
mod make;
mod mate_in_one;
mod repetition;
mod snapshot;
mod state;
mod upcoming;

pub use checks::Checks;
pub use declaration::{DeclarationRule, ParseDeclarationRuleError};
pub use snapshot::Snapshot;
pub use state::Change;
pub(crate) use state::Movement;

use crate::{Bitboard, Color, Hand, Move, Piece, PieceKind, Square};
use state::{State, States, Visits};

/// What players agree on before a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// When an entering king wins.
    pub declaration: DeclarationRule,
    /// A game that is not over after this many moves is a draw.
    pub max_moves: Option<std::num::NonZeroU32>,
}

/// A legal shogi position with the moves that led to it.
///
/// It can only be made from a valid [`Setup`](crate::Setup) and changed by playing moves, so it is never
/// inconsistent: sets, keys, checks, material are kept up to date by every move and restored by undoing it.
///
/// ```
/// use shogi::{Move, Position};
/// let mut position = Position::startpos();
/// assert_eq!(position.legal_moves().len(), 30);
/// let push: Move = "7g7f".parse()?;
/// assert!(position.is_legal(push));
/// position.do_move(push);
/// assert_eq!(position.sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
/// position.undo_move();
/// assert_eq!(position, Position::startpos());
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[derive(Clone)]
pub struct Position {
    board: [Option<Piece>; Square::COUNT],
    /// One set for each way of moving; see [`Movement`].
    movements: [Bitboard; Movement::COUNT],
    colors: [Bitboard; 2],
    promoted: Bitboard,
    kings: [Option<Square>; 2],
    side: Color,
    start_ply: u32,
    /// The position was set up with the side not to move in check, as diagrams sometimes are.
    started_in_check: bool,
    rules: Rules,
    states: States,
    visits: Visits,
}

/// Two positions are equal when board, hands and side to move are; the way that led there does not count.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board && self.state().hands == other.state().hands && self.side == other.side
    }
}

impl Eq for Position {}

impl Position {
    /// Moves that a new or cloned position has room for before playing one allocates memory.
    pub const RESERVED_PLIES: usize = States::ROOM;

    /// What was agreed on declaration and move limit.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Number of the next move: SFEN's last field.
    #[inline]
    #[must_use]
    pub fn ply(&self) -> u32 {
        (self.start_ply + self.moves_since_start() as u32).min(crate::sfen::MAX_PLY)
    }

    /// What stands on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// What stands on each square, by [`Square::index`].
    #[inline]
    #[must_use]
    pub fn board(&self) -> &[Option<Piece>; Square::COUNT] {
        &self.board
    }

    /// What a player holds in hand.
    #[inline]
    #[must_use]
    pub fn hand(&self, color: Color) -> Hand {
        self.state().hands[color.index()]
    }

    /// Where a player's king is; `None` if it is missing, as the attacker's in tsume.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// All pieces of a player.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// All pieces of one kind, of either player.
    #[must_use]
    pub fn pieces_of(&self, kind: PieceKind) -> Bitboard {
        let alike = self.moving_like(Movement::of(kind));
        match kind {
            PieceKind::Gold | PieceKind::Bishop | PieceKind::Rook => alike - self.promoted,
            PieceKind::Horse | PieceKind::Dragon => alike & self.promoted,
            // The four promoted minor pieces share a set with the gold.
            kind if kind.is_promoted() => (alike & self.promoted)
                .into_iter()
                .filter(|s| self.piece_at(*s).is_some_and(|p| p.kind() == kind))
                .collect(),
            _ => alike,
        }
    }

    /// The pieces that give check to the side to move.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.state().checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.state().checkers.any()
    }

    /// Hash of board, hands and side to move.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key128() as u64
    }

    /// The same with 128 bits, for books and databases that must never confuse two positions.
    #[inline]
    #[must_use]
    pub fn key128(&self) -> u128 {
        self.state().board_key ^ self.state().hand_key
    }

    /// The part of [`Position::key128`] that board and side to move make up.
    #[inline]
    #[must_use]
    pub fn board_key(&self) -> u128 {
        self.state().board_key
    }

    /// The part of [`Position::key128`] that the hands make up.
    #[inline]
    #[must_use]
    pub fn hand_key(&self) -> u128 {
        self.state().hand_key
    }

    /// Material balance from Black's point of view, in [`piece_value`](crate::piece_value)s.
    #[inline]
    #[must_use]
    pub fn material(&self) -> i32 {
        self.state().material
    }

    /// The move that led here; `None` at the start and after a null move.
    #[inline]
    #[must_use]
    pub fn last_move(&self) -> Option<Move> {
        self.state().last_move
    }

    /// The moves played since the position was set up, null moves as `None`.
    pub fn moves_played(&self) -> impl Iterator<Item = Option<Move>> {
        self.states.all().iter().skip(1).map(|s| s.last_move)
    }

    /// Number of moves played since the position was set up.
    #[inline]
    #[must_use]
    pub fn moves_since_start(&self) -> usize {
        self.states.moves()
    }

    /// The side not to move is in check, which happens only in a diagram before the first move.
    #[inline(always)]
    pub(crate) fn opponent_in_check(&self) -> bool {
        self.started_in_check && self.moves_since_start() == 0
    }

    #[inline(always)]
    fn state(&self) -> &State {
        self.states.present()
    }

    #[inline(always)]
    pub(crate) fn moving_like(&self, movement: Movement) -> Bitboard {
        self.movements[movement as usize]
    }

    #[inline(always)]
    pub(crate) fn promoted_pieces(&self) -> Bitboard {
        self.promoted
    }
}

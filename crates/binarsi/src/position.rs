//! Binarsi as a [`game::Game`].

use crate::board::Board;
use crate::moves::Move;
use crate::picture::{self, Last};
use crate::sfen::SfenError;
use crate::state::{Ending, Moves, State};
use game::{
    Color, EndReason, Game, MoveSet, MoveTextError, NoDrops, Outcome, Position as _, Promotions, Script,
};

/// The maximum length of a game: 11 new lines and 13 locks.
pub const MAX_PLIES: u32 = 24;

/// A position with the moves that led to it.
///
/// ```
/// use binarsi::Binarsi;
/// use game::{Game, Position};
/// let position = Binarsi.position_command("startpos moves 4n cs1").unwrap();
/// assert_eq!(position.to_text(), "7/7/2xo3/7/7/7 b c - 2");
/// assert_eq!(game::perft(&mut Binarsi.startpos(), 3), 1974);
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    /// The moves played, and the boards before them.
    past: Vec<(Board, Move)>,
}

impl From<Board> for Position {
    fn from(board: Board) -> Self {
        Self { board, past: Vec::with_capacity(MAX_PLIES as usize) }
    }
}

impl Position {
    /// Stones, locks, targets, numbers.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Stones, locks, targets, side.
    #[inline]
    #[must_use]
    pub const fn state(&self) -> &State {
        self.board.state()
    }
}

impl game::Position for Position {
    type Move = Move;
    type Moves = Moves;

    fn side(&self) -> Color {
        self.state().side
    }

    fn ply(&self) -> u32 {
        u32::from(self.board.number) + 1
    }

    fn key(&self) -> u64 {
        self.state().key()
    }

    fn is_legal(&self, m: Move) -> bool {
        self.state().allows(m) && self.state().ending().is_none()
    }

    fn undo_move(&mut self) {
        (self.board, _) = self.past.pop().expect("a move was played");
    }

    fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    fn outcome(&self) -> Option<Outcome> {
        let ending = self.state().ending()?;
        let reason = match ending {
            Ending::Targets { .. } => EndReason::Goal,
            Ending::Simultaneous { .. } | Ending::Full { .. } => EndReason::Points,
        };
        Some(Outcome::Win { winner: ending.winner(), reason })
    }

    fn to_text(&self) -> String {
        self.board.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let m = Move::from_text(text).ok_or_else(|| MoveTextError::Syntax(text.into()))?;
        if self.is_legal(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.into())) }
    }

    fn generate_legal(&self, moves: &mut Moves) {
        if self.state().ending().is_none() {
            self.state().moves(moves);
        }
    }

    fn do_move(&mut self, m: Move) {
        self.past.push((self.board, m));
        self.board.play(m);
    }
}

impl game::Searchable for Position {
    type Change = ();
    type Checks = ();
    type Drops = NoDrops;

    const HISTORY_SLOTS: usize = Move::COUNT;

    fn key_after(&self, m: Move) -> u64 {
        self.state().after(m).key()
    }

    fn generate(&self, set: MoveSet, _: Promotions, moves: &mut Moves) {
        if matches!(set, MoveSet::Legal | MoveSet::Quiets) {
            self.generate_legal(moves);
        }
    }

    fn do_move_observed(&mut self, m: Move, mut observer: impl FnMut(())) {
        self.do_move(m);
        observer(());
    }

    fn mate_in_one(&mut self, (): &()) -> Option<Move> {
        self.state().winning_move()
    }

    fn history_slot(&self, m: Move) -> usize {
        m.index()
    }

    fn pack_move(m: Move) -> u32 {
        m.index() as u32 + 1
    }

    fn unpack_move(&self, bits: u32) -> Option<Move> {
        let index = usize::try_from(bits.checked_sub(1)?).ok()?;
        Move::from_index(index).filter(|m| self.is_legal(*m))
    }
}

impl State {
    /// A hash of everything that affects the future.
    #[must_use]
    pub fn key(&self) -> u64 {
        let rest = u64::from(self.locks.bits()) << 8
            | u64::from(self.cleared.bits()) << 1
            | self.side.index() as u64;
        let mixed = self.black.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.occupied.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(23)
            ^ rest.wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(41);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    }

    /// The first move in the order of generation that ends the game in favour of the side to move.
    #[must_use]
    pub fn winning_move(&self) -> Option<Move> {
        if self.ending().is_some() {
            return None;
        }
        let mut moves = Moves::new();
        self.moves(&mut moves);
        let wins = |m: &Move| self.after(*m).ending().is_some_and(|end| end.winner() == self.side);
        moves.iter().copied().filter(wins).min_by_key(|m| m.generation_rank())
    }
}

/// The rules of Binarsi.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Binarsi;

impl Game for Binarsi {
    type Position = Position;
    type Error = SfenError;

    fn name(&self) -> &'static str {
        "binarsi"
    }

    fn startpos(&self) -> Position {
        Board::START.into()
    }

    fn position(&self, text: &str) -> Result<Position, SfenError> {
        text.parse().map(|board: Board| board.into())
    }

    fn picture(&self, position: &Position, _: Script) -> String {
        let last = position.past.last().map_or(Last::Init, |(_, m)| Last::Moved(m.to_string()));
        picture::board(position.board(), &last, None)
    }

    fn bench_positions(&self) -> Vec<String> {
        [
            "startpos",
            "startpos moves 4n cs1 5n 2o",
            "startpos moves bn 2n ao 1a dn 4n en 5xo",
            "startpos moves 2n 1o 4n 2na cs3 3xo dn ds3 exo 5no",
        ]
        .map(str::to_owned)
        .into()
    }
}

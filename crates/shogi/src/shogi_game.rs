//! Shogi as a [`Game`].

use crate::{Change, Move, MoveList, Origin, Piece, Position, Rules, SfenError, Square, piece_value};
use game::{Color, Declaration, Game, MoveSet, MoveTextError, Outcome, Promotions, Repetition};

/// The game itself, with what the players agreed on.
///
/// ```
/// use game::Game;
/// use shogi::Shogi;
/// let position = Shogi::default().position_command("startpos moves 7g7f 3c3d")?;
/// assert_eq!(position.ply(), 3);
/// # Ok::<(), game::PositionCommandError<shogi::SfenError>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shogi {
    /// Declaration and move limit.
    pub rules: Rules,
}

impl Game for Shogi {
    type Position = Position;
    type Error = SfenError;

    fn name(&self) -> &'static str {
        "shogi"
    }

    fn startpos(&self) -> Position {
        Position::startpos().with_rules(self.rules)
    }

    fn position(&self, text: &str) -> Result<Position, SfenError> {
        Ok(Position::from_sfen(text)?.with_rules(self.rules))
    }
}

impl game::Position for Position {
    type Move = Move;
    type Moves = MoveList;
    type Change = Change;

    const HAS_CHECK: bool = true;
    const HAS_NULL_MOVE: bool = true;
    const HISTORY_SLOTS: usize = Piece::INDEX_COUNT * Square::COUNT * 2;
    const MAX_PLIES: Option<u32> = None;

    #[inline]
    fn side(&self) -> Color {
        self.side()
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.ply()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key()
    }

    #[inline]
    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut MoveList) {
        self.generate(set, promotions, moves);
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        self.is_legal(m)
    }

    #[inline]
    fn do_move_observed(&mut self, m: Move, observer: impl FnMut(Change)) {
        self.do_move_observed(m, observer);
    }

    #[inline]
    fn undo_move(&mut self) {
        self.undo_move();
    }

    #[inline]
    fn do_null_move(&mut self) {
        self.do_null_move();
    }

    #[inline]
    fn undo_null_move(&mut self) {
        self.undo_move();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    #[inline]
    fn repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        self.repetition(plies_from_root)
    }

    fn declaration(&self) -> Option<Declaration<Move>> {
        self.declaration()
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.in_check()
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        self.gives_check(m)
    }

    #[inline]
    fn is_capture(&self, m: Move) -> bool {
        self.is_capture(m)
    }

    #[inline]
    fn capture_value(&self, m: Move) -> i32 {
        self.piece_at(m.to()).map_or(0, |piece| piece_value(piece.kind()))
    }

    #[inline]
    fn move_limit_reached(&self) -> bool {
        self.move_limit_reached()
    }

    #[inline]
    fn pack_move(m: Move) -> u32 {
        u32::from(m.bits())
    }

    #[inline]
    fn unpack_move(&self, bits: u32) -> Option<Move> {
        Move::from_bits(u16::try_from(bits).ok()?).filter(|m| self.is_legal(*m))
    }

    #[inline]
    fn exchange_at_least(&self, m: Move, threshold: i32) -> bool {
        self.exchange_at_least(m, threshold)
    }

    /// By piece, target square, and whether the piece is dropped.
    #[inline]
    fn history_slot(&self, m: Move) -> usize {
        let (piece, dropped) = match m.origin() {
            Origin::Board(from) => (self.piece_at(from).map_or(0, Piece::index), 0),
            Origin::Hand(piece) => (Piece::new(self.side(), piece.kind()).index(), 1),
        };
        (piece * Square::COUNT + m.to().index()) * 2 + dropped
    }

    fn to_text(&self) -> String {
        self.sfen()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let m = text.parse().map_err(|_| MoveTextError::Syntax(text.chars().take(20).collect()))?;
        if self.is_legal(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.to_owned())) }
    }
}

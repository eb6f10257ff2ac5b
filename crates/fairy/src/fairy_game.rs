//! A variant as a [`Game`].

use crate::board::kind::{Kind, Piece};
use crate::board::move_list::Moves;
use crate::board::moves::Move;
use crate::board::square::Square;
use crate::movegen::Checks;
use crate::position::{Change, Position, TextError};
use crate::text::picture;
use crate::variant::Variant;
use game::{
    Color, Game, MoveSet, MoveTextError, NoDrops, Outcome, Position as _, Promotions, Repetition, Script,
    Structure,
};
use platform::random::mix;
use std::num::NonZeroU32;
use std::sync::Arc;

/// A game read from a file of variants.
#[derive(Clone)]
pub struct FairyGame {
    start: Position,
    max_moves: Option<NonZeroU32>,
}

impl FairyGame {
    pub(crate) fn new(start: Position) -> Self {
        Self { start, max_moves: None }
    }

    /// The variant: its rules and the tables derived from them.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        self.start.variant()
    }

    fn limited(&self, mut position: Position) -> Position {
        position.set_max_moves(self.max_moves);
        position
    }
}

impl Game for FairyGame {
    type Position = Position;
    type Error = TextError;

    fn name(&self) -> &str {
        self.variant().name()
    }

    fn startpos(&self) -> Position {
        self.limited(self.start.clone())
    }

    fn position(&self, text: &str) -> Result<Position, TextError> {
        let position = Position::from_text(self.variant(), &self.start.hands(), text)?;
        Ok(self.limited(position))
    }

    fn picture(&self, position: &Position, script: Script) -> String {
        picture::draw(position, script)
    }

    fn set_max_moves(&mut self, limit: Option<NonZeroU32>) {
        self.max_moves = limit;
    }
}

impl game::Position for Position {
    type Move = Move;
    type Moves = Moves;

    #[inline]
    fn side(&self) -> Color {
        self.core().side
    }

    fn ply(&self) -> u32 {
        self.ply_number()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.current_key()
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        self.is_legal_move(m)
    }

    #[inline]
    fn undo_move(&mut self) {
        self.unmake();
    }

    fn can_undo(&self) -> bool {
        self.moves_played() > 0
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end()
    }

    #[inline]
    fn goal(&self) -> Option<Outcome> {
        self.goal_reached()
    }

    fn repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        self.repetition_in_search(plies_from_root)
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.is_in_check()
    }

    fn to_text(&self) -> String {
        self.sfen()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let m = text.parse().map_err(|()| MoveTextError::Syntax(text.chars().take(20).collect()))?;
        if self.is_legal_move(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.to_owned())) }
    }

    #[inline]
    fn generate_legal(&self, moves: &mut Moves) {
        self.generate_moves(MoveSet::Legal, Promotions::All, moves);
    }

    #[inline]
    fn do_move(&mut self, m: Move) {
        self.make(m, |_| ());
    }
}

impl game::Searchable for Position {
    type Change = Change;
    type Checks = Checks;
    type Drops = NoDrops;

    const HAS_CHECK: bool = true;
    const HISTORY_SLOTS: usize = 2 * Variant::SORTS * Variant::PLACES;
    const BUTTERFLY_SLOTS: usize = 2 * (Square::COUNT + Kind::COUNT) * Square::COUNT;
    const CAPTURED_SLOTS: usize = Variant::SORTS;

    #[inline]
    fn key_after(&self, m: Move) -> u64 {
        self.key_ahead(m)
    }

    #[inline]
    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut Moves) {
        self.generate_moves(set, promotions, moves);
    }

    #[inline]
    fn do_move_observed(&mut self, m: Move, observer: impl FnMut(Change)) {
        self.make(m, observer);
    }

    /// Illegal during setup; misleading where captures are compulsory or losing pieces is good.
    fn do_null_move(&mut self) -> bool {
        let rules = &self.variant().rules;
        let allowed =
            self.material_counts() && !rules.must_drop && !self.core().setup[self.core().side.index()].active;
        if allowed {
            self.make_null();
        }
        allowed
    }

    #[inline]
    fn must_capture(&self) -> bool {
        self.variant().rules.must_capture
    }

    #[inline]
    fn material_counts(&self) -> bool {
        self.variant().goals.material_counts
    }

    fn undo_null_move(&mut self) {
        self.unmake_null();
    }

    #[inline]
    fn checks(&self) -> Checks {
        self.core().checks(self.variant())
    }

    #[inline]
    fn gives_check(&self, checks: &Checks, m: Move) -> bool {
        let gives = self.core().checks_by(self.variant(), checks, m);
        debug_assert_eq!(gives, self.core().gives_check(self.variant(), m), "{m} in {}", self.to_text());
        gives
    }

    /// Finds goals of the game other than mate; the search finds mates.
    fn mate_in_one(&mut self, _: &Checks) -> Option<Move> {
        if self.variant().goals.in_one { self.find_goal() } else { None }
    }

    #[inline]
    fn is_capture(&self, m: Move) -> bool {
        self.piece_at(m.to()).is_some()
    }

    fn capture_value(&self, m: Move) -> i32 {
        self.piece_at(m.to()).map_or(0, |piece| self.variant().values.exchange[piece.form().index()] / 2)
    }

    fn is_recapture(&self, m: Move) -> bool {
        self.last_move().is_some_and(|last| last.to() == m.to())
    }

    fn move_limit_reached(&self) -> bool {
        self.is_at_move_limit()
    }

    fn exchange_at_least(&self, m: Move, threshold: i32) -> bool {
        self.nets_at_least(m, threshold)
    }

    #[inline]
    fn history_slot(&self, m: Move) -> usize {
        let variant = self.variant();
        let sort = variant.sort(variant.kind(self.core().form_after(variant, m)));
        (self.core().side.index() * Variant::SORTS + sort) * variant.place_count() + variant.place(m.to())
    }

    #[inline]
    fn butterfly_slot(&self, m: Move) -> usize {
        let from = match (m.from(), m.dropped()) {
            (Some(from), _) => from.index(),
            (None, kind) => Square::COUNT + kind.map_or(0, Kind::index),
        };
        (self.core().side.index() * (Square::COUNT + Kind::COUNT) + from) * Square::COUNT + m.to().index()
    }

    fn captured_slot(&self, m: Move) -> usize {
        self.piece_at(m.to()).map_or(0, |piece| self.variant().sort(self.variant().kind(piece.form())))
    }

    /// Unpromoted pieces by kind in two parts, then all pieces of each player.
    fn structure(&self) -> Structure {
        let pieces = self.core().occupied().filter_map(|square| Some((self.piece_at(square)?, square)));
        pieces.fold([0; 4], |mut sum, (piece, square)| {
            let part = Self::structure_change(Change::Placed(piece, square));
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum ^= part);
            sum
        })
    }

    fn structure_change(change: Change) -> Structure {
        let (Change::Placed(piece, square) | Change::Removed(piece, square)) = change else { return [0; 4] };
        let number = mix(u64::from(Piece::to_index(piece)) << 8 | square.index() as u64);
        let slow = if piece.form().is_promoted() { 0 } else { number };
        match piece.color() {
            Color::Black => [slow, number, number, 0],
            Color::White => [slow, number, 0, number],
        }
    }

    fn pack_move(m: Move) -> u32 {
        m.bits()
    }

    fn unpack_move(&self, bits: u32) -> Option<Move> {
        Move::from_bits(bits).filter(|m| self.is_legal_move(*m))
    }
}

//! Shogi as a [`Game`].

use crate::{
    Change, Checks, DeclarationRule, Move, MoveList, Piece, PieceKind, Position, Rules, SfenError, Square,
    piece_value, zobrist,
};
use game::{
    Color, Declaration, DropBatch, Game, MoveSet, MoveTextError, Outcome, Promotions, Repetition, Script,
    Searchable as _, Structure,
};

use std::num::NonZeroU32;

/// Shogi with the rules that the players agreed on.
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

/// 指し手生成祭り, the standard test of move generators: a position with many moves of every sort.
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// Opening, two middle games, and the matsuri.
const BENCH: [&str; 4] = [
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "1+P3g1ns/4g1k2/l1pp1p1pp/4p1p2/5P3/4S2+B1/P3PGPPP/2+s3SK1/L+r5NL b G2NLPrb3p 71",
    MATSURI,
];

/// The parts of [`game::Structure`] that a piece belongs to, by [`Piece::index`], as masks.
const STRUCTURE_PARTS: [Structure; Piece::INDEX_COUNT] = {
    const WHOLE: u64 = u64::MAX;
    let mut parts = [[0; 4]; Piece::INDEX_COUNT];
    let mut number = 0;
    while number < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[number];
        let minor = if kind.index() <= PieceKind::Bishop.index() { WHOLE } else { 0 };
        let pawn = matches!(kind, PieceKind::Pawn);
        parts[Piece::new(Color::Black, kind).index()] =
            if pawn { [WHOLE, 0, 0, 0] } else { [0, minor, WHOLE, 0] };
        parts[Piece::new(Color::White, kind).index()] =
            if pawn { [WHOLE, 0, 0, 0] } else { [0, minor, 0, WHOLE] };
        number += 1;
    }
    parts
};

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

    fn picture(&self, position: &Position, script: Script) -> String {
        match script {
            Script::Ascii => position.ascii().to_string(),
            Script::Kanji => position.kanji().to_string(),
        }
    }

    fn flip(&self, position: &Position) -> Option<Position> {
        Some(position.flip())
    }

    fn matsuri(&self) -> Option<Position> {
        self.position(MATSURI).ok()
    }

    fn bench_positions(&self) -> Vec<String> {
        BENCH.map(|sfen| format!("sfen {sfen}")).to_vec()
    }

    fn declaration_rules(&self) -> Vec<String> {
        DeclarationRule::ALL.map(|rule| rule.to_string()).to_vec()
    }

    fn declaration_rule(&self) -> Option<String> {
        Some(self.rules.declaration.to_string())
    }

    fn set_declaration_rule(&mut self, name: &str) -> bool {
        name.parse().map(|rule| self.rules.declaration = rule).is_ok()
    }

    fn has_ranks(&self) -> bool {
        true
    }

    fn set_max_moves(&mut self, limit: Option<NonZeroU32>) {
        self.rules.max_moves = limit;
    }
}

impl game::Position for Position {
    type Move = Move;
    type Moves = MoveList;

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
    fn is_legal(&self, m: Move) -> bool {
        self.is_legal(m)
    }

    #[inline]
    fn undo_move(&mut self) {
        self.undo_move();
    }

    #[inline]
    fn can_undo(&self) -> bool {
        self.moves_since_start() > 0
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    #[inline]
    fn repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        self.repetition(plies_from_root)
    }

    #[inline]
    fn declaration(&self) -> Option<Declaration<Move>> {
        self.declaration()
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.in_check()
    }

    fn to_text(&self) -> String {
        self.sfen()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let m = text.parse().map_err(|_| MoveTextError::Syntax(text.chars().take(20).collect()))?;
        if self.is_legal(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.to_owned())) }
    }

    #[inline]
    fn generate_legal(&self, moves: &mut MoveList) {
        self.generate(MoveSet::Legal, Promotions::All, moves);
    }

    #[inline]
    fn do_move(&mut self, m: Move) {
        self.do_move(m);
    }
}

impl game::Searchable for Position {
    type Change = Change;
    type Checks = Checks;
    type Drops = Drops;

    const HAS_CHECK: bool = true;
    const HISTORY_SLOTS: usize = Piece::INDEX_COUNT * Square::COUNT;
    const BUTTERFLY_SLOTS: usize = 2 << 16;
    const CAPTURED_SLOTS: usize = 16;

    #[inline]
    fn wide_key(&self) -> u128 {
        self.key128()
    }

    #[inline]
    fn key_after(&self, m: Move) -> u64 {
        self.key_after(m)
    }

    #[inline]
    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut MoveList) {
        self.generate(set, promotions, moves);
    }

    #[inline]
    fn do_move_observed(&mut self, m: Move, observer: impl FnMut(Change)) {
        self.do_move_observed(m, observer);
    }

    #[inline]
    fn do_move_prefetching(&mut self, m: Move, prefetch: impl FnOnce(u64), observer: impl FnMut(Change)) {
        self.do_move_prefetching(m, prefetch, observer);
    }

    #[inline]
    fn do_null_move(&mut self) -> bool {
        self.do_null_move();
        true
    }

    #[inline]
    fn upcoming_repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        self.upcoming_repetition(plies_from_root)
    }

    #[inline]
    fn checks(&self) -> Checks {
        self.checks()
    }

    #[inline]
    fn checks_into(&self, checks: &mut Checks) {
        self.checks_into(checks);
    }

    #[inline]
    fn gives_check(&self, checks: &Checks, m: Move) -> bool {
        checks.contains(self, m)
    }

    #[inline]
    fn mate_in_one(&mut self, checks: &Checks) -> Option<Move> {
        self.mate_in_one_with(checks)
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
    fn is_recapture(&self, m: Move) -> bool {
        self.last_move().is_some_and(|last| last.to() == m.to())
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

    #[inline(always)]
    fn history_slot(&self, m: Move) -> usize {
        self.index_after(m) * Square::COUNT + m.to().index()
    }

    #[inline]
    fn butterfly_slot(&self, m: Move) -> usize {
        self.side().index() << 16 | usize::from(m.bits())
    }

    #[inline]
    fn captured_slot(&self, m: Move) -> usize {
        self.piece_at(m.to()).map_or(0, |piece| piece.kind().index())
    }

    /// The pawns; the pieces other than kings, rooks and golds; and all pieces but pawns of each player.
    fn structure(&self) -> Structure {
        let placed = self.occupied().into_iter().filter_map(|square| {
            self.piece_at(square).map(|piece| Self::structure_change(Change::Placed(piece, square)))
        });
        placed.fold([0; 4], |mut sum, part| {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum ^= part);
            sum
        })
    }

    #[inline]
    fn structure_change(change: Change) -> Structure {
        let (Change::Placed(piece, square) | Change::Removed(piece, square)) = change else { return [0; 4] };
        let number = zobrist::piece_on(piece, square) as u64;
        STRUCTURE_PARTS[piece.index()].map(|part| part & number)
    }
}

/// The drops of one kind of piece in hand.
#[derive(Clone, Copy, Debug)]
pub struct Drops {
    /// The drop on the first square.
    first: Move,
    history_slot: usize,
    butterfly_slot: usize,
    legal: u128,
}

impl DropBatch<Position> for Drops {
    const PLACES: usize = Square::COUNT;

    #[inline]
    fn batches(position: &Position) -> impl Iterator<Item = Self> {
        position.hand(position.side()).iter().map(|(held, _)| {
            let first = Move::drop(held, Square::Sq11);
            Self {
                first,
                history_slot: position.history_slot(first),
                butterfly_slot: position.butterfly_slot(first),
                legal: position.drop_targets(held).to_bits(),
            }
        })
    }

    #[inline]
    fn generate_others(position: &Position, promotions: Promotions, moves: &mut MoveList) {
        position.generate_board_quiets(promotions, moves);
    }

    #[inline(always)]
    fn slot_and_check(position: &Position, checks: &Checks, m: Move) -> (usize, bool) {
        let index = position.index_after_on_board(m);
        (index * Square::COUNT + m.to().index(), checks.contains_piece(position, index, m))
    }

    #[inline]
    fn history_slot(&self) -> usize {
        self.history_slot
    }

    #[inline]
    fn butterfly_slot(&self) -> usize {
        self.butterfly_slot
    }

    #[inline]
    fn legal(&self) -> u128 {
        self.legal
    }

    #[inline]
    fn checks(&self, checks: &Checks) -> u128 {
        checks.squares_of_index(self.history_slot / Square::COUNT).to_bits()
    }

    #[inline]
    fn drop_at(&self, place: usize) -> Move {
        Move::from_bits(self.first.bits() + place as u16)
            .expect("squares follow each other in the bits of a drop")
    }
}

//! Move generation: the moves of shogi without frozen kinds, then the same moves with the kinds that are worth
//! freezing.

use crate::exchange::is_worth_taking;
use crate::kinds::KindSet;
use crate::legality::mating_pawn_drop;
use crate::moves::Move;
use crate::position::{Handling, Position};
use shogi::{Bitboard, Checks, MoveSet, Origin, PieceKind, Promotions, Square, attacks, piece_value};

/// Each move of shogi alone and with each of the fourteen kinds.
const CAPACITY: usize = shogi::MoveList::CAPACITY * (1 + PieceKind::ALL.len());

/// The moves of a position.
pub type MoveList = game::MoveList<Move, CAPACITY>;

impl Position {
    /// Appends the moves of one set to `moves`. [`Promotions::Sensible`] also leaves out freezes that restrict the
    /// opponent in nothing, unless the search is [`Handling::Naive`].
    pub(crate) fn write_moves(&self, set: MoveSet, promotions: Promotions, moves: &mut MoveList) {
        let mut bare = shogi::MoveList::new();
        self.shogi.generate(set, promotions, &mut bare);
        if self.frozen().is_some() {
            moves.extend(bare.iter().copied().filter(|m| !self.is_barred(*m)).map(Move::bare));
            return;
        }
        moves.extend(bare.iter().copied().map(Move::bare));
        if !self.can_freeze() {
            return;
        }
        let drop = match set {
            MoveSet::Captures => None,
            MoveSet::Evasions if !self.shogi.in_check() => None,
            _ => mating_pawn_drop(&self.shogi),
        };
        let bases = bare.iter().copied().chain(drop);
        if promotions == Promotions::All || self.terms.handling == Handling::Naive {
            let kinds = self.kinds_of(!self.shogi.side());
            write_freezes(bases, |m| self.kinds_after(kinds, m), moves);
        } else {
            let survey = Survey::new(self);
            write_freezes(bases, |m| survey.worth_freezing(m), moves);
        }
    }
}

fn write_freezes(
    bases: impl Iterator<Item = shogi::Move>,
    kinds: impl Fn(shogi::Move) -> KindSet,
    moves: &mut MoveList,
) {
    for base in bases {
        moves.extend(kinds(base).iter().map(|kind| Move::freezing(base, kind)));
    }
}

/// Data of a position for choosing kinds to freeze, computed once for all moves.
struct Survey<'a> {
    position: &'a shogi::Position,
    checks: Checks,
    /// The opponent's pieces that are worth a freeze to capture.
    prey: Bitboard,
}

impl<'a> Survey<'a> {
    fn new(position: &'a Position) -> Self {
        let shogi = &position.shogi;
        let cost = position.freeze_cost();
        let is_prey = |square: &Square| {
            shogi
                .piece_at(*square)
                .is_some_and(|piece| piece.kind() != PieceKind::King && piece_value(piece.kind()) > cost)
        };
        let prey = shogi.pieces(!shogi.side()).into_iter().filter(is_prey).collect();
        Self { position: shogi, checks: shogi.checks(), prey }
    }

    /// The kinds whose freezing restricts the opponent after `m`.
    fn worth_freezing(&self, m: shogi::Move) -> KindSet {
        let them = !self.position.side();
        let to = m.to();
        let gives_check = self.checks.contains(self.position, m);
        let mut kinds = KindSet::EMPTY;
        if gives_check {
            // Freezing the king prevents its escape; freezing another kind prevents capturing the checking piece.
            kinds = kinds.with(PieceKind::King);
        }
        if gives_check || is_worth_taking(self.position, m) {
            let takers = takers(self.position, m);
            kinds = takers.single().map_or(kinds, |kind| kinds.with(kind));
        }
        if !gives_check && let Some(piece) = self.position.piece_after(m) {
            let reach = attacks::on_empty_board(piece, to) & self.prey;
            if reach.any() {
                let seen = attacks::attacks(piece, to, self.occupied_after(m)) & reach;
                let attacked = seen.into_iter().filter_map(|square| self.position.piece_at(square));
                let dearest = attacked.map(shogi::Piece::kind).max_by_key(|kind| piece_value(*kind));
                kinds = dearest.map_or(kinds, |kind| kinds.with(kind));
            }
        }
        debug_assert!(kinds.iter().all(|kind| {
            ((self.position.pieces_of(kind) & self.position.pieces(them)) - Bitboard::from(to)).any()
                || kind == PieceKind::King
        }));
        kinds
    }

    fn occupied_after(&self, m: shogi::Move) -> Bitboard {
        occupied_after(self.position, m)
    }
}

pub(crate) fn occupied_after(position: &shogi::Position, m: shogi::Move) -> Bitboard {
    let from = match m.origin() {
        Origin::Board(from) => from.into(),
        Origin::Hand(_) => Bitboard::EMPTY,
    };
    (position.occupied() - from) | m.to().into()
}

/// The kinds with which the opponent can capture on the target square of `m`; a king captures only unprotected pieces.
pub(crate) fn takers(position: &shogi::Position, m: shogi::Move) -> KindSet {
    let (us, to) = (position.side(), m.to());
    let occupied = occupied_after(position, m);
    let takers = position.attackers_to(to, !us, occupied);
    let kinds: KindSet =
        takers.into_iter().filter_map(|s| position.piece_at(s)).map(shogi::Piece::kind).collect();
    if kinds.contains(PieceKind::King) && (position.attackers_to(to, us, occupied) & occupied).any() {
        return kinds.without(PieceKind::King);
    }
    kinds
}

//! Mate in one move, if necessary with a freeze: a check that only one kind of piece can answer.

use crate::kinds::KindSet;
use crate::legality::mating_pawn_drop;
use crate::moves::Move;
use crate::position::{Handling, Position};
use shogi::{Checks, MoveSet, PieceKind, Promotions};

impl Position {
    /// A move that mates at once, preferably without a freeze.
    pub(crate) fn find_mate(&mut self, checks: &Checks) -> Option<Move> {
        let plain = if self.frozen().is_none() {
            self.shogi.mate_in_one_with(checks).filter(|m| self.leaves_no_answer(*m))
        } else {
            self.mate_by_what_is_not_frozen()
        };
        match plain {
            Some(m) => Some(Move::bare(m)),
            None if self.can_freeze() && self.terms.handling == Handling::Staged => self.mate_by_freezing(),
            None => None,
        }
    }

    /// After a mate of shogi: whether the opponent also lacks a mating pawn drop, which is legal with a freeze.
    fn leaves_no_answer(&mut self, m: shogi::Move) -> bool {
        if !self.may_drop_pawn_with_freeze(!self.shogi.side()) {
            return true;
        }
        self.shogi.do_move(m);
        let answered = mating_pawn_drop(&self.shogi).is_some();
        self.shogi.undo_move();
        !answered
    }

    fn mate_by_what_is_not_frozen(&mut self) -> Option<shogi::Move> {
        self.checks_to_try()
            .iter()
            .copied()
            .find(|m| !self.is_barred(*m) && self.answering_kinds(*m).is_empty() && self.leaves_no_answer(*m))
    }

    fn mate_by_freezing(&mut self) -> Option<Move> {
        if let Some(drop) = mating_pawn_drop(&self.shogi) {
            return Some(Move::freezing(drop, PieceKind::King));
        }
        let checks = self.checks_to_try();
        checks.iter().find_map(|&m| {
            let kinds = self.answering_kinds(m);
            // If only a pawn drop with a freeze answers, any freeze prevents that.
            let kind = if kinds.is_empty() { Some(PieceKind::King) } else { kinds.single() };
            kind.map(|kind| Move::freezing(m, kind))
        })
    }

    pub(crate) fn checks_to_try(&self) -> shogi::MoveList {
        let mut checks = shogi::MoveList::new();
        self.shogi.generate(MoveSet::Checks, Promotions::Sensible, &mut checks);
        checks
    }

    /// The kinds of pieces that can answer the check `m`; stops after two.
    fn answering_kinds(&mut self, m: shogi::Move) -> KindSet {
        self.shogi.do_move(m);
        let mut evasions = shogi::MoveList::new();
        self.shogi.generate(MoveSet::Evasions, Promotions::Sensible, &mut evasions);
        let mut kinds = KindSet::EMPTY;
        for &evasion in &*evasions {
            if let Some(kind) = self.moved_kind(evasion) {
                kinds = kinds.with(kind);
            }
            if !kinds.is_empty() && kinds.single().is_none() {
                break;
            }
        }
        self.shogi.undo_move();
        kinds
    }
}

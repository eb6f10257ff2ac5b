//! Mate in three plies: a check with a freeze leaves few answers, none of which can freeze, and each of them allows
//! mate in one.

use crate::kinds::KindSet;
use crate::moves::Move;
use crate::position::{Handling, Position};
use shogi::{MoveSet, PieceKind, Promotions};

/// Checks with more answers than this are skipped.
const MOST_ANSWERS: usize = 6;

/// The opponent's answers to a check.
struct Answers {
    moves: shogi::MoveList,
    /// The kinds of pieces that answer.
    kinds: KindSet,
    /// How many answers each kind has.
    counts: [u8; PieceKind::ALL.len() + 1],
}

impl Answers {
    /// Number of answers left if a kind is frozen.
    fn count_without(&self, kind: Option<PieceKind>) -> usize {
        self.moves.len() - kind.map_or(0, |kind| usize::from(self.counts[kind.index()]))
    }
}

impl Position {
    /// A check that forces mate in three plies.
    pub(crate) fn find_mate_in_three(&mut self) -> Option<Move> {
        if !self.can_freeze() || self.terms.handling != Handling::Staged {
            return None;
        }
        let us = self.shogi.side();
        // The mate needs one freeze; mates without a freeze are found by any search.
        let may_freeze_now = self.left().of(us) > 1;
        // An opponent who is not under a freeze could answer with one, which prevents the freeze mate.
        let may_wait = !self.has_freezes(!us);
        if !may_freeze_now && !may_wait {
            return None;
        }
        let checks = self.checks_to_try();
        checks.iter().find_map(|&m| {
            let answers = self.answers_to(m);
            let bare = may_wait.then_some(None);
            let freezes = answers.kinds.iter().filter(|_| may_freeze_now).map(Some);
            bare.into_iter().chain(freezes).find_map(|freezes| {
                let m = Move { base: m, freezes };
                let few = answers.count_without(freezes) <= MOST_ANSWERS;
                (few && self.mates_after_all(m, &answers)).then_some(m)
            })
        })
    }

    fn answers_to(&mut self, check: shogi::Move) -> Answers {
        self.shogi.do_move(check);
        let mut moves = shogi::MoveList::new();
        // An answer without promotion may be better here: the piece keeps a kind that is not frozen.
        self.shogi.generate(MoveSet::Evasions, Promotions::All, &mut moves);
        let mut counts = [0; PieceKind::ALL.len() + 1];
        let mut kinds = KindSet::EMPTY;
        for kind in moves.iter().filter_map(|m| self.moved_kind(*m)) {
            counts[kind.index()] += 1;
            kinds = kinds.with(kind);
        }
        self.shogi.undo_move();
        Answers { moves, kinds, counts }
    }

    /// Whether there is mate in one after every answer to `m`.
    fn mates_after_all(&mut self, m: Move, answers: &Answers) -> bool {
        self.play(m, |_| ());
        let all = answers.moves.iter().all(|&answer| self.is_barred(answer) || self.mates_after(answer));
        self.take_back();
        all
    }

    fn mates_after(&mut self, answer: shogi::Move) -> bool {
        self.play(Move::bare(answer), |_| ());
        let mates = !self.shogi.in_check() && {
            let checks = self.shogi.checks();
            self.find_mate(&checks).is_some()
        };
        self.take_back();
        mates
    }
}

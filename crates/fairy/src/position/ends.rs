//! Ends of games.

use super::{Position, SEEN, State};
use crate::board::moves::Turn;
use crate::definition::rules::Verdict;
use crate::variant::Variant;
use game::{Color, EndReason, MoveSet, Outcome, Promotions, Repetition};

impl Verdict {
    /// The outcome, given that the verdict is for `side`.
    fn outcome(self, side: Color, reason: EndReason) -> Outcome {
        match self {
            Self::Win => Outcome::Win { winner: side, reason },
            Self::Loss => Outcome::Win { winner: !side, reason },
            Self::Draw => Outcome::Draw { reason },
        }
    }

    const fn repetition(self) -> Repetition {
        match self {
            Self::Win => Repetition::Win,
            Self::Loss => Repetition::Lose,
            Self::Draw => Repetition::Draw,
        }
    }

    const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
        }
    }
}

impl Position {
    /// The outcome by a goal, which ends the game whatever moves there are.
    pub(crate) fn goal_reached(&self) -> Option<Outcome> {
        let variant = &*self.variant;
        let rules = &variant.rules;
        if !rules.extinction.pseudo_royal
            && let Some(verdict) = rules.extinction.value
        {
            let us = self.core.side;
            let extinct = [!us, us].into_iter().find(|color| self.is_extinct(variant, *color));
            if let Some(color) = extinct {
                return Some(verdict.outcome(color, EndReason::Goal));
            }
        }
        if !variant.flag.iter().all(|flag| flag.region.is_empty())
            && let Some(outcome) = self.flag_outcome(variant)
        {
            return Some(outcome);
        }
        let them = !self.core.side;
        (rules.check_counting && self.core.checks_left[them.index()] == 0)
            .then_some(Outcome::Win { winner: them, reason: EndReason::Goal })
    }

    fn is_extinct(&self, variant: &Variant, color: Color) -> bool {
        let rules = &variant.rules.extinction;
        let few = |own: u32, theirs: u32| {
            own <= u32::from(rules.count) && theirs >= u32::from(rules.opponent_count)
        };
        let core = &self.core;
        let kinds = variant.extinct.iter();
        let mut kinds =
            kinds.map(|kind| (core.count_with_hand(color, kind), core.count_with_hand(!color, kind)));
        let all = |color: Color| -> u32 {
            variant.kinds.iter().map(|kind| core.count_with_hand(color, *kind)).sum()
        };
        kinds.any(|(own, theirs)| few(own, theirs)) || rules.all_pieces && few(all(color), all(!color))
    }

    fn flag_outcome(&self, variant: &Variant) -> Option<Outcome> {
        let rules = &variant.rules.flag;
        let us = self.core.side;
        let wins = |winner| Some(Outcome::Win { winner, reason: EndReason::Goal });
        // The side to move can only have reached the goal if it had to survive a move there.
        if (rules.grants_move || rules.safe) && self.reaches_flag(variant, us) {
            let answered = rules.grants_move && us == Color::Black || rules.safe && !rules.grants_move;
            return if answered && self.reaches_flag(variant, !us) {
                Some(Outcome::Draw { reason: EndReason::Goal })
            } else {
                wins(us)
            };
        }
        let by_king = variant.king.is_some() && variant.flag[us.index()].kind == variant.king;
        if (!rules.grants_move || rules.safe || by_king) && self.reaches_flag(variant, !us) {
            let has_last_move = rules.grants_move && us == Color::White;
            return if by_king && has_last_move && self.king_may_follow(variant) { None } else { wins(!us) };
        }
        None
    }

    /// Whether the king of the side to move can reach its own goal with the last move that it has.
    fn king_may_follow(&self, variant: &Variant) -> bool {
        let Some(king) = self.state().danger.king.filter(|_| !self.is_in_check()) else { return false };
        let mut moves = crate::board::move_list::Moves::default();
        self.generator().generate(MoveSet::Legal, Promotions::All, &mut moves);
        moves
            .iter()
            .any(|m| m.from() == Some(king) && variant.flag[self.core.side.index()].region.contains(m.to()))
    }

    fn reaches_flag(&self, variant: &Variant, color: Color) -> bool {
        let rules = &variant.rules.flag;
        let flag = &variant.flag[color.index()];
        let pieces = flag.kind.map_or(self.core.of_color(color), |kind| self.core.of_kind(color, kind));
        let arrived = pieces & flag.region;
        if arrived.len() < u32::from(rules.count) || arrived.is_empty() {
            return false;
        }
        let must_be_safe = rules.safe && (!rules.grants_move || color != self.core.side);
        if must_be_safe && arrived.len() == u32::from(rules.count) {
            let occupied = self.core.occupied();
            let none = crate::board::square::Squares::EMPTY;
            return !arrived
                .into_iter()
                .any(|square| self.core.is_attacked(variant, square, occupied, !color, none));
        }
        true
    }

    /// How the game has ended, or `None` while it goes on.
    pub(crate) fn end(&self) -> Option<Outcome> {
        if let Some(outcome) = self.goal_reached() {
            return Some(outcome);
        }
        let side = self.core.side;
        let mut moves = crate::board::move_list::Moves::default();
        self.generate_moves(MoveSet::Legal, Promotions::All, &mut moves);
        if moves.is_empty() {
            return Some(self.variant.stuck(self.is_in_check()).outcome(side, EndReason::NoLegalMove));
        }
        let rules = &self.variant.rules;
        let times = usize::from(rules.n_fold);
        if times > 0
            && let Some((verdict, perpetual)) = self.repeated(times)
        {
            let reason = if perpetual { EndReason::PerpetualCheck } else { EndReason::Repetition };
            return Some(verdict.outcome(side, reason));
        }
        if rules.move_repetition_illegal && self.shuffles() {
            return Some(Outcome::Win { winner: side, reason: EndReason::Repetition });
        }
        self.is_at_move_limit().then_some(Outcome::Draw { reason: EndReason::MoveLimit })
    }

    /// Whether the game is a draw by the number of moves, or of moves without progress.
    pub(crate) fn is_at_move_limit(&self) -> bool {
        let n_move = self.variant.rules.n_move;
        n_move > 0 && self.state().quiet_moves >= 2 * n_move
            || self.max_moves.is_some_and(|limit| self.ply_number() > limit.get())
    }

    /// The meaning of a repetition in a search.
    pub(crate) fn repetition_in_search(&self, plies_from_root: usize) -> Option<Repetition> {
        let times = usize::from(self.variant.rules.n_fold);
        if times == 0 || self.seen[self.state().key as usize % SEEN] < 2 {
            return None;
        }
        let here = self.states.len() - 1;
        let root = here - plies_from_root.min(here);
        let mut met = 0;
        let earlier = self.earlier();
        for place in earlier {
            met += 1;
            if place > root || met + 1 >= times {
                return Some(self.cycle(place).0.repetition());
            }
        }
        None
    }

    /// Indices of earlier occurrences of the current position, the latest first, back to the last null move.
    fn earlier(&self) -> impl Iterator<Item = usize> + '_ {
        let here = self.states.len() - 1;
        let key = self.state().key;
        let from_pass = self.states.iter().rposition(|state| state.is_null).unwrap_or(0);
        (from_pass..here).rev().skip(1).step_by(2).filter(move |place| self.states[*place].key == key)
    }

    /// The verdict for the side to move if this is the `times`-th occurrence, and whether it is one of perpetual check.
    fn repeated(&self, times: usize) -> Option<(Verdict, bool)> {
        if times == 1 {
            return None;
        }
        let first = self.earlier().nth(times - 2)?;
        Some(self.cycle(first))
    }

    /// The verdict on the moves since an earlier occurrence of this position.
    fn cycle(&self, first: usize) -> (Verdict, bool) {
        let rules = &self.variant.rules;
        let here = self.states.len() - 1;
        let side = self.core.side;
        if rules.perpetual_check_illegal {
            let all_checks = |parity: usize| {
                let mut places = (first..=here).filter(|place| (here - place) % 2 == parity);
                let checked = |state: &State| !state.danger.checkers.is_empty();
                // The earlier occurrence itself counts as a check by us, because the check was given before the cycle.
                places.all(|place| place == first || checked(&self.states[place]))
            };
            // Parity 0: we are in check each time, so the opponent gives check.
            match (all_checks(0), all_checks(1)) {
                (true, false) => return (Verdict::Win, true),
                (false, true) => return (Verdict::Loss, true),
                _ => {}
            }
        }
        let verdict = rules.n_fold_value;
        let turned = rules.n_fold_absolute && side == Color::White;
        (if turned { verdict.reversed() } else { verdict }, false)
    }

    /// Whether the opponent has moved a piece back and forth three times while neither side was in check.
    fn shuffles(&self) -> bool {
        let here = self.states.len() - 1;
        let own = |back: usize| here.checked_sub(2 * back).and_then(|place| self.states[place].last);
        let Some(moves) = (0..4).map(own).collect::<Option<Vec<_>>>() else { return false };
        let back_and_forth = moves.windows(2).all(|pair| {
            let (m, before) = (pair[0].m, pair[1].m);
            m.from() == Some(before.to()) && before.from() == Some(m.to()) && m.turn() == Turn::Stay
        });
        let quiet = moves.iter().all(|last| last.captured.is_none());
        let checks = (0..8).any(|back| {
            here.checked_sub(back).is_some_and(|place| !self.states[place].danger.checkers.is_empty())
        });
        back_and_forth && quiet && !checks
    }
}

//! Finds moves that reach a goal of the game at once: a flag, the opponent's last piece of a kind, the last counted
//! check, or the promotion of one's own last piece of a kind where losing it wins.

use super::Position;
use crate::board::move_list::Moves;
use crate::board::moves::{Move, Turn};
use crate::board::square::Squares;
use crate::definition::rules::Verdict;
use crate::variant::Variant;
use game::{Color, MoveSet, Promotions};

impl Position {
    /// A move that wins by a goal, if there is one. Most positions are dismissed without generating moves.
    pub(crate) fn find_goal(&mut self) -> Option<Move> {
        let us = self.core.side;
        let checks = self.variant.rules.check_counting && self.core.checks_left[us.index()] == 1;
        let squares = self.flag_squares(us) | self.last_pieces(us);
        let turns = self.may_turn_last(us);
        if !checks && !turns && squares.is_empty() {
            return None;
        }
        let mut moves = Moves::default();
        let set = if checks && !turns && squares.is_empty() { MoveSet::Checks } else { MoveSet::Legal };
        self.generate_moves(set, Promotions::All, &mut moves);
        let wins = |m: &&Move| {
            self.make(**m, |_| ());
            let goal = self.goal_reached();
            self.unmake();
            goal.is_some_and(|outcome| outcome.winner() == Some(us))
        };
        let candidate = |m: &&Move| checks || squares.contains(m.to()) || turns && m.turn() != Turn::Stay;
        moves.iter().filter(candidate).find(wins).copied()
    }

    /// Whether our last piece of a kind whose extinction wins could become another kind by promoting.
    fn may_turn_last(&self, us: Color) -> bool {
        let (variant, core) = (&*self.variant, &self.core);
        let rules = &variant.rules.extinction;
        if rules.value != Some(Verdict::Win) || rules.pseudo_royal {
            return false;
        }
        let last = u32::from(rules.count) + 1;
        let zone = variant.promotion_zone[us.index()];
        variant.extinct.iter().any(|kind| {
            let arrives =
                |from| zone.contains(from) || !(core.targets(variant, us, kind, from) & zone).is_empty();
            (variant.promotion[kind.index()].is_some() || variant.rules.demotion)
                && core.count_with_hand(us, kind) == last
                && core.of_kind(us, kind).into_iter().any(arrives)
        })
    }

    /// Squares of the flag region where one more piece would suffice.
    fn flag_squares(&self, us: Color) -> Squares {
        let (variant, core) = (&*self.variant, &self.core);
        let flag = &variant.flag[us.index()];
        if flag.region.is_empty() {
            return Squares::EMPTY;
        }
        let pieces = flag.kind.map_or(core.of_color(us), |kind| core.of_kind(us, kind));
        if (pieces & flag.region).len() + 1 < u32::from(variant.rules.flag.count) {
            return Squares::EMPTY;
        }
        let open = flag.region.without(core.of_color(us));
        if drops_may_arrive(variant, self, us) && !open.without(core.occupied()).is_empty() {
            return open;
        }
        // A piece of another kind may become one of this kind by promoting.
        let movers = core.of_color(us).without(flag.region);
        let arrives = |from| {
            let kind = core.piece_at(from).map(|piece| variant.kind(piece.form()));
            kind.is_some_and(|kind| !(core.targets(variant, us, kind, from) & open).is_empty())
        };
        if movers.into_iter().any(arrives) { open } else { Squares::EMPTY }
    }

    /// The opponent's attacked pieces whose loss decides the game.
    fn last_pieces(&self, us: Color) -> Squares {
        let (variant, core) = (&*self.variant, &self.core);
        let rules = &variant.rules.extinction;
        if rules.value != Some(Verdict::Loss) || rules.pseudo_royal {
            return Squares::EMPTY;
        }
        let last = u32::from(rules.count) + 1;
        let kinds = variant.extinct.iter().filter(|kind| core.count_with_hand(!us, *kind) == last);
        let mut pieces = kinds.fold(Squares::EMPTY, |set, kind| set | core.of_kind(!us, kind));
        if rules.all_pieces
            && variant.kinds.iter().map(|kind| core.count_with_hand(!us, *kind)).sum::<u32>() == last
        {
            pieces |= core.of_color(!us);
        }
        let occupied = core.occupied();
        let attacked = |square: &crate::board::square::Square| {
            core.is_attacked(variant, *square, occupied, us, Squares::EMPTY)
        };
        pieces.into_iter().filter(attacked).collect()
    }
}

/// Whether the hand may contain a piece that counts for the flag.
fn drops_may_arrive(variant: &Variant, position: &Position, us: Color) -> bool {
    let hand = &position.core.hands[us.index()];
    let held = |kind: crate::board::kind::Kind| hand[kind.index()] > 0;
    (variant.rules.drops || position.core.setup[us.index()].active)
        && match variant.flag[us.index()].kind {
            Some(kind) if !variant.rules.drop_promoted => held(kind),
            _ => variant.kinds.iter().any(|kind| held(*kind)),
        }
}

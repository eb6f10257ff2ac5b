//! Repetition, and the outcome of a game.

use super::{Position, State};
use crate::Hand;
use game::{EndReason, Outcome, Repetition};

/// How often a position must occur to end a game.
const FOURFOLD: usize = 4;

impl Position {
    /// The meaning of a repetition of this position in a search whose root lies `plies_from_root` moves back. A
    /// position after the root counts at its first return, older ones at the fourth occurrence. A board after the root
    /// with other hands is superior or inferior.
    #[inline]
    #[must_use]
    pub fn repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        if !self.visits.may_have_recurred(self.state().board_key) {
            return None;
        }
        self.find_repetition(plies_from_root)
    }

    #[cold]
    fn find_repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        let own_hand = |state: &State| state.hands[self.side.index()];
        let mut earlier = 0;
        for (distance, state) in self.same_boards() {
            if state.hands == self.state().hands {
                earlier += 1;
                if distance < plies_from_root {
                    return Some(self.kind_of_repetition(distance));
                }
                if earlier + 1 == FOURFOLD {
                    return Some(self.kind_of_repetition(distance));
                }
            } else if distance < plies_from_root && earlier == 0 {
                let (now, then): (Hand, Hand) = (own_hand(self.state()), own_hand(state));
                if now.covers(then) {
                    return Some(Repetition::Superior);
                }
                if then.covers(now) {
                    return Some(Repetition::Inferior);
                }
            }
        }
        None
    }

    /// Draw, or win or loss by perpetual check, given that the current position also occurred `distance` plies ago.
    fn kind_of_repetition(&self, distance: usize) -> Repetition {
        let moves_each = distance / 2;
        let all_checks =
            |color: game::Color| usize::from(self.state().checks_in_a_row[color.index()]) >= moves_each;
        if all_checks(self.side) {
            Repetition::Lose
        } else if all_checks(!self.side) {
            Repetition::Win
        } else {
            Repetition::Draw
        }
    }

    /// Earlier states with the same board and side to move, latest first, with their distance in plies.
    fn same_boards(&self) -> impl Iterator<Item = (usize, &State)> {
        let horizon = self.state().plies_from_null as usize;
        let key = self.state().board_key;
        (1..=horizon)
            .zip(self.states.all().iter().rev().skip(1))
            .skip(3)
            .step_by(2)
            .filter(move |(_, state)| state.board_key == key)
    }

    /// Number of times that the current position has occurred in the game, including now.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        1 + self.same_boards().filter(|(_, state)| state.hands == self.state().hands).count()
    }

    /// The meaning of the fourth occurrence of a position in the game: a side that only gave check between the first
    /// and the fourth loses; anything else is a draw.
    #[must_use]
    pub fn fourfold(&self) -> Option<Repetition> {
        let (distance, _) =
            self.same_boards().filter(|(_, state)| state.hands == self.state().hands).nth(FOURFOLD - 2)?;
        Some(self.kind_of_repetition(distance))
    }

    /// How the game has ended, or `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(Outcome::Win { winner: !self.side, reason: EndReason::NoLegalMove });
        }
        match self.fourfold() {
            Some(Repetition::Win) => {
                return Some(Outcome::Win { winner: self.side, reason: EndReason::PerpetualCheck });
            }
            Some(Repetition::Lose) => {
                return Some(Outcome::Win { winner: !self.side, reason: EndReason::PerpetualCheck });
            }
            Some(_) => return Some(Outcome::Draw { reason: EndReason::Repetition }),
            None => {}
        }
        self.move_limit_reached().then_some(Outcome::Draw { reason: EndReason::MoveLimit })
    }

    /// Whether the agreed number of moves has been played. A mate by the last of them still counts.
    #[inline]
    #[must_use]
    pub fn move_limit_reached(&self) -> bool {
        self.rules.max_moves.is_some_and(|limit| self.ply() > limit.get())
    }
}

//! Repetition. Freezes and counts must be the same as well, so nothing before the last freeze counts.

use crate::position::Position;
use crate::state::State;
use game::{EndReason, Outcome, Repetition};
use shogi::Color;

/// How often a position must occur to end a game.
const FOURFOLD: usize = 4;

impl Position {
    /// As [`shogi::Position::repetition`].
    pub(crate) fn find_repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        // A repetition here is also one in shogi, where new positions are detected quickly.
        self.shogi.repetition(plies_from_root)?;
        let now = self.states.present();
        let own = self.shogi.side().index();
        let mut earlier = 0;
        for (distance, state) in self.same_boards() {
            if state.hands == now.hands {
                earlier += 1;
                if distance < plies_from_root || earlier + 1 == FOURFOLD {
                    return Some(self.kind_of_repetition(distance));
                }
            } else if distance < plies_from_root && earlier == 0 {
                if now.hands[own].covers(state.hands[own]) {
                    return Some(Repetition::Superior);
                }
                if state.hands[own].covers(now.hands[own]) {
                    return Some(Repetition::Inferior);
                }
            }
        }
        None
    }

    fn kind_of_repetition(&self, distance: usize) -> Repetition {
        let checks = self.states.present().checks_in_a_row;
        let all_checks = |color: Color| usize::from(checks[color.index()]) >= distance / 2;
        let side = self.shogi.side();
        if all_checks(side) {
            Repetition::Lose
        } else if all_checks(!side) {
            Repetition::Win
        } else {
            Repetition::Draw
        }
    }

    /// Earlier states with the same board, counts and side to move and no freeze in force, latest first, with their
    /// distance in plies.
    fn same_boards(&self) -> impl Iterator<Item = (usize, &State)> {
        let now = self.states.present();
        (1..=now.comparable as usize)
            .zip(self.states.all().iter().rev().skip(1))
            .skip(3)
            .step_by(2)
            .filter(move |(_, state)| state.board_key == now.board_key)
    }

    /// The meaning of the fourth occurrence of a position.
    fn fourfold(&self) -> Option<Repetition> {
        let now = self.states.present();
        let mut same = self.same_boards().filter(|(_, state)| state.hands == now.hands);
        let (distance, _) = same.nth(FOURFOLD - 2)?;
        Some(self.kind_of_repetition(distance))
    }

    /// How the game has ended, or `None` while it goes on.
    pub(crate) fn find_outcome(&self) -> Option<Outcome> {
        let side = self.shogi.side();
        let won = |winner, reason| Some(Outcome::Win { winner, reason });
        if !self.has_legal_move() {
            return won(!side, EndReason::NoLegalMove);
        }
        match self.fourfold() {
            Some(Repetition::Win) => won(side, EndReason::PerpetualCheck),
            Some(Repetition::Lose) => won(!side, EndReason::PerpetualCheck),
            Some(_) => Some(Outcome::Draw { reason: EndReason::Repetition }),
            None => self.shogi.move_limit_reached().then_some(Outcome::Draw { reason: EndReason::MoveLimit }),
        }
    }
}

//! Chooses moves in lost positions, because most opponents do not play perfectly.

use super::proof::distinct;
use super::search::Worker;
use super::successors::Rectangle;
use super::{Numbers, Solver};
use crate::moves::Move;
use crate::state::State;
use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

/// Node limit for deciding whether one answer wins.
const EACH_ANSWER: u64 = 20_000;

/// The share of the opponent's answers that win; undecided ones count half.
#[derive(Clone, Copy)]
struct Share {
    halves: u64,
    answers: u64,
}

impl Share {
    /// Any opponent finds a win in one move.
    const SEEN: Self = Self { halves: 2, answers: 1 };

    fn order(self, other: Self) -> Ordering {
        (self.halves * other.answers).cmp(&(other.halves * self.answers))
    }
}

impl Solver {
    /// In a lost position, the move after which the smallest share of answers wins, as far as it can be determined
    /// within `nodes` or until `stop`. Ties go to the move that was hardest to refute. `None` if there is no move.
    ///
    /// ```
    /// use binarsi::{Board, Solver};
    /// let board: Board = "xoxo3/oxoo3/oxoo3/oxoo3/ooxo3/ooxo3 b 1bcdef ///9/14/ 14".parse().unwrap();
    /// let solver = Solver::new(16, std::num::NonZeroUsize::MIN).unwrap();
    /// assert_eq!(solver.winner(board.state()), Ok(game::Color::White));
    /// assert!(solver.best_try(board.state(), 100_000, || false).is_some());
    /// ```
    pub fn best_try(&self, state: &State, nodes: u64, stop: impl Fn() -> bool) -> Option<Move> {
        let end = self.nodes().saturating_add(nodes);
        let mut moves = distinct(state);
        moves.sort_by_cached_key(|m| std::cmp::Reverse(self.resistance(&state.after(*m))));
        let mut best: Option<(Move, Share)> = None;
        for m in moves {
            let Some(share) = self.share(&state.after(m), end, &stop) else { break };
            if best.is_none_or(|(_, least)| share.order(least).is_lt()) {
                best = Some((m, share));
            }
        }
        let first = || self.ranked(state).first().map(|(m, _)| *m);
        best.map(|(m, _)| m).or_else(first)
    }

    /// The share of winning moves of the side to move; `None` if the limits are reached.
    fn share(&self, state: &State, end: u64, stop: &impl Fn() -> bool) -> Option<Share> {
        if state.ending().is_some() {
            return Some(Share::SEEN);
        }
        let afters: Vec<State> = distinct(state).iter().map(|m| state.after(*m)).collect();
        if afters.iter().any(|after| after.ending().is_some_and(|ending| ending.winner() == state.side)) {
            return Some(Share::SEEN);
        }
        let mut halves = 0;
        for after in &afters {
            if self.nodes() >= end || stop() {
                return None;
            }
            halves += match self.decide(after) {
                Some(winner) if winner == state.side => 2,
                Some(_) => 0,
                None => 1,
            };
        }
        Some(Share { halves, answers: afters.len() as u64 })
    }

    /// The winner, if a short search on this thread finds it.
    fn decide(&self, state: &State) -> Option<game::Color> {
        if let Some(winner) = self.known(state) {
            return Some(winner);
        }
        Rectangle::of(state)?;
        self.shared.stop.store(false, Relaxed);
        let most = self.nodes().saturating_add(EACH_ANSWER);
        let numbers: Numbers = Worker::new(&self.shared, false, most).solve(state);
        numbers.verdict().map(|wins| if wins { state.side } else { !state.side })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Color;
    use std::num::NonZeroUsize;

    fn winner(state: &State) -> Color {
        let wins = |m: &Move| winner(&state.after(*m)) == state.side;
        match state.ending() {
            Some(ending) => ending.winner(),
            None if distinct(state).iter().any(wins) => state.side,
            None => !state.side,
        }
    }

    /// The share of winning answers to a move by exhaustive search; all of them if one wins at once.
    fn winning_part(state: &State) -> f64 {
        let ends = |m: &&Move| state.after(**m).ending().is_some_and(|ending| ending.winner() == state.side);
        let answers = distinct(state);
        if state.ending().is_some() || answers.iter().any(|m| ends(&m)) {
            return 1.0;
        }
        let wins = answers.iter().filter(|m| winner(&state.after(**m)) == state.side).count();
        wins as f64 / answers.len() as f64
    }

    #[test]
    fn the_fewest_answers_win_after_the_best_try() {
        let mut random = platform::Random::new(11);
        let mut choices = 0;
        for _ in 0..60 {
            let mut state = State::START;
            while state.ending().is_none() {
                let moves = distinct(&state);
                let late = Rectangle::of(&state).is_some_and(|rectangle| rectangle.moves_left(&state) <= 4);
                if late && winner(&state) != state.side {
                    let solver = Solver::new(4, NonZeroUsize::MIN).unwrap();
                    let best = solver.best_try(&state, u64::MAX, || false).unwrap();
                    let parts: Vec<f64> = moves.iter().map(|m| winning_part(&state.after(*m))).collect();
                    let least = parts.iter().copied().fold(1.0, f64::min);
                    assert!((winning_part(&state.after(best)) - least).abs() < 1e-9, "{state:?}");
                    choices += usize::from(parts.iter().any(|part| *part > least));
                    break;
                }
                state = state.after(moves[random.below(moves.len())]);
            }
        }
        assert!(choices >= 5, "{choices}");
    }
}

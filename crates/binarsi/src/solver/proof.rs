//! Extracts certificates, which can be checked without the solver, and the shortest win.

use super::successors::{result, visit_results};
use super::table::Numbers;
use super::{Solver, Unsolved};
use crate::board::Board;
use crate::certificate::{Certificate, is_searched};
use crate::moves::Move;
use crate::state::{Moves, State};
use game::Color;
use std::collections::HashSet;
use std::ops::ControlFlow;

impl Solver {
    /// Decides a position and lists the winner's moves. Entries that the table has lost are proved again.
    pub fn certificate(&self, board: &Board) -> Result<Certificate, Unsolved> {
        let winner = self.winner(board.state())?;
        let mut certificate = Certificate::new(*board, winner);
        self.certify(board.state(), winner, &mut HashSet::new(), &mut certificate)?;
        Ok(certificate)
    }

    fn certify(
        &self,
        state: &State,
        winner: Color,
        seen: &mut HashSet<State>,
        certificate: &mut Certificate,
    ) -> Result<(), Unsolved> {
        let state = state.canonical();
        if state.ending().is_some() || is_searched(&state) || !seen.insert(state) {
            return Ok(());
        }
        let moves = distinct(&state);
        if state.side != winner {
            return moves.iter().try_for_each(|m| self.certify(&state.after(*m), winner, seen, certificate));
        }
        let m = self.winning_move(&state, &moves)?;
        certificate.insert(&state, m);
        self.certify(&state.after(m), winner, seen, certificate)
    }

    /// The winning move that took the least work.
    fn winning_move(&self, state: &State, moves: &[Move]) -> Result<Move, Unsolved> {
        let wins = |m: &&Move| self.known(&state.after(**m)) == Some(state.side);
        let known = moves.iter().filter(wins).min_by_key(|m| self.resistance(&state.after(**m)));
        if let Some(m) = known {
            return Ok(*m);
        }
        // Proving it again finds the lost move.
        self.winner(state)?;
        moves.iter().find(wins).copied().ok_or(Unsolved::Stopped)
    }

    /// The shortest win of a decided position against the longest resistance; `None` if it takes more than `nodes`
    /// positions, or `stop`, which is called regularly, returns true.
    pub fn shortest(&self, state: &State, nodes: u64, stop: impl Fn() -> bool) -> Option<Vec<Move>> {
        let winner = self.known(state)?;
        let mut race = Race { solver: self, winner, left: nodes, stop: &stop };
        // Either side can make the last move: lines can be completed for the opponent, and boards filled.
        let mut plies = 0;
        while !race.ends_within(state, plies)? {
            plies += 1;
        }
        let mut line = Vec::new();
        let mut state = *state;
        for left in (0..plies).rev() {
            let m = race.move_within(&state, left)?;
            line.push(m);
            state = state.after(m);
        }
        Some(line)
    }
}

/// Moves that lead to different positions.
pub(crate) fn distinct(state: &State) -> Vec<Move> {
    let mut moves = Moves::new();
    state.moves(&mut moves);
    let mut seen = HashSet::new();
    moves.iter().copied().filter(|m| seen.insert(state.after(*m).canonical())).collect()
}

/// Searches whether the winner wins in time.
struct Race<'a> {
    solver: &'a Solver,
    winner: Color,
    /// Remaining limit of positions.
    left: u64,
    stop: &'a dyn Fn() -> bool,
}

/// Positions between two calls of `stop`.
const PULSE: u64 = 64;

impl Race<'_> {
    /// Whether the winner has won after this many plies; `None` if the limits are reached.
    fn ends_within(&mut self, state: &State, plies: u32) -> Option<bool> {
        if let Some(ending) = state.ending() {
            return Some(ending.winner() == self.winner);
        }
        if plies == 0 {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        if self.left.is_multiple_of(PULSE) && (self.stop)() {
            return None;
        }
        let mine = state.side == self.winner;
        let mut afters = Vec::with_capacity(64);
        let _ = visit_results(state, |black, occupied, locks| {
            afters.push(result(state, black, occupied, locks));
            ControlFlow::<()>::Continue(())
        });
        // After the winner's best move no other is needed; the loser's hardest moves come first.
        if mine {
            let wins = |after: &State| self.solver.stored(after).and_then(Numbers::verdict) == Some(true);
            afters.retain(|after| after.ending().is_some() || !wins(after));
        }
        afters.sort_by_cached_key(|after| {
            let work = i32::from(self.solver.resistance(after));
            if mine { work } else { -work }
        });
        for after in &afters {
            if self.ends_within(after, plies - 1)? == mine {
                return Some(mine);
            }
        }
        Some(!mine)
    }

    /// The winner's move that wins within `plies`, or the loser's that lasts that long.
    fn move_within(&mut self, state: &State, plies: u32) -> Option<Move> {
        let mine = state.side == self.winner;
        for m in distinct(state) {
            let after = state.after(m);
            let chosen = if mine {
                self.ends_within(&after, plies)?
            } else {
                plies == 0 || !self.ends_within(&after, plies - 1)?
            };
            if chosen {
                return Some(m);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;

    /// Plies to the end by exhaustive search: the winner hurries, the loser delays.
    fn distance(state: &State) -> (Color, u32) {
        if let Some(ending) = state.ending() {
            return (ending.winner(), 0);
        }
        let mut moves = Moves::new();
        state.moves(&mut moves);
        let results: Vec<_> = moves.iter().map(|m| distance(&state.after(*m))).collect();
        let wins =
            results.iter().filter(|(winner, _)| *winner == state.side).map(|(_, plies)| plies + 1).min();
        match wins {
            Some(plies) => (state.side, plies),
            None => (!state.side, results.iter().map(|(_, plies)| plies + 1).max().unwrap_or(0)),
        }
    }

    #[test]
    fn forgotten_moves_are_found_again() {
        let board: Board = "7/7/1xox3/1oxo3/1xoo3/7 b 234cde ///8// 10".parse().unwrap();
        let solver = Solver::new(1, NonZeroUsize::MIN).unwrap();
        for _ in 0..3 {
            assert_eq!(solver.winner(board.state()), Ok(Color::Black));
            let best = solver.ranked(board.state())[0].0;
            assert_eq!(solver.known(&board.state().after(best)), Some(Color::Black));
            // More positions than the table holds.
            let _ = solver.search(&State::START, 60_000, |_| ControlFlow::Continue(()));
        }
    }

    #[test]
    fn the_shortest_win_is_that_of_plain_search() {
        let mut random = platform::Random::new(5);
        let mut lengths = HashSet::new();
        for _ in 0..60 {
            let mut state = State::START;
            while state.ending().is_none() {
                if is_searched(&state) {
                    let solver = Solver::new(4, NonZeroUsize::MIN).unwrap();
                    let (winner, plies) = distance(&state);
                    assert_eq!(solver.winner(&state), Ok(winner));
                    let line = solver.shortest(&state, u64::MAX, || false).unwrap();
                    assert_eq!(line.len() as u32, plies, "{state:?}");
                    let last = line.iter().fold(state, |state, m| state.after(*m));
                    assert_eq!(last.ending().map(crate::Ending::winner), Some(winner));
                    lengths.insert(plies);
                    break;
                }
                let mut moves = Moves::new();
                state.moves(&mut moves);
                state = state.after(moves[random.below(moves.len())]);
            }
        }
        assert!(lengths.len() >= 3, "{lengths:?}");
    }
}

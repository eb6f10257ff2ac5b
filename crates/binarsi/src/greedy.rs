//! The player of the original program.

use crate::moves::Move;
use crate::state::State;
use platform::Random;

/// Wins at once if it can. Otherwise it picks a random distinct move: one that gains stones on occupied squares if
/// there is any, else one that neither gains nor loses (such as filling a new way), else any other.
#[derive(Clone, Debug)]
pub struct Greedy {
    random: Random,
}

impl Greedy {
    /// A player whose choices depend only on the seed and the positions.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }

    /// Its move; `None` when the game is over.
    pub fn choose(&mut self, state: &State) -> Option<Move> {
        if state.ending().is_some() {
            return None;
        }
        let moves = state.distinct_moves();
        let wins = |m: &Move| state.after(*m).ending().is_some_and(|end| end.winner() == state.side());
        if let Some(winning) = moves.iter().copied().find(wins) {
            return Some(winning);
        }
        let best = moves.iter().map(|m| profit(state, *m).signum()).max()?;
        let chosen: Vec<_> = moves.into_iter().filter(|m| profit(state, *m).signum() == best).collect();
        Some(chosen[self.random.below(chosen.len())])
    }
}

/// Gain of own stones relative to the opponent's, on squares that had stones before.
fn profit(state: &State, m: Move) -> i64 {
    let balance = |black: u64, white: u64| i64::from(black.count_ones()) - i64::from(white.count_ones());
    let after = state.after(m);
    let before = state.occupied;
    let gain = balance(after.black & before, after.white() & before) - balance(state.black, state.white());
    if state.side() == game::Color::Black { gain } else { -gain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn it_mates_gains_or_shrugs() {
        let choose = |sfen: &str, seed| {
            let board: Board = sfen.parse().unwrap();
            Greedy::new(seed).choose(board.state()).map(|m| m.to_string())
        };
        for seed in 0..20 {
            // As in the transcripts of the original.
            let mate = choose("xxo4/oox4/xxo4/xox4/xxo4/xox4 b 3bd 5//9/4// 10", seed).unwrap();
            assert_eq!(mate, "4n");
            let first = choose("startpos", seed).unwrap();
            assert!(["2n", "4n", "bn", "dn"].contains(&first.as_str()));
        }
        let over = "xooooxo/xooxxxo/ooxxooo/xooxxox/xoxxxxx/ooxoooo b 1234567abcdef 1/2//3/4/ 0";
        assert_eq!(choose(over, 1), None);
    }
}

//! Pairings of a tournament.

use super::Pairing;
use arena::GameResult;
use std::collections::BTreeSet;

/// A tournament in progress: players by number, one round after the other.
#[derive(Debug)]
pub(super) struct Tournament {
    kind: Pairing,
    players: usize,
    pub(super) rounds: u32,
    /// Rounds that have been paired.
    pub(super) round: u32,
    /// Half points.
    pub(super) points: Vec<u32>,
    /// Games with Black minus games with White.
    colours: Vec<i32>,
    met: BTreeSet<(usize, usize)>,
    byes: BTreeSet<usize>,
}

impl Tournament {
    /// A tournament of `rounds` cycles or rounds.
    pub(super) fn new(kind: Pairing, players: usize, rounds: u32) -> Self {
        let even = players + players % 2;
        let rounds = if kind == Pairing::Robin { rounds * (even as u32 - 1) } else { rounds };
        let (points, colours) = (vec![0; players], vec![0; players]);
        Self { kind, players, rounds, round: 0, points, colours, met: BTreeSet::new(), byes: BTreeSet::new() }
    }

    /// The pairs of the next round, Black first; `None` after the last one.
    pub(super) fn next_round(&mut self) -> Option<Vec<(usize, usize)>> {
        if self.round == self.rounds {
            return None;
        }
        let pairs = if self.kind == Pairing::Robin { self.robin() } else { self.swiss() };
        self.round += 1;
        for (black, white) in &pairs {
            self.colours[*black] += 1;
            self.colours[*white] -= 1;
            self.met.insert(key(*black, *white));
        }
        Some(pairs)
    }

    /// Records a game of this round.
    pub(super) fn ended(&mut self, black: usize, white: usize, result: Option<GameResult>) {
        let (first, second) = match result {
            Some(GameResult::Black) => (2, 0),
            Some(GameResult::White) => (0, 2),
            Some(GameResult::Draw) => (1, 1),
            None => (0, 0),
        };
        self.points[black] += first;
        self.points[white] += second;
    }

    /// The circle method: one player stays, the others rotate; every other cycle has reversed colours.
    fn robin(&self) -> Vec<(usize, usize)> {
        let seats = self.players + self.players % 2;
        let cycle = self.round as usize / (seats - 1);
        let turn = self.round as usize % (seats - 1);
        let at = |seat: usize| if seat == 0 { 0 } else { (seat - 1 + turn) % (seats - 1) + 1 };
        let pairs = (0..seats / 2).map(|seat| (at(seat), at(seats - 1 - seat)));
        pairs
            .filter(|(a, b)| *a < self.players && *b < self.players)
            .map(|(a, b)| {
                if (turn + cycle + usize::from(a != 0 && b != 0) * (a + b)).is_multiple_of(2) {
                    (a, b)
                } else {
                    (b, a)
                }
            })
            .collect()
    }

    fn swiss(&mut self) -> Vec<(usize, usize)> {
        let mut order: Vec<_> = (0..self.players).collect();
        order.sort_by_key(|player| std::cmp::Reverse(self.points[*player]));
        if order.len() % 2 == 1 {
            let last =
                order.iter().rposition(|player| !self.byes.contains(player)).unwrap_or(order.len() - 1);
            let rests = order.remove(last);
            self.byes.insert(rests);
            self.points[rests] += 2;
        }
        let mut pairs = Vec::new();
        let mut tries = 10_000;
        if !self.pair_up(&order, &mut pairs, &mut tries) {
            // Every pair has met: neighbours meet again.
            pairs = order.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        }
        let fair = |(a, b): (usize, usize)| if self.colours[a] > self.colours[b] { (b, a) } else { (a, b) };
        pairs.into_iter().map(fair).collect()
    }

    /// Pairs neighbours who have not met, with backtracking.
    fn pair_up(&self, order: &[usize], pairs: &mut Vec<(usize, usize)>, tries: &mut u32) -> bool {
        let Some((first, rest)) = order.split_first() else { return true };
        for (index, other) in rest.iter().enumerate() {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            if self.met.contains(&key(*first, *other)) {
                continue;
            }
            pairs.push((*first, *other));
            let left: Vec<_> =
                rest.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, p)| *p).collect();
            if self.pair_up(&left, pairs, tries) {
                return true;
            }
            pairs.pop();
        }
        false
    }
}

const fn key(a: usize, b: usize) -> (usize, usize) {
    if a < b { (a, b) } else { (b, a) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn everyone_meets_everyone_once_in_each_cycle_with_both_colours() {
        for players in 2..=9 {
            let mut tournament = Tournament::new(Pairing::Robin, players, 2);
            let mut games: BTreeMap<(usize, usize), u32> = BTreeMap::new();
            while let Some(pairs) = tournament.next_round() {
                let mut seen = BTreeSet::new();
                for (black, white) in pairs {
                    assert!(seen.insert(black) && seen.insert(white), "{players}");
                    *games.entry((black, white)).or_default() += 1;
                }
            }
            assert_eq!(games.len(), players * (players - 1), "{players}");
            assert!(games.values().all(|count| *count == 1), "{players}: {games:?}");
        }
    }

    #[test]
    fn swiss_rounds_avoid_second_meetings_and_share_the_rest() {
        for players in [5, 6, 8] {
            let mut tournament = Tournament::new(Pairing::Swiss, players, 4);
            let mut met = BTreeSet::new();
            while let Some(pairs) = tournament.next_round() {
                assert_eq!(pairs.len(), players / 2);
                for (black, white) in pairs {
                    assert!(met.insert(key(black, white)), "{players}: {black} {white}");
                    // The smaller number wins.
                    let result = if black < white { GameResult::Black } else { GameResult::White };
                    tournament.ended(black, white, Some(result));
                }
            }
            assert!(tournament.colours.iter().all(|balance| balance.abs() <= 2), "{:?}", tournament.colours);
            assert_eq!(tournament.points[0], *tournament.points.iter().max().unwrap());
            assert!(players % 2 == 0 || tournament.byes.len() == 4);
        }
    }

    #[test]
    fn more_rounds_than_opponents() {
        let mut tournament = Tournament::new(Pairing::Swiss, 2, 3);
        let mut rounds = 0;
        while let Some(pairs) = tournament.next_round() {
            assert_eq!(pairs.len(), 1);
            rounds += 1;
        }
        assert_eq!(rounds, 3);
    }
}

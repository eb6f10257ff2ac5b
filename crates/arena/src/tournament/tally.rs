use super::config::MatchConfig;
use super::record::GameRecord;
use crate::play::RemarkKind;
use crate::stats::{Decision, Pentanomial, Sprt};
use crate::verdict::Reason;
use game::Color;
use std::collections::BTreeMap;

/// The results of one engine.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Games won, drawn and lost.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs from its own point of view.
    pub pairs: Pentanomial,
    /// Games lost by each kind of fault.
    pub faults: BTreeMap<Reason, u64>,
    /// Irregularities that lost no game.
    pub remarks: BTreeMap<RemarkKind, u64>,
    /// The longest time between the `time` in its last `info` and our clock, in milliseconds.
    pub lag_ms: Option<f64>,
}

impl Standing {
    /// Games played.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game; one half if there are none.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }
}

/// The pairs of two engines, from the point of view of the first one.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// Half points of the first engine in the two games of each round, as far as played.
    rounds: BTreeMap<u64, [Option<u8>; 2]>,
}

impl Pairing {
    /// All complete pairs.
    #[must_use]
    pub fn pairs(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        self.rounds.keys().filter_map(|&round| self.round(round)).for_each(|sum| pairs.add(sum));
        pairs
    }

    /// The half points of a round, once both games are played.
    fn round(&self, round: u64) -> Option<u8> {
        let games = self.rounds.get(&round)?;
        Some(games[0]? + games[1]?)
    }
}

/// A running sequential test.
///
/// It counts pairs in the order of their rounds, whichever finish first. Neither the number of workers nor a kill then
/// affects its decision, and short games are not counted before long ones.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The test.
    pub sprt: Sprt,
    /// The pairs counted so far; none after the deciding one.
    pub pairs: Pentanomial,
    /// Their ratio.
    pub llr: f64,
    /// Its decision.
    pub decision: Decision,
}

impl Test {
    fn new(sprt: Sprt) -> Self {
        Self { sprt, pairs: Pentanomial::default(), llr: 0.0, decision: Decision::GoOn }
    }

    fn advance(&mut self, pairing: &Pairing) {
        while self.decision == Decision::GoOn
            && let Some(half_points) = pairing.round(self.pairs.pairs())
        {
            self.pairs.add(half_points);
            self.llr = self.sprt.llr(&self.pairs);
            self.decision = self.sprt.decide(self.llr);
        }
    }
}

/// The results of a match so far.
pub struct Tally {
    names: Vec<String>,
    standings: Vec<Standing>,
    pairings: BTreeMap<(usize, usize), Pairing>,
    reasons: BTreeMap<Reason, u64>,
    plies: u64,
    blacks: [u64; 3],
    test: Option<Test>,
}

impl Tally {
    /// A match without games.
    #[must_use]
    pub fn new(config: &MatchConfig) -> Self {
        Self {
            names: config.engines.iter().map(|engine| engine.name.clone()).collect(),
            standings: vec![Standing::default(); config.engines.len()],
            pairings: BTreeMap::new(),
            reasons: BTreeMap::new(),
            plies: 0,
            blacks: [0; 3],
            test: config.sprt.map(Test::new),
        }
    }

    /// Counts a game; ignores names that do not take part.
    pub fn add(&mut self, record: &GameRecord) {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let (Some(black), Some(white)) = (place(&record.black), place(&record.white)) else { return };
        let verdict = &record.verdict;
        for (engine, color) in [(black, Color::Black), (white, Color::White)] {
            let standing = &mut self.standings[engine];
            match verdict.result.half_points(color) {
                2 => standing.wins += 1,
                1 => standing.draws += 1,
                _ => standing.losses += 1,
            }
            if verdict.at_fault() == Some(color) {
                *standing.faults.entry(verdict.reason).or_default() += 1;
            }
            for remark in record.remarks.iter().filter(|remark| remark.side == color.to_string()) {
                *standing.remarks.entry(remark.kind).or_default() += u64::from(remark.times);
            }
            if let Some(lag) = record.lag_ms[color.index()] {
                standing.lag_ms = Some(standing.lag_ms.map_or(lag, |longest: f64| longest.max(lag)));
            }
        }
        *self.reasons.entry(verdict.reason).or_default() += 1;
        self.blacks[usize::from(2 - verdict.result.half_points(Color::Black))] += 1;
        self.plies += record.ms.len() as u64;
        let (first, second) = (black.min(white), black.max(white));
        let (color, game) = if black == first { (Color::Black, 0) } else { (Color::White, 1) };
        let pairing = self.pairings.entry((first, second)).or_default();
        let games = pairing.rounds.entry(record.round).or_default();
        games[game] = Some(verdict.result.half_points(color));
        if let [Some(a), Some(b)] = *games {
            self.standings[first].pairs.add(a + b);
            self.standings[second].pairs.add(4 - a - b);
        }
        if let Some(test) = &mut self.test {
            test.advance(pairing);
        }
    }

    /// The names of the engines.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The results of each engine.
    #[must_use]
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The pairs of each pairing.
    #[must_use]
    pub const fn pairings(&self) -> &BTreeMap<(usize, usize), Pairing> {
        &self.pairings
    }

    /// Number of games by reason of their end.
    #[must_use]
    pub const fn reasons(&self) -> &BTreeMap<Reason, u64> {
        &self.reasons
    }

    /// Games won by Black, drawn, won by White.
    #[must_use]
    pub const fn blacks(&self) -> [u64; 3] {
        self.blacks
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.blacks.iter().sum()
    }

    /// All moves played.
    #[must_use]
    pub const fn plies(&self) -> u64 {
        self.plies
    }

    /// The sequential test, if the match has one.
    #[must_use]
    pub const fn test(&self) -> Option<&Test> {
        self.test.as_ref()
    }
}

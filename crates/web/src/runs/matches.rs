//! Matches: `config.json` and `games.jsonl`.

use super::failed;
use super::game_list::{GameList, Line};
use crate::protocol::{MatchState, Refusal, RunFault, RunGame};
use arena::stats::{Decision, Pentanomial};
use arena::tournament::{GAMES, MatchConfig, RunFolder};
use std::collections::BTreeMap;
use std::path::Path;

/// Points of a curve; when there are more, every second one goes.
const MOST_POINTS: usize = 400;
/// The most games that are sent with the figures.
const SHOWN: usize = 20;

/// A match as far as it has been read.
pub(super) struct Match {
    config: MatchConfig,
    list: GameList,
    /// Half points of the first engine by round, as far as the games of a pair were played.
    open: BTreeMap<(u64, u16), u8>,
    pairs: Pentanomial,
    count: u64,
    counts: [u64; 3],
    faults: BTreeMap<(u16, String), (u64, u64)>,
    curve: Vec<[f64; 4]>,
    stride: u64,
}

impl Match {
    pub(super) fn open(path: &Path) -> Result<Self, Refusal> {
        let config: MatchConfig = RunFolder::config(path).map_err(|error| failed(path, error))?;
        let names = config.engines.iter().map(|engine| engine.name.clone()).collect();
        Ok(Self {
            config,
            list: GameList::new(&path.join(GAMES), names),
            open: BTreeMap::new(),
            pairs: Pentanomial::default(),
            count: 0,
            counts: [0; 3],
            faults: BTreeMap::new(),
            curve: Vec::new(),
            stride: 1,
        })
    }

    pub(super) fn read(&mut self) -> Result<u64, Refusal> {
        let news = self.list.read()?;
        if news.again {
            self.count = 0;
            self.open.clear();
            self.pairs = Pentanomial::default();
            self.counts = [0; 3];
            self.faults.clear();
            self.curve.clear();
            self.stride = 1;
        }
        for (players, line) in news.games {
            self.add(players, &line);
        }
        Ok(self.list.offset())
    }

    fn add(&mut self, [black, white]: [u16; 2], line: &Line) {
        self.count += 1;
        // Every game of a match has a result.
        let (Some(result), Some(reason)) = (line.result, line.reason) else { return };
        let first =
            if black == 0 { Some(game::Color::Black) } else { (white == 0).then_some(game::Color::White) };
        if let Some(color) = first {
            let half_points = result.half_points(color);
            self.counts[usize::from(2 - half_points)] += 1;
            let other = if black == 0 { white } else { black };
            match self.open.remove(&(line.round, other)) {
                Some(earlier) => self.pairs.add(earlier + half_points),
                None => drop(self.open.insert((line.round, other), half_points)),
            }
        }
        if let Some(winner) = result.winner().filter(|_| reason.is_fault()) {
            let engine = if winner == game::Color::White { black } else { white };
            let fault = self.faults.entry((engine, reason.to_string())).or_default();
            *fault = (fault.0 + 1, line.game);
        }
        let count = self.count;
        if count.is_multiple_of(self.stride) && self.pairs.pairs() > 1 {
            let elo = self.pairs.elo();
            let llr = self.config.sprt.map_or(0.0, |sprt| sprt.llr(&self.pairs));
            let point = [count as f64, elo.value, elo.error(), llr];
            if point.iter().all(|number| number.is_finite()) {
                self.curve.push(point);
            }
            if self.curve.len() > MOST_POINTS {
                self.stride *= 2;
                let stride = self.stride;
                self.curve.retain(|point| (point[0] as u64).is_multiple_of(stride));
            }
        }
    }

    pub(super) fn games_played(&self) -> u64 {
        self.list.len()
    }

    pub(super) fn games_wanted(&self) -> Option<u64> {
        let engines = self.config.engines.len() as u64;
        let pairings = match self.config.format {
            arena::tournament::Format::RoundRobin => engines * engines.saturating_sub(1) / 2,
            arena::tournament::Format::Gauntlet => engines.saturating_sub(1),
        };
        self.config.games.checked_mul(pairings)
    }

    pub(super) fn facts(&self) -> Vec<[String; 2]> {
        let mut facts = vec![["game".to_owned(), self.config.game.clone()]];
        for engine in &self.config.engines {
            let time = serde_json::to_string(&engine.time).unwrap_or_default();
            facts.push([format!("time {}", engine.name), time]);
        }
        if let Some(sprt) = &self.config.sprt {
            let (low, high) = sprt.bounds();
            facts.push(["sprt".to_owned(), format!("{low:.2} {high:.2}")]);
            let decision = match sprt.decision(&self.pairs) {
                Decision::GoOn => "goes on",
                Decision::AcceptH0 => "H0",
                Decision::AcceptH1 => "H1",
            };
            facts.push(["decision".to_owned(), decision.to_owned()]);
        }
        facts
    }

    pub(super) fn state(&self) -> MatchState {
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let enough = self.pairs.pairs() > 1;
        let elo = self.pairs.elo();
        MatchState {
            engines: self.list.names().to_vec(),
            wins: self.counts[0],
            draws: self.counts[1],
            losses: self.counts[2],
            pairs: self.pairs.0,
            elo: enough.then(|| Some([finite(elo.value)?, finite(elo.error())?])).flatten(),
            los: enough.then(|| finite(self.pairs.los())).flatten(),
            llr: self.config.sprt.and_then(|sprt| finite(sprt.llr(&self.pairs))),
            llr_bounds: self.config.sprt.map(|sprt| {
                let (low, high) = sprt.bounds();
                [low, high]
            }),
            faults: self
                .faults
                .iter()
                .map(|((engine, reason), (count, game))| RunFault {
                    engine: self.list.names()[usize::from(*engine)].clone(),
                    reason: reason.clone(),
                    count: *count,
                    game: *game,
                })
                .collect(),
            curve: self.curve.clone(),
            games: self.newest(0, SHOWN),
        }
    }

    pub(super) fn newest(&self, skip: usize, count: usize) -> Vec<RunGame> {
        self.list.newest(skip, count)
    }

    /// A game as a line of USI, and the game that it is of.
    pub(super) fn record(&self, number: u64) -> Result<(String, String), Refusal> {
        Ok((self.list.record(number)?, self.config.game.clone()))
    }
}

//! Games on CSA servers, of our client or of our own server: `config.json` and `games.jsonl`.

use super::game_list::GameList;
use crate::protocol::{CsaPlayer, CsaState, Refusal, RunFault, RunGame};
use arena::GameResult;
use arena::tournament::{GAMES, RunFolder};
use game::Color;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The most games that are sent with the figures.
const SHOWN: usize = 20;
/// The shown values of the configuration, in this order.
const FACTS: [&str; 8] = ["host", "port", "name", "game", "event", "time_name", "pairing", "rounds"];

/// What a player has reached.
#[derive(Clone, Copy, Default)]
struct Counts {
    wins: u64,
    draws: u64,
    losses: u64,
}

/// Games as far as they have been read.
pub(super) struct ServerGames {
    config: Value,
    list: GameList,
    counts: Vec<Counts>,
    cut: u64,
    lag: Option<f64>,
    faults: BTreeMap<String, (u64, u64)>,
}

impl ServerGames {
    pub(super) fn open(path: &Path) -> Result<Self, Refusal> {
        let config: Value = RunFolder::config(path).map_err(|error| super::failed(path, error))?;
        // Our client names itself; on our server everybody is a guest.
        let own = config["name"].as_str().map(str::to_owned).into_iter().collect();
        let list = GameList::new(&path.join(GAMES), own);
        Ok(Self { config, list, counts: Vec::new(), cut: 0, lag: None, faults: BTreeMap::new() })
    }

    pub(super) fn read(&mut self) -> Result<u64, Refusal> {
        let news = self.list.read()?;
        if news.again {
            self.counts.clear();
            self.faults.clear();
            (self.cut, self.lag) = (0, None);
        }
        for (players, line) in news.games {
            for slow in line.lag_ms.into_iter().flatten() {
                self.lag = Some(self.lag.map_or(slow, |lag| lag.max(slow)));
            }
            for fault in line.faults {
                let known = self.faults.entry(fault).or_default();
                *known = (known.0 + 1, line.game);
            }
            match line.result {
                Some(result) => self.count(players, result),
                None => self.cut += 1,
            }
        }
        Ok(self.list.offset())
    }

    fn count(&mut self, players: [u16; 2], result: GameResult) {
        for (player, color) in players.into_iter().zip(Color::ALL) {
            let place = usize::from(player);
            if self.counts.len() <= place {
                self.counts.resize(place + 1, Counts::default());
            }
            let counts = &mut self.counts[place];
            match result.half_points(color) {
                2 => counts.wins += 1,
                1 => counts.draws += 1,
                _ => counts.losses += 1,
            }
        }
    }

    pub(super) fn games_played(&self) -> u64 {
        self.list.len()
    }

    pub(super) fn facts(&self) -> Vec<[String; 2]> {
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let facts = FACTS.into_iter().filter_map(|name| Some([name.to_owned(), text(&self.config[name])?]));
        facts.collect()
    }

    pub(super) fn state(&self) -> CsaState {
        let own = self.config["name"].as_str().map(str::to_owned);
        let names = self.list.names().iter().zip(&self.counts);
        let mut players: Vec<CsaPlayer> = names
            .map(|(name, counts)| CsaPlayer {
                name: name.clone(),
                wins: counts.wins,
                draws: counts.draws,
                losses: counts.losses,
            })
            .filter(|player| player.wins + player.draws + player.losses > 0)
            .collect();
        let points = |player: &CsaPlayer| 2 * player.wins + player.draws;
        players.sort_by_key(|player| {
            (own.as_ref() != Some(&player.name), std::cmp::Reverse(points(player)), player.name.clone())
        });
        let whose = own.clone().unwrap_or_default();
        let faults = self.faults.iter().map(|(reason, (count, game))| RunFault {
            engine: whose.clone(),
            reason: reason.clone(),
            count: *count,
            game: *game,
        });
        CsaState {
            faults: faults.collect(),
            own,
            players,
            cut: self.cut,
            longest_lag: self.lag,
            games: self.newest(0, SHOWN),
        }
    }

    pub(super) fn newest(&self, skip: usize, count: usize) -> Vec<RunGame> {
        self.list.newest(skip, count)
    }

    pub(super) fn record(&self, number: u64) -> Result<String, Refusal> {
        self.list.record(number)
    }
}

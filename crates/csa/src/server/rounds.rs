//! A tournament in progress: which pairs play, wait or are absent, and where to resume an interrupted one.

use super::ServerConfig;
use super::pairing::Tournament;
use crate::files::GameEntry;
use arena::GameResult;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Two players by number, Black first.
pub(super) type Pair = (usize, usize);

/// A tournament and the remaining games of its round.
pub(super) struct Rounds {
    tournament: Tournament,
    /// Pairs that have not started.
    waiting: Vec<Pair>,
    /// Pairs at tables.
    playing: HashMap<u64, Pair>,
    begun: Instant,
    absence: Duration,
    players: Vec<String>,
    over: bool,
}

/// What to do for a pair of the round.
pub(super) enum Call {
    /// Both are present: their game starts.
    Begin(Pair),
    /// Someone is absent: the result without a game, if one of them is present.
    Forfeit(Pair, Option<GameResult>),
}

impl Rounds {
    /// The tournament of the configured players, after the given `games`.
    pub(super) fn new(config: &ServerConfig, games: &[GameEntry]) -> Self {
        let mut rounds = Self {
            tournament: Tournament::new(config.pairing, config.players.len(), config.rounds),
            waiting: Vec::new(),
            playing: HashMap::new(),
            begun: Instant::now(),
            absence: Duration::from_millis(config.absence_ms),
            players: config.players.clone(),
            over: false,
        };
        while rounds.is_round_over() && rounds.next_round() {
            let number = rounds.number();
            let pairs = std::mem::take(&mut rounds.waiting);
            for (black, white) in pairs {
                let names = [&rounds.players[black], &rounds.players[white]];
                let found = games.iter().find(|entry| {
                    entry.round == number && [&entry.black, &entry.white] == names && !entry.is_cut()
                });
                match found {
                    Some(entry) => rounds.tournament.ended(black, white, entry.result),
                    None => rounds.waiting.push((black, white)),
                }
            }
        }
        rounds
    }

    /// The number of the round, from 1.
    pub(super) fn number(&self) -> u64 {
        u64::from(self.tournament.round)
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    pub(super) fn is_round_over(&self) -> bool {
        self.waiting.is_empty() && self.playing.is_empty()
    }

    /// Text about the round and the games left in it.
    pub(super) fn announcement(&self) -> String {
        let pairs = self.waiting.iter().map(|pair| self.names(*pair).join(" - "));
        format!(
            "round {} of {}: {}",
            self.tournament.round,
            self.tournament.rounds,
            pairs.collect::<Vec<_>>().join(", ")
        )
    }

    /// Pairs the next round; returns whether there is one.
    pub(super) fn next_round(&mut self) -> bool {
        match self.tournament.next_round() {
            Some(pairs) => (self.waiting, self.begun) = (pairs, Instant::now()),
            None => self.over = true,
        }
        !self.over
    }

    pub(super) fn names(&self, pair: Pair) -> [String; 2] {
        [pair.0, pair.1].map(|player| self.players[player].clone())
    }

    /// The games to start or forfeit now, given who is waiting. These pairs are removed from the waiting ones.
    pub(super) fn call(&mut self, waits: impl Fn(&str) -> bool) -> Vec<Call> {
        let late = self.begun.elapsed() > self.absence;
        let mut calls = Vec::new();
        let players = &self.players;
        self.waiting.retain(|pair| {
            let call = match [pair.0, pair.1].map(|player| waits(&players[player])) {
                [true, true] => Call::Begin(*pair),
                _ if !late => return true,
                [true, false] => Call::Forfeit(*pair, Some(GameResult::Black)),
                [false, true] => Call::Forfeit(*pair, Some(GameResult::White)),
                [false, false] => Call::Forfeit(*pair, None),
            };
            calls.push(call);
            false
        });
        calls
    }

    /// A pair has started at a table.
    pub(super) fn seated(&mut self, table: u64, pair: Pair) {
        self.playing.insert(table, pair);
    }

    /// A game could not start: the pair waits again.
    pub(super) fn again(&mut self, pair: Pair) {
        self.waiting.push(pair);
    }

    /// Removes a table; returns its pair.
    pub(super) fn left(&mut self, table: u64) -> Option<Pair> {
        self.playing.remove(&table)
    }

    /// Records the result of a pair.
    pub(super) fn ended(&mut self, pair: Pair, result: Option<GameResult>) {
        self.tournament.ended(pair.0, pair.1, result);
    }

    /// The points of all players, in half points.
    pub(super) fn points(&self) -> impl Iterator<Item = (&str, u32)> {
        self.players.iter().map(String::as_str).zip(self.tournament.points.iter().copied())
    }
}

//! Games of self-play for training.

use super::net::{LoadedNet, Net};
use super::{json, read};
use crate::blobs::BlobCache;
use crate::envelope::Job;
use crate::kind::{Craft, Failure, Kind, Pulse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;
use train::TrainingGame;
use train::generate::{Openings, Player, Recipe};
use train::pack::{decode_games, encode_games};

/// The word of this kind.
pub const NAME: &str = "generate";

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerateSettings {
    /// The evaluation.
    pub net: Net,
    /// The settings of games.
    pub recipe: Recipe,
    /// The blob of openings, one per line.
    pub openings: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Work {
    settings: GenerateSettings,
    games: Range<u64>,
}

/// A series of games.
pub struct Generate {
    /// How.
    pub settings: GenerateSettings,
    /// The numbers of the games.
    pub games: Range<u64>,
}

/// Most games of a job.
const GAMES: u64 = 16;
/// Nodes per search with which a job has so many games; with more nodes it has fewer.
const NODES: u64 = 20_000;

impl Generate {
    fn share(&self) -> u64 {
        (GAMES * NODES / self.settings.recipe.nodes.max(1)).clamp(1, GAMES)
    }

    fn numbers(&self, n: u64) -> Range<u64> {
        let first = self.games.start.saturating_add(n.saturating_mul(self.share())).min(self.games.end);
        first..first.saturating_add(self.share()).min(self.games.end)
    }

    /// The games of a job. Their moves are legal.
    pub fn read(&self, n: u64, output: &[u8]) -> Result<Vec<TrainingGame>, String> {
        let games = decode_games(output).map_err(|error| error.to_string())?;
        let numbers = self.numbers(n);
        if !games.iter().map(|game| game.index).eq(numbers.clone()) {
            return Err(format!("not the games {} to {}", numbers.start, numbers.end));
        }
        for game in &games {
            if game.moves.iter().any(|scored| scored.score.unsigned_abs() > LARGEST) {
                return Err(format!("game {}: no search gives such a score", game.index));
            }
        }
        Ok(games)
    }
}

/// The largest score: a mate.
const LARGEST: u16 = 32_000;

impl Kind for Generate {
    fn name(&self) -> &'static str {
        NAME
    }

    fn jobs(&self) -> u64 {
        (self.games.end.saturating_sub(self.games.start)).div_ceil(self.share())
    }

    fn work(&self, n: u64) -> Value {
        json(Work { settings: self.settings.clone(), games: self.numbers(n) })
    }

    fn check(&self, n: u64, output: &[u8]) -> Result<(), String> {
        self.read(n, output).map(|_| ())
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Plays games.
#[derive(Default)]
pub struct GenerateCraft {
    net: LoadedNet,
    openings: Option<(String, Openings)>,
}

impl GenerateCraft {
    fn load_openings(&mut self, name: &str, blobs: &BlobCache<'_>) -> Result<(), Failure> {
        if self.openings.as_ref().is_some_and(|(old, _)| old == name) {
            return Ok(());
        }
        let path = blobs.file(name).map_err(|error| Failure::Blob(error.to_string()))?;
        let text = std::fs::read_to_string(&path).map_err(|error| Failure::Blob(error.to_string()))?;
        self.openings = Some((name.to_owned(), Openings::new(text.lines()).map_err(Failure::Failed)?));
        Ok(())
    }
}

impl Craft for GenerateCraft {
    fn work(&mut self, job: &Job, blobs: &BlobCache<'_>, pulse: &Pulse) -> Result<Vec<u8>, Failure> {
        let Work { settings, games } = read(&job.work)?;
        if games.end.saturating_sub(games.start) > GAMES {
            return Err(Failure::Failed(format!("more than {GAMES} games in a job")));
        }
        let none = Openings::default();
        if let Some(name) = &settings.openings {
            self.load_openings(name, blobs)?;
        }
        let openings = match (&settings.openings, &self.openings) {
            (Some(_), Some((_, openings))) => openings,
            _ => &none,
        };
        let evaluation = self.net.get(&settings.net, blobs)?.clone();
        let player = Player::new(&settings.recipe, openings, evaluation, pulse.flag());
        let mut player = player.map_err(|error| Failure::Failed(error.to_string()))?;
        let mut played = Vec::new();
        for number in games {
            played.push(player.play(number).ok_or(Failure::Stopped)?);
            pulse.tick();
        }
        Ok(encode_games(&played))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_cover_the_series_and_other_games_are_refused() {
        let recipe = Recipe { nodes: 30, max_moves: 20, hash: 1, ..Recipe::default() };
        let settings = GenerateSettings { net: Net::Material("1".to_owned()), recipe, openings: None };
        let generate = Generate { settings, games: 5..40 };
        let numbers: Vec<u64> = (0..generate.jobs()).flat_map(|n| generate.numbers(n)).collect();
        assert_eq!(numbers, (5..40).collect::<Vec<_>>());
        let slow = Recipe { nodes: 1_000_000, ..Recipe::default() };
        let settings = GenerateSettings { recipe: slow, ..generate.settings.clone() };
        assert_eq!(Generate { settings, games: 5..40 }.jobs(), 35);
        let bus = crate::bus::memory::MemoryBus::default();
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobCache::new(&bus, folder.path());
        let job = |n: u64| Job {
            v: 1,
            run: crate::names::RunId::of_plan(b""),
            n,
            k: 0,
            attempt: 0,
            kind: NAME.to_owned(),
            engine: crate::envelope::Build::default(),
            work: generate.work(n),
        };
        let output = GenerateCraft::default().work(&job(2), &blobs, &Pulse::default()).unwrap();
        assert_eq!(generate.read(2, &output).unwrap().len(), 3);
        assert!(generate.read(1, &output).is_err());
        assert!(generate.read(2, &output[..output.len() - 1]).is_err());
        assert!(generate.read(2, b"").is_err());
    }
}

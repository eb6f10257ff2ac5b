use crate::engine::EngineSpec;
use crate::play::Conditions;
use crate::record_format::RecordFormat;
use crate::setup::SHOGI;
use crate::stats::Sprt;
use serde::{Deserialize, Serialize};

/// The pairings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every engine plays every other.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// The configuration of a match, kept in its run folder as `config.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The game, by its name in `USI_Variant`.
    pub game: String,
    /// The participants.
    pub engines: Vec<EngineSpec>,
    /// The pairings.
    #[serde(default)]
    pub format: Format,
    /// Games of each pairing, half of them with colours reversed.
    pub games: u64,
    /// The declaration rule, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declaration: Option<String>,
    /// The number of moves after which a game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Time margin, patience, adjudication.
    pub conditions: Conditions,
    /// A sequential test that ends the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The formats of game files.
    #[serde(default)]
    pub records: Vec<RecordFormat>,
}

impl MatchConfig {
    /// Checks it; the error describes what is wrong.
    pub fn check(&self) -> Result<(), String> {
        if self.game != SHOGI && self.records.contains(&RecordFormat::Csa) {
            return Err(format!("--records csa: games of {} are written as kif and usi", self.game));
        }
        let engines = &self.engines;
        if engines.len() < 2 {
            return Err(format!("a match needs two engines, found {}", engines.len()));
        }
        for (index, engine) in engines.iter().enumerate() {
            if engines[..index].iter().any(|other| other.name == engine.name) {
                return Err(format!("two engines are called `{}`; give them different `name=`", engine.name));
            }
            if !engine.time.is_limited() {
                return Err(format!(
                    "engine `{}` has no limit: give `nodes=`, `byoyomi=`, `time=` with `inc=`, \
                     `movetime=` or `depth=`",
                    engine.name
                ));
            }
        }
        if self.games == 0 || self.games % 2 == 1 {
            return Err(format!(
                "expected an even number of games, as every opening is played with both colours; found {}",
                self.games
            ));
        }
        if self.sprt.is_some() && engines.len() != 2 {
            return Err(format!("a sequential test is about two engines, found {}", engines.len()));
        }
        Ok(())
    }
}

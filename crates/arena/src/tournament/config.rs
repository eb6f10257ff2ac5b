use crate::engine::EngineSpec;
use crate::play::Conditions;
use crate::record_format::RecordFormat;
use crate::stats::Sprt;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

/// Everything that decides which games are played and how: what a run folder keeps as `config.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The game, as `USI_Variant` knows it.
    pub game: String,
    /// The participants.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// Games of each pairing, half of them with colours reversed.
    pub games: u64,
    /// The rule of declaration, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declaration: Option<String>,
    /// After so many moves a game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Time margin, patience, adjudication.
    pub conditions: Conditions,
    /// Ends the match early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Which game files are written.
    #[serde(default)]
    pub records: Vec<RecordFormat>,
}

impl MatchConfig {
    /// What is wrong with it, if anything is.
    pub fn check(&self) -> Result<(), String> {
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
                    "nothing ends the thinking of `{}`; say `nodes=`, `byoyomi=`, `time=` with `inc=`, \
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

//! Folders of matches, tuning and training, read while they grow.

use serde::{Deserialize, Serialize};

/// Answer to `runs.list`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Runs {
    pub runs: Vec<RunEntry>,
}

/// A folder that something runs in.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct RunEntry {
    /// Relative to the folder of runs, with `/` between names; requests name the run by it.
    pub run: String,
    /// `match`, `tune`, `train`, `csa`.
    pub kind: String,
    pub title: String,
    /// How far it is: games, iterations or steps; and of how many.
    pub done: u64,
    pub total: Option<u64>,
    /// Its files changed within the last minute.
    pub live: bool,
    /// When its files changed last, in milliseconds since 1970.
    pub changed: u64,
}

/// What is known of a run; answer to `runs.watch`, and the event `run` when it grows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct RunState {
    #[serde(flatten)]
    pub entry: RunEntry,
    /// What was agreed on, by name: time, games, SPRT bounds.
    pub facts: Vec<[String; 2]>,
    #[serde(rename = "match")]
    pub match_: Option<MatchState>,
    pub csa: Option<CsaState>,
    pub tune: Option<TuneState>,
    pub train: Option<TrainState>,
}

/// A match between two or more engines; figures are those of the first against the others.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct MatchState {
    pub engines: Vec<String>,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs of games by their score: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// With half the width of its 95 % interval.
    pub elo: Option<[f64; 2]>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
    /// Log-likelihood ratio of the sequential test, and its bounds.
    pub llr: Option<f64>,
    pub llr_bounds: Option<[f64; 2]>,
    /// Faults by engine and kind: time, crash, illegal move.
    pub faults: Vec<RunFault>,
    /// Points of the curve: games, Elo, half the width, LLR.
    pub curve: Vec<[f64; 4]>,
    /// The newest games, newest first.
    pub games: Vec<RunGame>,
}

/// Games on a server.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct CsaState {
    /// The name that our client plays under; absent for the games of our own server.
    pub own: Option<String>,
    /// Ourselves first, the others by their points.
    pub players: Vec<CsaPlayer>,
    /// Games without a result.
    pub cut: u64,
    /// The longest way to the server and back, in milliseconds.
    pub longest_lag: Option<f64>,
    pub faults: Vec<RunFault>,
    /// The newest games, newest first.
    pub games: Vec<RunGame>,
}

/// What a player has reached on a server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CsaPlayer {
    pub name: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunFault {
    pub engine: String,
    pub reason: String,
    pub count: u64,
    /// The number of the last such game.
    pub game: u64,
}

/// A game of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct RunGame {
    /// `runs.open` takes it.
    pub number: u64,
    pub black: String,
    pub white: String,
    /// `black`, `white`, `draw`; `none` for a game that was cut.
    pub result: String,
    pub reason: String,
    pub moves: Option<u32>,
    /// Whether its record is there.
    pub record: bool,
}

/// Parameters that are tuned.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TuneState {
    pub parameters: Vec<TunedParameter>,
    /// Iterations with the values of all parameters, thinned out to at most 500.
    pub curve: Vec<TunePoint>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TunedParameter {
    pub name: String,
    pub start: f64,
    pub value: f64,
    pub min: f64,
    pub max: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TunePoint {
    pub iteration: u64,
    pub values: Vec<f64>,
}

/// A network that learns.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct TrainState {
    /// Names of the figures, such as `train_loss`, `validation_loss`, `accuracy`.
    pub names: Vec<String>,
    /// A point per report: the step, and a figure for each name.
    pub curve: Vec<TrainPoint>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrainPoint {
    pub step: u64,
    pub values: Vec<Option<f64>>,
}

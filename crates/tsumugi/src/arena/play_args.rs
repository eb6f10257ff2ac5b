//! Arguments that `match` and `tune` share: engines, openings, rules, workers.

use anyhow::Context;
use arena::openings::{self, Order};
use arena::setup::{self, SetupError};
use arena::{Conditions, ENGINE_WORDS, EngineSpec};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use std::path::PathBuf;

/// Start positions, rules, and the number of parallel games.
#[derive(clap::Args, PartialEq, Debug)]
pub struct PlayArgs {
    /// Lines such as `startpos moves …` or `sfen …`, or a book (.db).
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Cut openings after this many moves; of a book, use the positions after this many moves.
    #[arg(long, value_name = "N", requires = "openings")]
    opening_ply: Option<u32>,
    /// Shuffle the openings.
    #[arg(long, requires = "openings")]
    shuffle: bool,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The declaration rule [default: `CSARule27`].
    #[arg(long, value_name = "NAME")]
    pub rule: Option<String>,
    /// Draw a game after this many moves.
    #[arg(long, value_name = "N")]
    pub max_moves: Option<u32>,
    /// Milliseconds by which a move may exceed its time.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// Seconds that an engine may take to get ready, and to move without a clock.
    #[arg(long, value_name = "S", default_value_t = 60)]
    patience: u64,
    /// Adjudicate a win that both engines have reported for some moves: moves=4 score=1500 [from=MOVE].
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Adjudicate a draw that both engines have reported for some moves: moves=8 score=20 [from=MOVE].
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Number of parallel games.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub concurrency: usize,
    /// Run each game on one of these cores, such as 0-7,9.
    #[arg(long, value_name = "CORES")]
    pin: Option<String>,
}

impl PlayArgs {
    /// The openings in the order of use.
    pub fn openings(&self) -> anyhow::Result<Vec<String>> {
        let Some(path) = &self.openings else { return Ok(vec!["startpos".to_owned()]) };
        let order = if self.shuffle { Order::Shuffled(self.seed) } else { Order::Sequential };
        openings::read(path, self.opening_ply, order).with_context(|| path.display().to_string())
    }

    /// The conditions of all games.
    pub fn conditions(&self) -> Result<Conditions, SetupError> {
        Ok(Conditions {
            margin_ms: self.margin,
            patience_ms: self.patience.saturating_mul(1000),
            adjudication: setup::adjudication(&self.resign, &self.draw)?,
        })
    }

    /// The cores by number.
    pub fn cores(&self) -> Result<Vec<usize>, SetupError> {
        self.pin.as_deref().map_or(Ok(Vec::new()), setup::cores)
    }
}

/// The engines: each `--engine` starts one, and `--each` applies to all.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Engines {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

impl Engines {
    /// The engines with the settings of `--each`, which an engine's own settings override.
    pub fn specs(&self) -> Result<Vec<EngineSpec>, SetupError> {
        setup::engines(&self.each, &self.engines)
    }
}

/// Implemented by hand: the derived parser cannot separate the values of one `--engine` from those of the next.
impl clap::Args for Engines {
    fn augment_args(command: Command) -> Command {
        let words = |name: &'static str, help: String| {
            Arg::new(name)
                .long(name)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_name("KEY=VALUE")
                .help(help)
        };
        command
            .arg(words("engine", format!("An engine that takes part: {ENGINE_WORDS}")))
            .arg(words("each", "What holds for all engines, in the same words".to_owned()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let engines = matches
            .get_occurrences::<String>("engine")
            .map(|all| all.map(|words| words.cloned().collect()).collect())
            .unwrap_or_default();
        let each =
            matches.get_many::<String>("each").map(|words| words.cloned().collect()).unwrap_or_default();
        Ok(Self { engines, each })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

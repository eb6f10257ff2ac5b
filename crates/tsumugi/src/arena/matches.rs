use crate::games::{self, Visitor};
use anyhow::{Context, bail, ensure};
use arena::openings::{self, Order};
use arena::setup::{self, SHOGI, SetupError, VARIANT_PATH};
use arena::tournament::{
    Display, Format, GAMES, MatchConfig, MatchSummary, RecordFormat, RunFolder, run_match as run,
};
use arena::{Conditions, ENGINE_WORDS, EngineSpec, GameFiles};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use shogi::Shogi;
use std::io::{self, Write};
use std::path::PathBuf;
use usi::options::Options;
use usi::{Engine, Games};

/// Let engines play each other.
///
/// Every opening is played twice, with colours reversed. The run is written to a folder; the same command with
/// the same --out, or --resume FOLDER, goes on where it was stopped.
///
///     tsumugi match --engine name=A cmd=./a --engine name=B cmd=./b option.Threads=1
///         --each nodes=10000 --games 400 --concurrency 16 --openings openings.txt
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct MatchArgs {
    #[command(flatten)]
    engines: Engines,
    /// The game that is played; engines learn it by `USI_Variant`, Freeze shogi by `FREEZE`.
    #[arg(long, default_value = SHOGI, value_name = "NAME")]
    variant: String,
    /// A variants.ini with more games; the engines are told by `VariantPath`.
    #[arg(long, value_name = "FILE")]
    variant_path: Option<PathBuf>,
    /// Games of each pairing; an even number.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Who meets whom: everyone everyone, or the first engine all others.
    #[arg(long, value_enum, default_value_t)]
    format: FormatArg,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    /// Stop when a sequential test is decided: elo0= elo1= alpha= beta= model=logistic|normalized.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Which game files are written beside the results [default: kif,csa; kif,usi for other games than shogi].
    #[arg(long, value_enum, value_delimiter = ',')]
    records: Vec<RecordArg>,
    /// The folder of the run [default: the first free match-1, match-2, …].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on with the run of this folder; only --concurrency and --pin are heeded beside it.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["engine", "out"])]
    resume: Option<PathBuf>,
}

/// Where games begin.
#[derive(clap::Args, PartialEq, Debug)]
pub struct OpeningArgs {
    /// Lines such as `startpos moves …` or `sfen …`, or a book (.db).
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Cut openings after so many moves; of a book take the positions after so many moves.
    #[arg(long, value_name = "N", requires = "openings")]
    opening_ply: Option<u32>,
    /// Shuffle the openings.
    #[arg(long, requires = "openings")]
    shuffle: bool,
    /// What all chance depends on.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl OpeningArgs {
    /// The openings in the order in which they are used.
    pub fn read(&self) -> anyhow::Result<Vec<String>> {
        let Some(path) = &self.openings else { return Ok(vec!["startpos".to_owned()]) };
        let order = if self.shuffle { Order::Shuffled(self.seed) } else { Order::Sequential };
        openings::read(path, self.opening_ply, order).with_context(|| path.display().to_string())
    }
}

/// The rules of the table.
#[derive(clap::Args, PartialEq, Debug)]
pub struct TableArgs {
    /// The rule of declaration [default: `CSARule27`].
    #[arg(long, value_name = "NAME")]
    pub rule: Option<String>,
    /// Draw a game after so many moves.
    #[arg(long, value_name = "N")]
    pub max_moves: Option<u32>,
    /// How many milliseconds a move may come too late.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// How many seconds an engine may take to get ready, and to move where no clock runs.
    #[arg(long, value_name = "S", default_value_t = 60)]
    patience: u64,
    /// Give a win both engines have seen for so many moves: moves=4 score=1500 [from=MOVE].
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Give a draw both engines have seen for so many moves: moves=8 score=20 [from=MOVE].
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
}

impl TableArgs {
    /// What all games have in common.
    pub fn conditions(&self) -> Result<Conditions, SetupError> {
        Ok(Conditions {
            margin_ms: self.margin,
            patience_ms: self.patience.saturating_mul(1000),
            adjudication: setup::adjudication(&self.resign, &self.draw)?,
        })
    }
}

/// How many games run in parallel, and where.
#[derive(clap::Args, PartialEq, Debug)]
pub struct WorkerArgs {
    /// Games at a time.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub concurrency: usize,
    /// Keep each game on one of these cores, such as 0-7,9.
    #[arg(long, value_name = "CORES")]
    pin: Option<String>,
}

impl WorkerArgs {
    /// The cores by number.
    pub fn cores(&self) -> Result<Vec<usize>, SetupError> {
        self.pin.as_deref().map_or(Ok(Vec::new()), setup::cores)
    }
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
enum FormatArg {
    #[default]
    RoundRobin,
    Gauntlet,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum RecordArg {
    Kif,
    Csa,
    Usi,
    None,
}

/// The engines: each `--engine` begins one, and `--each` holds for all.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Engines {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

impl Engines {
    /// The engines with what holds for all of them; what an engine says itself goes before.
    pub fn specs(&self) -> Result<Vec<EngineSpec>, SetupError> {
        setup::engines(&self.each, &self.engines)
    }
}

/// By hand, since the derived parser cannot tell where one `--engine` ends and the next begins.
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

impl MatchArgs {
    /// Who takes part.
    #[cfg(test)]
    pub fn engine_names(&self) -> anyhow::Result<Vec<String>> {
        Ok(self.engines.specs()?.into_iter().map(|engine| engine.name).collect())
    }

    fn config(&self) -> anyhow::Result<MatchConfig> {
        let records = self.records.iter().filter_map(|record| match record {
            RecordArg::Kif => Some(RecordFormat::Kif),
            RecordArg::Csa => Some(RecordFormat::Csa),
            RecordArg::Usi => Some(RecordFormat::Usi),
            RecordArg::None => None,
        });
        let sprt = setup::sprt(&self.sprt)?;
        if self.variant != SHOGI && self.records.contains(&RecordArg::Csa) {
            bail!("--records csa: games of {} are written as kif and usi", self.variant);
        }
        let mut engines = self.engines.specs()?;
        setup::choose_variant(&mut engines, &self.variant, self.variant_path.as_deref())?;
        Ok(MatchConfig {
            game: self.variant.clone(),
            engines,
            format: match self.format {
                FormatArg::RoundRobin => Format::RoundRobin,
                FormatArg::Gauntlet => Format::Gauntlet,
            },
            games: self.games,
            declaration: self.table.rule.clone(),
            max_moves: self.table.max_moves,
            conditions: self.table.conditions()?,
            sprt,
            records: if self.records.is_empty() {
                RecordFormat::defaults(&self.variant)
            } else {
                records.collect()
            },
        })
    }
}

/// Plays a match, or goes on with one.
pub fn run_match(args: &MatchArgs) -> anyhow::Result<()> {
    let cores = args.workers.cores()?;
    let (config, openings, mut folder) = match &args.resume {
        Some(path) => RunFolder::resume(path, GAMES)?,
        None => begin(args)?,
    };
    ensure!(!openings.is_empty(), "the run has no openings");
    if openings.len() == 1 && config.games > 2 && args.resume.is_none() {
        let _ = writeln!(io::stderr(), "warning: all games begin alike; --openings FILE gives them variety");
    }
    let table =
        Table { config: &config, openings: &openings, folder: &mut folder, workers: &args.workers, cores };
    let summary = if config.game == SHOGI {
        table.play(&Shogi::default())?
    } else {
        let options = config.engines.iter().flat_map(|engine| &engine.options);
        let path = options.clone().find(|(name, _)| name == VARIANT_PATH).map(|(_, path)| path.as_str());
        let games = games::with_file(path)?;
        games.visit(&config.game, table).unwrap_or_else(|_| {
            bail!("unknown variant '{}'; expected one of {}", config.game, games.names().join(" "))
        })?
    };
    let mut out = io::stdout().lock();
    if let MatchSummary::Decided(decision) = summary {
        writeln!(out, "the test is decided: {decision}")?;
    }
    writeln!(out, "results: {}", folder.path().display())?;
    Ok(())
}

/// A match that is ready to begin.
struct Table<'a> {
    config: &'a MatchConfig,
    openings: &'a [String],
    folder: &'a mut RunFolder,
    workers: &'a WorkerArgs,
    cores: Vec<usize>,
}

impl Table<'_> {
    fn play(self, game: &impl GameFiles) -> anyhow::Result<MatchSummary> {
        let Self { config, openings, folder, workers, cores } = self;
        let mut display = Display::stdout();
        Ok(run(game, config, openings, folder, workers.concurrency, cores, &mut display)?)
    }
}

impl Visitor for Table<'_> {
    type Output = anyhow::Result<MatchSummary>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> Self::Output {
        self.play(&game)
    }
}

fn begin(args: &MatchArgs) -> anyhow::Result<(MatchConfig, Vec<String>, RunFolder)> {
    let config = args.config()?;
    config.check().map_err(anyhow::Error::msg)?;
    let mut openings = args.openings.read()?;
    // Only those that will be played are kept with the run.
    openings.truncate(usize::try_from(config.games / 2).unwrap_or(usize::MAX));
    let path = args.out.clone().unwrap_or_else(|| RunFolder::free_path("match"));
    let folder = RunFolder::create_or_resume(&path, GAMES, &config, &openings)?;
    Ok((config, openings, folder))
}

use super::play_args::{Engines, PlayArgs};
use crate::games::{self, Visitor};
use crate::terminal::{print, warn};
use crate::words::{Words, one_of};
use arena::GameFiles;
use arena::setup::{self, SHOGI, VARIANT_PATH};
use arena::tournament::{
    Display, Format, GAMES, MatchConfig, MatchError, MatchSummary, RecordFormat, RunFolder, run_match as run,
};
use std::path::PathBuf;
use usi::Engine;
use usi::options::Options;

/// Play matches between engines.
///
/// Every opening is played twice, with colours reversed. The run is kept in a folder; the same command with the same
/// --out, or --resume FOLDER, continues it.
///
///     tsumugi match --engine name=A cmd=./a --engine name=B cmd=./b option.Threads=1
///         --each nodes=10000 --games 400 --concurrency 16 --openings openings.txt
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct MatchArgs {
    #[command(flatten)]
    engines: Engines,
    /// The game to play; engines get `USI_Variant`, for Freeze shogi `FREEZE`.
    #[arg(long, default_value = SHOGI, value_name = "NAME")]
    variant: String,
    /// A variants.ini with more games, which engines get as `VariantPath`.
    #[arg(long, value_name = "FILE")]
    variant_path: Option<PathBuf>,
    /// Games of each pairing; an even number.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Pairings: every engine against every other, or the first against all others.
    #[arg(long, value_parser = one_of(FORMATS), default_value = "round-robin")]
    format: Format,
    #[command(flatten)]
    play: PlayArgs,
    /// Stop when a sequential test is decided: elo0= elo1= alpha= beta= model=logistic|normalized.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Formats of game files to write besides the results [default: kif,csa; kif,usi for games other than shogi].
    #[arg(long, value_parser = one_of(RECORDS), value_delimiter = ',')]
    records: Vec<Option<RecordFormat>>,
    /// The folder of the run [default: the first free match-1, match-2, …].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Continue the run in this folder; only --concurrency and --pin may be changed.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["engine", "out"])]
    resume: Option<PathBuf>,
}

/// The pairings.
const FORMATS: &Words<Format> =
    &[("round-robin", "", Format::RoundRobin), ("gauntlet", "", Format::Gauntlet)];

/// The formats of game files.
const RECORDS: &Words<Option<RecordFormat>> = &[
    ("kif", "", Some(RecordFormat::Kif)),
    ("csa", "", Some(RecordFormat::Csa)),
    ("usi", "", Some(RecordFormat::Usi)),
    ("none", "", None),
];

impl MatchArgs {
    /// The names of the engines.
    #[cfg(test)]
    pub fn engine_names(&self) -> anyhow::Result<Vec<String>> {
        Ok(self.engines.specs()?.into_iter().map(|engine| engine.name).collect())
    }

    fn config(&self) -> anyhow::Result<MatchConfig> {
        let sprt = setup::sprt(&self.sprt)?;
        let mut engines = self.engines.specs()?;
        setup::choose_variant(&mut engines, &self.variant, self.variant_path.as_deref())?;
        let config = MatchConfig {
            game: self.variant.clone(),
            engines,
            format: self.format,
            games: self.games,
            declaration: self.play.rule.clone(),
            max_moves: self.play.max_moves,
            conditions: self.play.conditions()?,
            sprt,
            records: match self.records[..] {
                [] => RecordFormat::defaults(&self.variant),
                _ => self.records.iter().copied().flatten().collect(),
            },
        };
        config.check().map_err(anyhow::Error::msg)?;
        Ok(config)
    }

    fn begin(&self) -> anyhow::Result<(MatchConfig, Vec<String>, RunFolder)> {
        let config = self.config()?;
        let mut openings = self.play.openings()?;
        // Only the openings that are needed are kept with the run.
        openings.truncate(usize::try_from(config.games / 2).unwrap_or(usize::MAX));
        let run = RunFolder::begin(self.out.as_deref(), "match", GAMES, config, openings)?;
        if run.1.len() == 1 && run.0.games > 2 {
            warn("warning: all games begin alike; --openings FILE gives them variety");
        }
        Ok(run)
    }
}

/// Plays a match, or continues one.
pub fn run_match(args: &MatchArgs) -> anyhow::Result<()> {
    let cores = args.play.cores()?;
    let (config, openings, mut folder) = match &args.resume {
        Some(path) => RunFolder::resume(path, GAMES)?,
        None => args.begin()?,
    };
    let mut options = config.engines.iter().flat_map(|engine| &engine.options);
    let path = options.find(|(name, _)| name == VARIANT_PATH && config.game != SHOGI);
    let path = path.map(|(_, path)| path.as_str());
    let concurrency = args.play.concurrency;
    let table = Table { config: &config, openings: &openings, folder: &mut folder, concurrency, cores };
    let summary = games::visit(&games::with_file(path)?, &config.game, table)??;
    if let MatchSummary::Decided(decision) = summary {
        print(format_args!("the test is decided: {decision}"))?;
    }
    Ok(print(format_args!("results: {}", folder.path().display()))?)
}

/// A match that is ready to start.
struct Table<'a> {
    config: &'a MatchConfig,
    openings: &'a [String],
    folder: &'a mut RunFolder,
    concurrency: usize,
    cores: Vec<usize>,
}

impl Visitor for Table<'_> {
    type Output = Result<MatchSummary, MatchError>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> Self::Output {
        let Self { config, openings, folder, concurrency, cores } = self;
        run(&game, config, openings, folder, concurrency, cores, &mut Display::stdout())
    }
}

//! From files to the folder with the results.

use crate::assess::{Assessed, assess};
use crate::effort::Effort;
use crate::games::{Game, Games};
use crate::known::{Entry, Found, Known};
use crate::output::Outputs;
use crate::pool::{Pool, Task};
use crate::report::{self, Run};
use crate::stages::Rulebook;
use crate::thinker::ThinkError;
use arena::EngineSpec;
use arena::setup::SetupError;
use arena::tournament::{FolderError, RunFolder};
use engines::Catalogue;
use platform::{FileError, atomic_file};
use record::Format;
use record::convert::Input;
use record::notation::{Notation, NotationError};
use std::collections::HashSet;
use std::path::PathBuf;

/// The journal, which is the cache of later runs.
pub(crate) const JOURNAL: &str = "positions.jsonl";
/// For programs.
pub(crate) const JSON: &str = "analysis.json";
/// For people.
const HTML: &str = "report.html";

/// What is to be analysed, by whom, and where the results go.
pub struct Job<'a> {
    /// Files, folders, patterns, archives.
    pub inputs: Vec<Input>,
    /// The folder for the results.
    pub out: PathBuf,
    /// How records are read.
    pub notation: &'a dyn Notation,
    /// All games.
    pub catalogue: &'a Catalogue,
    /// The engine that finds the lines of play.
    pub engine: EngineSpec,
    /// The one that proves mates, where that is another one.
    pub mate_engine: Option<EngineSpec>,
    /// Options for engines that have them and are not given another value.
    pub preferences: Vec<(String, String)>,
    /// A file with more games.
    pub variant_path: Option<PathBuf>,
    /// How much is thought about each position.
    pub effort: Effort,
    /// Positions at a time, each by an engine of its own.
    pub jobs: usize,
    /// The formats of annotated records; without any, that of the input, or KIF where it has no comments.
    pub formats: Vec<Format>,
}

/// Hears how far a run has come.
pub trait Progress: Sync {
    /// There are so many positions to think about, and so many that are known already.
    fn total(&self, positions: usize, known: usize);
    /// One more is done.
    fn advance(&self);
    /// Something that the user should know.
    fn warn(&self, message: &str);
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games that were analysed.
    pub games: usize,
    /// Their positions.
    pub positions: usize,
    /// Inputs that are no games.
    pub unreadable: usize,
    /// Positions that no engine could be brought to analyse.
    pub failed: usize,
    /// What was written.
    pub files: Vec<PathBuf>,
}

/// Why nothing came of it.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is nothing to analyse.
    #[error("no game to analyse: the inputs hold none that can be read")]
    NoGame,
    /// The folder for the results.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// An annotated record would replace its source, or a file that this command has not written.
    #[error("{0}: not replaced, it is not of an earlier analysis; choose another -o")]
    Exists(PathBuf),
    /// The engine.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// The game's options for the engine.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A record that cannot be written in this format.
    #[error("{0}: {1}")]
    Write(String, NotationError),
    /// Results that are no JSON: a fault of this program.
    #[error("{JSON}: {0}")]
    Json(#[from] serde_json::Error),
}

/// Analyses games, writes the results, and says what came of it.
pub fn run(job: &Job<'_>, progress: &dyn Progress) -> Result<Summary, RunError> {
    let rules = Rulebook(job.catalogue);
    let mut read = Games::read(&job.inputs, &job.out, job.notation, &rules);
    read.warnings.iter().for_each(|warning| progress.warn(warning));
    read.unreadable.iter().for_each(|fault| progress.warn(&fault.to_string()));
    if read.games.is_empty() {
        return Err(RunError::NoGame);
    }
    let outputs = Outputs::plan(job, &read.games)?;
    let mut folder = RunFolder::open(&job.out, JOURNAL)?;
    let mut known = Known::default();
    folder.replay::<Entry>()?.into_iter().for_each(|entry| known.add(entry));
    let mut pool = Pool::new(job, folder, known, progress);
    for variant in read.games.iter().map(|game| game.variant().to_owned()).collect::<HashSet<_>>() {
        pool.begin(&variant)?;
    }
    let failed = pool.think(&tasks(&read.games))?;
    let assessed: Vec<Assessed> =
        read.games.iter().map(|game| assess(game, &found(game, &pool), &rules)).collect();
    let names = pool.engine_names();
    let run = Run { engine: names.join(", "), effort: job.effort, games: &assessed };
    let mut files = vec![job.out.join(HTML), job.out.join(JSON)];
    let pictures = |game: &Assessed| rules.pictures(&game.variant, &game.usi).unwrap_or_default();
    atomic_file::write(&files[0], report::html(&run, pictures)?.as_bytes())?;
    atomic_file::write(&files[1], report::json(&run)?.as_bytes())?;
    files.extend(outputs.write(&mut read.games, &assessed, &run.engine)?);
    let positions = read.games.iter().map(|game| game.stages.len()).sum();
    let (games, unreadable) = (read.games.len(), read.unreadable.len());
    Ok(Summary { games, positions, unreadable, failed, files })
}

/// The positions of all games that go on, each once, in the order of the games.
fn tasks(games: &[Game]) -> Vec<Task> {
    let mut seen = HashSet::new();
    let tasks = games.iter().flat_map(|game| {
        let open = game.stages.iter().filter(|stage| stage.outcome.is_none());
        open.map(|stage| (game.variant().to_owned(), stage.command.clone()))
    });
    tasks.filter(|task| seen.insert(task.clone())).collect()
}

/// What is known of the positions of a game.
fn found(game: &Game, pool: &Pool<'_>) -> Vec<Found> {
    let known = |stage: &crate::Stage| match stage.outcome {
        None => pool.found(&(game.variant().to_owned(), stage.command.clone())),
        Some(_) => Found::default(),
    };
    game.stages.iter().map(known).collect()
}

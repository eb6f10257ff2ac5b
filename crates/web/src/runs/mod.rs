//! Folders of matches, games on servers, tuning and training: found, read, and followed while they grow. Nothing is written.

mod game_list;
mod journal;
mod matches;
mod progress;
mod server_games;
mod training;
mod tuning;

use crate::app_state::AppState;
use crate::board::lock;
use crate::paths;
use crate::protocol::{self, Event, Refusal, RefusalCode, RunEntry, RunGame, RunGames, RunState};
use crate::tab::{Frame, Tab, TabId};
use matches::Match;
use progress::Progress;
use server_games::ServerGames;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use training::Training;
use tuning::Tuning;

/// How often runs that are watched are read.
const EVERY: Duration = Duration::from_millis(500);
/// A run whose files changed within this time is live.
const LIVE: Duration = Duration::from_mins(1);
/// Folders are not searched deeper than this.
const MOST_DEPTH: usize = 3;
/// No more runs are listed.
const MOST_RUNS: usize = 500;

/// A run of some kind, as far as it has been read.
enum Followed {
    Match(Box<Match>),
    Server(Box<ServerGames>),
    Tuning(Box<Tuning>),
    Training(Training),
}

/// A run that tabs watch.
struct Watched {
    followed: Followed,
    tabs: HashMap<TabId, Arc<Tab>>,
    /// What the tabs know.
    reported: u64,
}

/// The runs of a folder.
pub struct Runs {
    folder: Option<PathBuf>,
    watched: Mutex<HashMap<String, Arc<Mutex<Watched>>>>,
    progress: Mutex<Progress>,
}

/// What kind of run a folder holds.
fn kind_of(folder: &Path) -> Option<&'static str> {
    let has = |name: &str| folder.join(name).is_file();
    if has("config.json") && has(arena::tournament::GAMES) {
        let config: Option<serde_json::Value> = arena::tournament::RunFolder::config(folder).ok();
        // Matches name their engines; what else has games was played on a server.
        let is_match = config.is_some_and(|config| config["engines"].is_array());
        Some(if is_match { "match" } else { "csa" })
    } else if has("config.json") && has(arena::tournament::ITERATIONS) {
        Some("tune")
    } else if has("experiment.json") {
        Some("train")
    } else {
        None
    }
}

impl Followed {
    fn open(path: &Path) -> Result<Self, Refusal> {
        match kind_of(path) {
            Some("match") => Ok(Self::Match(Box::new(Match::open(path)?))),
            Some("csa") => Ok(Self::Server(Box::new(ServerGames::open(path)?))),
            Some("tune") => Ok(Self::Tuning(Box::new(Tuning::open(path)?))),
            Some(_) => Ok(Self::Training(Training::open(path))),
            None => Err(Refusal::new(RefusalCode::Unknown, "no run in this folder")),
        }
    }

    /// Reads what is new; says how much has been read in all.
    fn read(&mut self) -> Result<u64, Refusal> {
        match self {
            Self::Match(run) => run.read(),
            Self::Server(run) => run.read(),
            Self::Tuning(run) => run.read(),
            Self::Training(run) => run.read(),
        }
    }

    fn state(&self, entry: RunEntry) -> RunState {
        let mut state =
            RunState { entry, facts: Vec::new(), match_: None, csa: None, tune: None, train: None };
        match self {
            Self::Match(run) => {
                (state.facts, state.match_) = (run.facts(), Some(run.state()));
                (state.entry.done, state.entry.total) = (run.games_played(), run.games_wanted());
            }
            Self::Server(run) => {
                (state.facts, state.csa) = (run.facts(), Some(run.state()));
                (state.entry.done, state.entry.total) = (run.games_played(), None);
            }
            Self::Tuning(run) => {
                (state.facts, state.tune) = (run.facts(), Some(run.state()));
                (state.entry.done, state.entry.total) = (run.iterations(), Some(run.iterations_wanted()));
            }
            Self::Training(run) => {
                (state.facts, state.train) = (run.facts(), Some(run.state()));
                (state.entry.done, state.entry.total) = (run.steps(), None);
            }
        }
        state
    }

    /// Some of the newest games, newest first.
    fn newest(&self, skip: usize, count: usize) -> Vec<RunGame> {
        match self {
            Self::Match(run) => run.newest(skip, count),
            Self::Server(run) => run.newest(skip, count),
            Self::Tuning(_) | Self::Training(_) => Vec::new(),
        }
    }

    /// A game as text that every board reads, and the game that it is of.
    fn record(&self, number: u64) -> Result<(String, String), Refusal> {
        match self {
            Self::Match(run) => run.record(number),
            Self::Server(run) => Ok((run.record(number)?, "shogi".to_owned())),
            Self::Tuning(_) | Self::Training(_) => {
                Err(Refusal::new(RefusalCode::Unsupported, "this run keeps no games"))
            }
        }
    }
}

/// A refusal for a file that cannot be read.
fn failed(path: &Path, error: impl std::fmt::Display) -> Refusal {
    Refusal::new(RefusalCode::File, format!("{}: {error}", path.display()))
}

/// A run for the list, without its figures.
fn entry(path: &Path, name: &str, kind: &str) -> RunEntry {
    let journal = match kind {
        "match" | "csa" => arena::tournament::GAMES,
        "tune" => arena::tournament::ITERATIONS,
        _ => "experiment.json",
    };
    let changed =
        std::fs::metadata(path.join(journal)).and_then(|data| data.modified()).unwrap_or(UNIX_EPOCH);
    let live = SystemTime::now().duration_since(changed).is_ok_and(|age| age < LIVE);
    RunEntry {
        run: name.to_owned(),
        kind: kind.to_owned(),
        title: name.rsplit('/').next().unwrap_or(name).to_owned(),
        done: 0,
        total: None,
        live,
        changed: changed.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64),
    }
}

impl Runs {
    /// The runs of a folder, if there is one.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, watched: Mutex::default(), progress: Mutex::default() }
    }

    /// Whether there is a folder.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.folder.is_some()
    }

    fn folder(&self) -> Result<&Path, Refusal> {
        let folder = self.folder.as_deref();
        folder.ok_or_else(|| {
            Refusal::new(RefusalCode::Unsupported, "no folder of runs: start the server with --runs DIR")
                .ja("計測のフォルダがありません。`tsumugi web --runs DIR` で起動してください。")
        })
    }

    /// All runs, the newest first.
    pub fn list(&self) -> Result<protocol::Runs, Refusal> {
        let mut runs = Vec::new();
        let folder = self.folder()?;
        if let Some(kind) = kind_of(folder) {
            runs.push(entry(folder, ".", kind));
        }
        collect(folder, "", MOST_DEPTH, &mut runs);
        let mut progress = lock(&self.progress);
        for run in &mut runs {
            if let Ok(path) = self.path(&run.run) {
                (run.done, run.total) = progress.of(&path, &run.kind);
            }
        }
        runs.sort_by_key(|run| std::cmp::Reverse(run.changed));
        Ok(protocol::Runs { runs })
    }

    fn path(&self, name: &str) -> Result<PathBuf, Refusal> {
        let folder = self.folder()?;
        if name == "." { Ok(folder.to_owned()) } else { paths::below(folder, name) }
    }

    /// What is known of a run; the tab hears when it grows.
    pub fn watch(&self, app: &AppState, tab: &Arc<Tab>, name: &str) -> Result<RunState, Refusal> {
        let path = self.path(name)?;
        let known = lock(&self.watched).get(name).cloned();
        let watched = if let Some(watched) = known {
            watched
        } else {
            let followed = Followed::open(&path)?;
            let new = Arc::new(Mutex::new(Watched { followed, tabs: HashMap::new(), reported: 0 }));
            lock(&self.watched).entry(name.to_owned()).or_insert(new).clone()
        };
        let mut watched = lock(&watched);
        watched.reported = watched.followed.read()?;
        watched.tabs.insert(tab.id, tab.clone());
        // The tab may have gone while the file was read.
        if !app.has(tab.id) {
            watched.tabs.remove(&tab.id);
        }
        Ok(watched.followed.state(entry(&path, name, kind_of(&path).unwrap_or_default())))
    }

    /// A tab has seen enough of a run.
    pub fn unwatch(&self, tab: TabId, name: &str) {
        let mut all = lock(&self.watched);
        let unused = all.get(name).is_some_and(|watched| {
            let mut watched = lock(watched);
            watched.tabs.remove(&tab);
            watched.tabs.is_empty()
        });
        if unused {
            all.remove(name);
        }
    }

    /// A tab goes.
    pub fn unwatch_all(&self, tab: TabId) {
        let names: Vec<String> = lock(&self.watched).keys().cloned().collect();
        for name in &names {
            self.unwatch(tab, name);
        }
    }

    /// Does something with a run that has been read: the one that tabs watch, or else a new one.
    fn with<T>(&self, name: &str, work: impl FnOnce(&Followed) -> T) -> Result<T, Refusal> {
        let known = lock(&self.watched).get(name).cloned();
        if let Some(watched) = known {
            return Ok(work(&lock(&watched).followed));
        }
        let mut followed = Followed::open(&self.path(name)?)?;
        followed.read()?;
        Ok(work(&followed))
    }

    /// The newest games of a run.
    pub fn games(&self, name: &str, skip: u64, count: u64) -> Result<RunGames, Refusal> {
        let games = self.with(name, |run| run.newest(skip as usize, count.min(200) as usize))?;
        Ok(RunGames { games })
    }

    /// A game of a run as text that every board reads, and the game that it is of.
    pub fn record(&self, name: &str, number: u64) -> Result<(String, String), Refusal> {
        self.with(name, |run| run.record(number))?
    }

    /// Reads the runs that are watched as long as the server lives.
    pub fn follow(app: &Arc<AppState>) {
        let app: Weak<AppState> = Arc::downgrade(app);
        let thread = std::thread::Builder::new().name("runs".to_owned());
        // Without the thread runs are read when a page asks.
        let _ = thread.spawn(move || {
            while let Some(app) = app.upgrade() {
                app.runs.tell_news();
                drop(app);
                std::thread::sleep(EVERY);
            }
        });
    }

    fn tell_news(&self) {
        let all: Vec<(String, Arc<Mutex<Watched>>)> =
            lock(&self.watched).iter().map(|(name, watched)| (name.clone(), watched.clone())).collect();
        for (name, watched) in all {
            let mut watched = lock(&watched);
            let Ok(path) = self.path(&name) else { continue };
            // A file that is just being replaced is read the next time.
            let Ok(read) = watched.followed.read() else { continue };
            if read == watched.reported {
                continue;
            }
            watched.reported = read;
            let state = watched.followed.state(entry(&path, &name, kind_of(&path).unwrap_or_default()));
            let frame = Frame::of(&Event::Run(Box::new(state)));
            watched.tabs.values().for_each(|tab| tab.push(frame.clone()));
        }
    }
}

fn collect(folder: &Path, prefix: &str, depth: usize, runs: &mut Vec<RunEntry>) {
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (Ok(name), Ok(kind)) = (file.file_name().into_string(), file.file_type()) else { continue };
        if !kind.is_dir() || runs.len() >= MOST_RUNS {
            continue;
        }
        let name = format!("{prefix}{name}");
        match kind_of(&file.path()) {
            Some(kind) => runs.push(entry(&file.path(), &name, kind)),
            None if depth > 1 => collect(&file.path(), &format!("{name}/"), depth - 1, runs),
            None => {}
        }
    }
}

//! Everything that a server has: games, boards, engines, books, runs, settings, tabs.

use crate::board::{Boards, lock};
use crate::book::Books;
use crate::engine::{Analyses, Pool};
use crate::explorer::Explorer;
use crate::games::Games;
use crate::mining::MiningJobs;
use crate::play::OngoingGames;
use crate::protocol::{About, Event, Refusal, RefusalCode, Settings as PageSettings};
use crate::runs::Runs;
use crate::server::Settings;
use crate::tab::{Frame, Tab, TabId};
use crate::tsume::Tsume;
use engines::Catalogue;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Requests of a tab that may be open at the same time.
const MOST_OPEN: u32 = 64;
/// Settings of pages have at most so many bytes.
const MOST_SETTINGS: usize = 64 << 10;

/// A tab that is connected.
struct Connected {
    tab: Arc<Tab>,
    /// Requests that take long and are not answered yet.
    long: u32,
}

/// All that requests work on.
pub struct AppState {
    /// All games.
    pub games: Games,
    /// All boards.
    pub boards: Boards,
    /// Engines that analyse.
    pub analyses: Arc<Analyses>,
    /// Games in progress.
    pub ongoing: Arc<OngoingGames>,
    /// Books.
    pub books: Books,
    /// Libraries of games.
    pub explorer: Explorer,
    /// Books that grow.
    pub minings: MiningJobs,
    /// Searches for mate.
    pub tsume: Tsume,
    /// Folders of runs.
    pub runs: Runs,
    /// Engines.
    pub pool: Arc<Pool>,
    tabs: Mutex<HashMap<TabId, Connected>>,
    page_settings: Mutex<PageSettings>,
    data: PathBuf,
    version: String,
}

impl AppState {
    /// Reads what is kept and gets ready.
    #[must_use]
    pub fn new(settings: Settings) -> Arc<Self> {
        let games = Games::new(&Catalogue::default());
        let boards = Boards::load(&settings.data, &games);
        let pool = Pool::new(settings.own_engine, settings.others, settings.engines);
        let kept = std::fs::read(settings.data.join("settings.json")).ok();
        let page_settings = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let app = Arc::new(Self {
            games,
            boards,
            analyses: Analyses::new(pool.clone()),
            ongoing: OngoingGames::new(pool.clone()),
            books: Books::new(settings.books),
            explorer: Explorer::new(settings.libraries),
            minings: MiningJobs::default(),
            tsume: Tsume::default(),
            runs: Runs::new(settings.runs),
            pool,
            tabs: Mutex::default(),
            page_settings: Mutex::new(page_settings),
            data: settings.data,
            version: settings.version,
        });
        Runs::follow(&app);
        app
    }

    /// The version that pages show.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the server has to offer.
    #[must_use]
    pub fn about(&self) -> About {
        About {
            version: self.version.clone(),
            games: self.games.all().map(|game| game.rules().game.clone()).collect(),
            engines: self.pool.names(),
            engines_at_once: self.pool.most(),
            levels: crate::play::LEVELS,
            books: self.books.is_there(),
            runs: self.runs.is_there(),
        }
    }

    /// A tab comes.
    pub fn enter(&self, tab: &Arc<Tab>) {
        lock(&self.tabs).insert(tab.id, Connected { tab: tab.clone(), long: 0 });
    }

    /// A tab goes.
    pub fn leave(&self, tab: &Tab) {
        lock(&self.tabs).remove(&tab.id);
        self.boards.unsubscribe(tab.id);
        self.runs.unwatch_all(tab.id);
    }

    /// How many tabs are connected.
    #[cfg(test)]
    #[must_use]
    pub fn tabs(&self) -> usize {
        lock(&self.tabs).len()
    }

    /// Whether a tab is connected.
    #[must_use]
    pub fn has(&self, tab: TabId) -> bool {
        lock(&self.tabs).contains_key(&tab)
    }

    /// Counts a request that takes long; `false` if there are too many.
    pub fn begin_long(&self, tab: TabId) -> bool {
        let mut tabs = lock(&self.tabs);
        let Some(connected) = tabs.get_mut(&tab) else { return false };
        if connected.long >= MOST_OPEN {
            return false;
        }
        connected.long += 1;
        true
    }

    /// It is answered.
    pub fn end_long(&self, tab: TabId) {
        if let Some(connected) = lock(&self.tabs).get_mut(&tab) {
            connected.long -= 1;
        }
    }

    /// Tells all tabs.
    pub fn tell_all(&self, event: &Event) {
        let frame = Frame::of(event);
        lock(&self.tabs).values().for_each(|connected| connected.tab.push(frame.clone()));
    }

    /// Reads or changes the settings of pages.
    pub fn settings(
        &self,
        set: Option<serde_json::Map<String, serde_json::Value>>,
    ) -> Result<PageSettings, Refusal> {
        let mut settings = lock(&self.page_settings);
        let Some(set) = set else { return Ok(settings.clone()) };
        let mut next = settings.clone();
        for (name, value) in set {
            match value {
                serde_json::Value::Null => drop(next.settings.remove(&name)),
                serde_json::Value::Array(_) | serde_json::Value::Object(_) => {
                    return Err(Refusal::new(
                        RefusalCode::Message,
                        format!("setting `{name}`: a text, a number, true or false"),
                    ));
                }
                value => drop(next.settings.insert(name, value)),
            }
        }
        let bytes = serde_json::to_vec(&next).unwrap_or_default();
        if bytes.len() > MOST_SETTINGS {
            return Err(Refusal::new(
                RefusalCode::TooMuch,
                format!("settings: more than {MOST_SETTINGS} bytes"),
            ));
        }
        platform::atomic_file::write(&self.data.join("settings.json"), &bytes)
            .map_err(|error| Refusal::new(RefusalCode::File, error.to_string()))?;
        *settings = next;
        Ok(settings.clone())
    }

    /// Writes the boards that changed.
    pub fn save(&self) {
        for error in self.boards.save() {
            eprintln!("boards are not saved: {error}");
        }
        self.analyses.stop_unwatched();
        self.pool.tidy();
    }

    /// Ends games whose time is up.
    pub fn check_clocks(&self) {
        for board in self.boards.all() {
            // A board that is busy is looked at the next time.
            let due = board.try_lock().is_ok_and(|board| {
                board.game.as_ref().is_some_and(|game| !game.over && game.is_out_of_time())
            });
            if due {
                self.ongoing.check_clock(&board);
            }
        }
    }

    /// Saves everything and stops all engines.
    pub fn close(&self) {
        self.analyses.close();
        self.minings.close();
        self.tsume.close();
        self.pool.close();
        self.tell_all(&Event::Goodbye);
        self.save();
    }
}

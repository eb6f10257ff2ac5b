//! The engines that may run at the same time, and those that wait for work.

use super::OWN;
use super::starter::Starter;
use crate::board::lock;
use crate::protocol::{EngineName, Refusal, RefusalCode};
use arena::setup::choose_variant;
use arena::{EngineSpec, Session};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// An engine without work ends after this time.
const IDLE: Duration = Duration::from_mins(10);
/// How long an engine may take to get ready.
const PATIENCE: Duration = Duration::from_mins(1);
/// The memory of one table, in megabytes.
const HASH: usize = 256;

/// An engine that waits for work.
struct Waiting {
    engine: String,
    game: String,
    session: Session,
    since: Instant,
}

#[derive(Default)]
struct State {
    thinking: u32,
    waiting: Vec<Waiting>,
    closed: bool,
}

/// All engines of a server.
pub struct Pool {
    own: EngineSpec,
    others: Vec<EngineSpec>,
    most: u32,
    threads: usize,
    starter: Starter,
    state: Mutex<State>,
}

/// The right to let one engine think; given back when dropped.
pub struct Seat {
    pool: Arc<Pool>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        lock(&self.pool.state).thinking -= 1;
    }
}

impl Pool {
    /// A pool in which so many engines think at the same time.
    #[must_use]
    pub fn new(own: EngineSpec, others: Vec<EngineSpec>, most: u32) -> Arc<Self> {
        let most = most.max(1);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (cores / most as usize).max(1);
        Arc::new(Self { own, others, most, threads, starter: Starter::new(), state: Mutex::default() })
    }

    /// How many may think at the same time.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.most
    }

    /// The names of all engines, ours first.
    #[must_use]
    pub fn names(&self) -> Vec<EngineName> {
        let own = EngineName {
            engine: OWN.to_owned(),
            name: self.own.name.clone(),
            games: Vec::new(),
            levels: true,
        };
        let others = self.others.iter().map(|spec| EngineName {
            engine: spec.name.clone(),
            name: spec.name.clone(),
            games: vec!["shogi".to_owned()],
            levels: false,
        });
        std::iter::once(own).chain(others).collect()
    }

    fn spec(&self, engine: &str, game: &str) -> Result<EngineSpec, Refusal> {
        if engine == OWN {
            let mut specs = [self.own.clone()];
            // As for matches: in Freeze shogi both sides have agreed on FREEZE.
            choose_variant(&mut specs, game, None)
                .map_err(|error| Refusal::new(RefusalCode::Engine, error.to_string()))?;
            let [mut spec] = specs;
            spec.set_option("Threads", &self.threads.to_string());
            spec.set_option("USI_Hash", &HASH.to_string());
            return Ok(spec);
        }
        let known = self.others.iter().find(|spec| spec.name == engine);
        let spec = known.ok_or_else(|| {
            let shown: String = engine.chars().take(40).collect();
            Refusal::new(
                RefusalCode::Unknown,
                format!("no engine `{shown}`: name it with --engine when the server starts"),
            )
        })?;
        if game != "shogi" {
            let text = format!("{engine}: plays shogi only, this board is {game}");
            return Err(
                Refusal::new(RefusalCode::Unsupported, text).ja(format!("{engine} は本将棋だけを指します。"))
            );
        }
        Ok(spec.clone())
    }

    /// Refuses an engine that does not exist or does not play the game.
    pub fn check(&self, engine: &str, game: &str) -> Result<(), Refusal> {
        self.spec(engine, game).map(|_| ())
    }

    /// Takes a seat, if one is free.
    pub fn seat(self: &Arc<Self>) -> Result<Seat, Refusal> {
        let mut state = lock(&self.state);
        if state.closed || state.thinking >= self.most {
            let text = format!(
                "{} engines are thinking: stop one, or start the server with more --engines",
                self.most
            );
            let ja = format!("エンジンが {} つ動いています。どれかを止めてください。", self.most);
            return Err(Refusal::new(RefusalCode::State, text).ja(ja));
        }
        state.thinking += 1;
        Ok(Seat { pool: self.clone() })
    }

    /// An engine that is ready for a game: one that waits, or a new one.
    pub fn take(&self, engine: &str, game: &str) -> Result<Session, Refusal> {
        let spec = self.spec(engine, game)?;
        let mut state = lock(&self.state);
        let place = state.waiting.iter().position(|waiting| waiting.engine == engine && waiting.game == game);
        let known = place.map(|place| state.waiting.swap_remove(place).session);
        drop(state);
        // One that ended while it waited is replaced.
        if let Some(mut session) = known
            && session.new_game().is_ok()
        {
            return Ok(session);
        }
        let failed = |error: String| Refusal::new(RefusalCode::Engine, format!("{engine}: {error}"));
        let mut session = self.starter.start(spec, PATIENCE).map_err(failed)?;
        session.new_game().map_err(|error| failed(error.to_string()))?;
        Ok(session)
    }

    /// Gives an engine back that is ready for more.
    pub fn give_back(&self, engine: &str, game: &str, session: Session) {
        let mut state = lock(&self.state);
        if state.closed || state.waiting.len() >= self.most as usize {
            drop(state);
            session.quit();
            return;
        }
        state.waiting.push(Waiting {
            engine: engine.to_owned(),
            game: game.to_owned(),
            session,
            since: Instant::now(),
        });
    }

    /// Ends engines that have waited too long.
    pub fn tidy(&self) {
        let mut old = Vec::new();
        let mut state = lock(&self.state);
        while let Some(place) = state.waiting.iter().position(|waiting| waiting.since.elapsed() > IDLE) {
            old.push(state.waiting.swap_remove(place));
        }
        drop(state);
        for waiting in old {
            waiting.session.quit();
        }
    }

    /// Ends all engines that wait, and takes none back.
    pub fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        // Dropping a session ends its process.
        state.waiting.clear();
    }
}

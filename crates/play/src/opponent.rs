//! An engine that plays, thinking on a thread of its own so that the screen stays alive.

use arena::{Answer, EngineSpec, SearchInfo, Session};
use platform::process::Heard;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};
use usi::Rank;

/// How long an engine may take to get ready.
const START: Duration = Duration::from_mins(2);
/// An engine that says nothing for so long beyond its time is given up.
const SILENCE: Duration = Duration::from_mins(10);
/// A move is asked for so often, each time from a fresh process.
const TRIES: usize = 2;

/// An engine that plays.
pub struct Opponent {
    spec: EngineSpec,
    /// The level that was chosen, in the words of the option that takes it.
    level: Option<String>,
    session: Option<Session>,
}

/// What an engine answered.
pub struct Reply {
    /// The word after `bestmove`.
    pub answer: Answer,
    /// What it thought.
    pub search_info: SearchInfo,
}

/// Why a level cannot be played.
#[derive(Debug, thiserror::Error)]
#[error("--level {level}: the engine {engine} has {has}")]
pub struct LevelError {
    level: String,
    engine: String,
    has: &'static str,
}

/// The strongest of `SkillLevel`.
const FULL: u32 = 20;

impl Opponent {
    /// An engine that is not started yet.
    #[must_use]
    pub fn new(spec: EngineSpec, level: Option<String>) -> Self {
        Self { spec, level, session: None }
    }

    /// What people are shown as its name.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.level {
            Some(level) => format!("{} ({level})", self.spec.name),
            None => self.spec.name.clone(),
        }
    }

    /// Starts it, and sets its level.
    pub fn start(&mut self) -> Result<(), String> {
        if self.session.is_some() {
            return Ok(());
        }
        let text = |error: &dyn std::fmt::Display| format!("engine {}: {error}", self.spec.name);
        let mut session = Session::start(&self.spec, START, None).map_err(|error| text(&error))?;
        if let Some(level) = &self.level {
            let option = level_option(level, &session, &self.spec.name).map_err(|error| error.to_string())?;
            session.set_options(&option).map_err(|error| text(&error))?;
        }
        session.new_game().map_err(|error| text(&error))?;
        self.session = Some(session);
        Ok(())
    }

    /// The move that it plays after `position …` and `go …`.
    fn answer(&mut self, position: &str, go: &str) -> Result<Reply, String> {
        let mut fault = String::new();
        for _ in 0..TRIES {
            self.start()?;
            let Some(session) = &mut self.session else { continue };
            match ask(session, &format!("{position}\n{go}\n")) {
                Ok(reply) => return Ok(reply),
                Err(error) => fault = format!("engine {}: {error}", self.spec.name),
            }
            // Dropping it ends it.
            self.session = None;
        }
        Err(fault)
    }

    /// Lets it think on a thread of its own; it comes back with its answer.
    #[must_use]
    pub fn think(mut self, position: String, go: String) -> Thinking {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let reply = self.answer(&position, &go);
            // Where the game was left meanwhile, there is no one to take it.
            let _ = sender.send((self, reply));
        });
        Thinking(receiver)
    }
}

/// An engine at work.
pub struct Thinking(Receiver<(Opponent, Result<Reply, String>)>);

impl Thinking {
    /// The engine and its answer, if it is there.
    #[must_use]
    pub fn poll(&self) -> Option<(Option<Opponent>, Result<Reply, String>)> {
        match self.0.try_recv() {
            Ok((opponent, reply)) => Some((Some(opponent), reply)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some((None, Err("the engine's thread has ended".to_owned()))),
        }
    }
}

/// The option for a level: `USI_Level` where the engine has it, else `SkillLevel` with numbers up to 20.
fn level_option(level: &str, session: &Session, engine: &str) -> Result<Vec<(String, String)>, LevelError> {
    let set = |name: &str, value: &str| Ok(vec![(name.to_owned(), value.to_owned())]);
    let error = |has| Err(LevelError { level: level.to_owned(), engine: engine.to_owned(), has });
    let skill = ["SkillLevel", "Skill_Level"].into_iter().find(|name| session.has_option(name));
    if session.has_option("USI_Level") {
        return match Rank::parse(level) {
            Some(_) => set("USI_Level", level),
            None => error("the levels 15k … 1k, 1d … 9d (15級 … 九段), 1 … 24 and full"),
        };
    }
    match (level.parse::<u32>(), skill) {
        (Ok(number), Some(name)) if number <= FULL => set(name, level),
        (_, Some(_)) => error("the levels 0 to 20"),
        _ => error("no levels"),
    }
}

fn ask(session: &mut Session, text: &str) -> Result<Reply, String> {
    session.process.send(text, Instant::now() + START).map_err(|error| error.to_string())?;
    let mut search_info = SearchInfo::default();
    loop {
        let deadline = Instant::now() + SILENCE;
        match session.process.listen(deadline, None).map_err(|error| error.to_string())? {
            Heard::Line(line) => match Answer::read(&line.text) {
                Some(answer) => return Ok(Reply { answer, search_info }),
                None => search_info.hear(&line.text),
            },
            Heard::Silence => return Err(format!("silent for {} s", SILENCE.as_secs())),
            Heard::Closed => return Err("ended".to_owned()),
        }
    }
}

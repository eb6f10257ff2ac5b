//! The engine of the client: started before the login, restarted after failures.

use super::comment::Notes;
use crate::clock::Clocks;
use arena::{Answer, EngineSpec, FLOOD, Session, StartError};
use game::Color;
use platform::Process;
use platform::process::Heard;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long an engine may take to answer `stop`.
const GRACE: Duration = Duration::from_secs(1);
/// How long it may take to read a command.
const SENDING: Duration = Duration::from_secs(2);

/// What the engine is doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Task {
    Idle,
    Thinking,
    /// Pondering on this move.
    Pondering(String),
}

/// An engine playing on a server.
pub(super) struct Seat {
    spec: EngineSpec,
    errors: PathBuf,
    session: Option<Session>,
    task: Task,
    /// A `bestmove` that arrived while it should have been pondering.
    early_answer: Option<Answer>,
    pub(super) notes: Notes,
    /// Total output after which the engine counts as flooding.
    flood: u64,
    /// It owes an answer or has failed, so it must not play another game.
    broken: bool,
}

impl Seat {
    pub(super) const fn new(spec: EngineSpec, errors: PathBuf) -> Self {
        Self {
            spec,
            errors,
            session: None,
            task: Task::Idle,
            early_answer: None,
            notes: Notes::new(),
            flood: u64::MAX,
            broken: false,
        }
    }

    pub(super) const fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Prepares the engine; starts it if it is not running, has failed, or is to be restarted for each game.
    pub(super) fn get_ready(
        &mut self,
        patience: Duration,
        options: &[(String, String)],
    ) -> Result<(), StartError> {
        if let Some(session) = self.session.take().filter(|_| !self.broken) {
            if self.spec.restart {
                session.quit();
            } else {
                self.session = Some(session);
                if self.ready(options).is_ok() {
                    return Ok(());
                }
            }
        }
        self.start(patience, options)
    }

    fn start(&mut self, patience: Duration, options: &[(String, String)]) -> Result<(), StartError> {
        self.session = None;
        self.session = Some(Session::start(&self.spec, patience, Some(&self.errors))?);
        (self.broken, self.task, self.early_answer) = (false, Task::Idle, None);
        self.ready(options)
    }

    /// Sets those of the options that the engine has, and waits for `readyok`.
    fn ready(&mut self, options: &[(String, String)]) -> Result<(), StartError> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let known: Vec<_> = options.iter().filter(|(name, _)| session.has_option(name)).cloned().collect();
        session.set_options(&known)?;
        session.get_ready()
    }

    /// Sets options between login and game, followed by another `isready` if the engine has any of them.
    pub(super) fn adjust(&mut self, options: &[(String, String)]) -> Result<(), StartError> {
        let has = |name: &String| self.session.as_ref().is_some_and(|session| session.has_option(name));
        if options.iter().any(|(name, _)| has(name)) { self.ready(options) } else { Ok(()) }
    }

    /// Starts another process for the current game.
    pub(super) fn restart(
        &mut self,
        patience: Duration,
        options: &[(String, String)],
    ) -> Result<(), StartError> {
        self.start(patience, options)?;
        self.begin_game();
        Ok(())
    }

    /// Begins a game.
    pub(super) fn begin_game(&mut self) {
        self.say("usinewgame\n");
    }

    pub(super) fn process(&mut self) -> Option<&mut Process> {
        self.session.as_mut().map(|session| &mut session.process)
    }

    pub(super) const fn task(&self) -> &Task {
        &self.task
    }

    /// Whether a process is running.
    pub(super) const fn is_there(&self) -> bool {
        self.session.is_some() && !self.broken
    }

    fn say(&mut self, text: &str) {
        let Some(session) = &mut self.session else { return };
        if session.process.send(text, Instant::now() + SENDING).is_err() {
            self.broken = true;
        }
    }

    /// Marks it as unusable for another game.
    pub(super) const fn condemn(&mut self) {
        self.broken = true;
    }

    /// Ends the process, which is unusable.
    pub(super) fn discard(&mut self) {
        self.session = None;
        self.task = Task::Idle;
    }

    /// Starts a search.
    pub(super) fn think(&mut self, position: &str, clocks: &Clocks, side: Color) {
        self.search(&format!("{position}\ngo {}\n", clocks.usi_words(side)));
        self.task = Task::Thinking;
    }

    /// Ponders on `expected`; with clocks unless they follow in `ponderhit`.
    pub(super) fn ponder(&mut self, position: &str, expected: String, clocks: Option<(&Clocks, Color)>) {
        let clocks = clocks.map_or_else(String::new, |(clocks, side)| format!(" {}", clocks.usi_words(side)));
        self.search(&format!("{position}\ngo ponder{clocks}\n"));
        self.task = Task::Pondering(expected);
    }

    fn search(&mut self, text: &str) {
        self.notes = Notes::new();
        self.early_answer = None;
        self.flood = self.process().map_or(u64::MAX, |process| process.total_heard() + FLOOD);
        self.say(text);
    }

    /// The expected move was played; with clocks if `go ponder` had none. Returns an answer that has already arrived.
    pub(super) fn ponderhit(&mut self, clocks: Option<(&Clocks, Color)>) -> Option<Answer> {
        let words = clocks.map_or_else(String::new, |(clocks, side)| format!(" {}", clocks.usi_words(side)));
        if let Some(answer) = self.early_answer.take() {
            self.task = Task::Idle;
            return Some(answer);
        }
        self.say(&format!("ponderhit{words}\n"));
        self.task = Task::Thinking;
        None
    }

    /// Sends `stop`.
    pub(super) fn hurry(&mut self) {
        self.say("stop\n");
    }

    /// Handles a line; returns the answer if it was one.
    pub(super) fn hear(&mut self, line: &str) -> Option<Answer> {
        if let Some(answer) = Answer::read(line) {
            match self.task {
                Task::Thinking => {
                    self.task = Task::Idle;
                    return Some(answer);
                }
                Task::Pondering(_) => self.early_answer = Some(answer),
                Task::Idle => {}
            }
        } else if line.starts_with("info") {
            self.notes.hear(line);
        }
        None
    }

    /// Whether it has sent more than any reasonable output.
    pub(super) fn floods(&mut self) -> bool {
        let flood = self.flood;
        self.process().is_some_and(|process| process.total_heard() > flood)
    }

    /// Ends a search and discards its answer. Without an answer the engine is unusable, which is the error.
    pub(super) fn stop(&mut self) -> Result<(), &'static str> {
        let task = std::mem::replace(&mut self.task, Task::Idle);
        if task == Task::Idle || self.session.is_none() {
            return Ok(());
        }
        let answered = self.early_answer.take().is_some();
        if !answered {
            self.say("stop\n");
        }
        if answered {
            return Ok(());
        }
        let deadline = Instant::now() + GRACE;
        let flood = self.flood;
        while let Some(process) = self.process() {
            match process.listen(deadline, None) {
                Ok(Heard::Line(line)) if Answer::read(&line.text).is_some() => return Ok(()),
                Ok(Heard::Line(_)) if process.total_heard() <= flood => {}
                _ => {
                    self.broken = true;
                    return Err("no answer to `stop`");
                }
            }
        }
        Ok(())
    }

    /// Sends `gameover` with `win`, `lose` or `draw`.
    pub(super) fn end_game(&mut self, word: &str) -> Result<(), &'static str> {
        let stopped = self.stop();
        self.say(&format!("gameover {word}\n"));
        stopped
    }

    /// Sends `quit` and lets the process end.
    pub(super) fn quit(&mut self) {
        if let Some(session) = self.session.take() {
            session.quit();
        }
    }
}

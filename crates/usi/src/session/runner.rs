//! Engines without threads (WebAssembly): they search when the host calls them.
//!
//! The host passes lines ([`SteppedConsole::line`]) and then runs the engine ([`Runner::run`]). It may suspend that
//! call at a [`platform::pause_point`] and pass further lines meanwhile, as another thread would.

use super::command::Command;
use super::console::{Console, Games};
use super::context::SessionContext;
use super::worker::{Answer, Job, obey};
use crate::engine::Engine;
use crate::output::Output;
use game::Game;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs the engine of a session.
#[derive(Clone, Default)]
pub struct Runner(Arc<State>);

#[derive(Default)]
struct State {
    /// The engine of the current session.
    engine: Mutex<Option<Arc<dyn Run>>>,
    is_running: AtomicBool,
}

trait Run: Send + Sync {
    fn run(&self);
}

impl Runner {
    /// Runs all jobs sent to the engine. While the host has suspended this call, it must not call it again.
    ///
    /// Not inlined: the WebAssembly build refers to it by name (`wasm/build.mjs`).
    #[inline(never)]
    pub fn run(&self) {
        let engine = self.engine().clone();
        if let Some(engine) = engine {
            self.0.is_running.store(true, Relaxed);
            engine.run();
            self.0.is_running.store(false, Relaxed);
        }
    }

    fn engine(&self) -> MutexGuard<'_, Option<Arc<dyn Run>>> {
        self.0.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether [`Runner::run`] has been suspended.
    fn is_suspended(&self) -> bool {
        self.0.is_running.load(Relaxed)
    }
}

/// An engine and its jobs.
pub(super) struct Seated<G: Game> {
    engine: Box<dyn Engine<G>>,
    jobs: VecDeque<Job<G>>,
    /// An answer that must not be sent before `stop` or `ponderhit`.
    held: Option<Answer>,
    output: Output,
}

pub(super) type SharedSeat<G> = Arc<Mutex<Seated<G>>>;

/// Adds an engine to be run by `runner`.
pub(super) fn seat<G: Game>(engine: Box<dyn Engine<G>>, output: Output, runner: &Runner) -> SharedSeat<G> {
    let seated = Arc::new(Mutex::new(Seated { engine, jobs: VecDeque::new(), held: None, output }));
    *runner.engine() = Some(seated.clone());
    seated
}

/// Sends a job to the engine. A `go` waits for [`Runner::run`], everything else is done at once.
pub(super) fn send<G: Game>(seated: &Mutex<Seated<G>>, job: Job<G>) {
    let waits = matches!(job, Job::Search(_) | Job::SolveMate { .. });
    seated.lock().unwrap_or_else(PoisonError::into_inner).jobs.push_back(job);
    if !waits {
        run_all(seated);
    }
}

/// Runs all jobs, and sends the answer if it may be sent.
pub(super) fn run_all<G: Game>(seated: &Mutex<Seated<G>>) {
    let mut seated = seated.lock().unwrap_or_else(PoisonError::into_inner);
    let Seated { engine, jobs, held, output } = &mut *seated;
    loop {
        if let Some(answer) = held.take_if(|answer| answer.control.may_be_answered()) {
            answer.give(output);
        }
        let Some(job) = jobs.pop_front() else { return };
        *held = obey(engine.as_mut(), job, output).or(held.take());
    }
}

impl<G: Game> Run for Mutex<Seated<G>> {
    fn run(&self) {
        run_all(self);
    }
}

/// A [`Console`] whose engines are run by a [`Runner`].
///
/// During a search, `stop`, `ponderhit` and `quit` take effect at once; other lines wait until it has answered. Lines
/// that end a search in a session with threads also end it here.
pub struct SteppedConsole<C> {
    console: Console<C>,
    runner: Runner,
    waiting: VecDeque<Vec<u8>>,
    /// `quit` was read.
    is_over: bool,
}

/// The effect of a line on a running search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Urgency {
    /// It is for the search.
    AtOnce,
    /// It waits for the end of the search.
    Waits,
    /// It ends the search.
    Ends,
}

impl Urgency {
    fn of(line: &[u8]) -> Self {
        match Command::parse(&String::from_utf8_lossy(line)) {
            Ok(Some(Command::Stop | Command::PonderHit(_) | Command::Quit)) => Self::AtOnce,
            Ok(Some(Command::Position(_) | Command::SetOption(_) | Command::NewGame) | None) => Self::Waits,
            _ => Self::Ends,
        }
    }
}

impl<C: Games> SteppedConsole<C> {
    /// Starts with the first of the games.
    ///
    /// # Panics
    /// If there is no game.
    pub fn new(games: C, context: SessionContext) -> Self {
        let runner = Runner::default();
        let console = Console::new(games, context.with_runner(runner.clone()));
        Self { console, runner, waiting: VecDeque::new(), is_over: false }
    }

    /// Runs the engines of this console.
    pub fn runner(&self) -> Runner {
        self.runner.clone()
    }

    /// Whether the session continues.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Executes a line, at once or after the running search; nothing after `quit`. Call [`Runner::run`] afterwards,
    /// unless it is suspended.
    pub fn line(&mut self, line: &[u8]) {
        if self.is_over {
            return;
        }
        if self.is_busy() && Urgency::of(line) == Urgency::AtOnce && !self.is_to_end() {
            self.obey(line);
        } else {
            self.waiting.push_back(line.to_vec());
            self.go_on();
        }
    }

    /// Whether a search is running, or its answer waits for `stop`.
    fn is_busy(&self) -> bool {
        self.runner.is_suspended() || self.console.is_searching()
    }

    /// Whether a waiting line ends the search.
    fn is_to_end(&self) -> bool {
        self.waiting.iter().any(|line| Urgency::of(line) == Urgency::Ends)
    }

    /// Executes the lines that waited for the end of a search, up to the next one that has to wait; returns whether
    /// there is anything to run. Call it after [`Runner::run`] has returned.
    pub fn go_on(&mut self) -> bool {
        let mut has_executed = false;
        while let Some(line) = self.waiting.pop_front() {
            if self.is_busy() && Urgency::of(&line) != Urgency::AtOnce {
                self.waiting.push_front(line);
                break;
            }
            self.obey(&line);
            has_executed = true;
            if self.is_over {
                self.waiting.clear();
            }
        }
        if self.is_to_end() {
            self.obey(b"stop");
            has_executed = true;
        }
        has_executed && !self.is_over && !self.runner.is_suspended() && self.console.is_searching()
    }

    fn obey(&mut self, line: &[u8]) {
        self.is_over |= !self.console.obey_line(line);
    }
}

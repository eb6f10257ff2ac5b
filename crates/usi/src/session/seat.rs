//! The place where the engine runs: on a thread of its own, or in calls of the host.

use super::control::{Control, POLL_INTERVAL};
use super::runner::{self, Runner, SharedSeat};
use super::worker::{self, Job};
use crate::engine::Engine;
use crate::output::Output;
use game::Game;
use platform::clock::Instant;
use platform::workers::STACK;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

pub(super) enum Seat<G: Game> {
    Thread {
        /// `None` once the thread has to end.
        jobs: Option<Sender<Job<G>>>,
        thread: Option<JoinHandle<()>>,
    },
    /// There are no threads.
    Host(SharedSeat<G>),
}

impl<G: Game> Seat<G> {
    /// On a thread, unless there is a runner.
    pub(super) fn new(engine: Box<dyn Engine<G>>, output: Output, runner: Option<&Runner>) -> Self {
        if let Some(runner) = runner {
            return Self::Host(runner::seat(engine, output, runner));
        }
        let (jobs, received) = mpsc::channel();
        let work = move || worker::run(engine, &received, &output);
        let thread = Builder::new().name("engine".to_owned()).stack_size(STACK).spawn(work).ok();
        Self::Thread { jobs: Some(jobs), thread }
    }

    /// Sends a job to the engine; returns whether it is still running.
    pub(super) fn send(&self, job: Job<G>) -> bool {
        match self {
            Self::Thread { jobs, .. } => jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok()),
            Self::Host(seated) => {
                runner::send(seated, job);
                true
            }
        }
    }

    pub(super) fn has_thread(&self) -> bool {
        matches!(self, Self::Thread { .. })
    }

    /// Waits for the answer of a stopped search, unless `given_up` returns true.
    pub(super) fn wait_for(&self, control: &Control, given_up: impl Fn() -> bool) {
        match self {
            Self::Thread { .. } => drop(control.wait_until_finished(given_up)),
            Self::Host(seated) => runner::run_all(seated),
        }
    }

    /// As [`super::Session::close`], for a stopped search.
    pub(super) fn close(&mut self, patience: Option<Duration>) -> bool {
        // An engine run by the host ends when it is no longer called.
        let Self::Thread { jobs, thread } = self else { return true };
        // Without further jobs the thread ends.
        *jobs = None;
        let Some(thread) = thread.take() else { return true };
        let until = patience.map(|patience| Instant::now() + patience);
        while until.is_some_and(|until| Instant::now() < until) && !thread.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended = patience.is_none() || thread.is_finished();
        if ended {
            // A panic of the engine has already been reported.
            let _ = thread.join();
        }
        ended
    }
}

/// Waits for a message of the engine; `None` if it has ended, or if `given_up` returns true.
pub(super) fn receive<T>(from: &Receiver<T>, given_up: impl Fn() -> bool) -> Option<T> {
    loop {
        // Without threads it has been sent by now: there is nothing to wait for.
        match from.try_recv() {
            Ok(sent) => return Some(sent),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        match from.recv_timeout(POLL_INTERVAL) {
            Ok(sent) => return Some(sent),
            Err(RecvTimeoutError::Timeout) if !given_up() => {}
            Err(_) => return None,
        }
    }
}

//! The thread that starts engines.
//!
//! On Linux a process that shall end with its parent ends with the thread that started it (`PR_SET_PDEATHSIG`), so one thread that lives
//! as long as the server starts them all.

use crate::board::lock;
use arena::{EngineSpec, Session};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

type Job = (EngineSpec, Duration, mpsc::Sender<Result<Session, String>>);

/// Starts engines on a thread of its own.
pub(super) struct Starter(Mutex<mpsc::Sender<Job>>);

impl Starter {
    pub(super) fn new() -> Self {
        let (jobs, waiting) = mpsc::channel::<Job>();
        // Without the thread every start says that it failed.
        let _ = std::thread::Builder::new().name("engines".to_owned()).spawn(move || {
            for (spec, patience, answer) in waiting {
                let started = Session::start(&spec, patience, None).map_err(|error| error.to_string());
                // If nothing waits for the answer any more, the session is dropped, which ends the engine.
                let _ = answer.send(started);
            }
        });
        Self(Mutex::new(jobs))
    }

    /// An engine that has said who it is.
    pub(super) fn start(&self, spec: EngineSpec, patience: Duration) -> Result<Session, String> {
        let (answer, started) = mpsc::channel();
        let gone = || "the thread that starts engines has ended".to_owned();
        lock(&self.0).send((spec, patience, answer)).map_err(|_| gone())?;
        started.recv().map_err(|_| gone())?
    }
}

//! One search of an engine: position, go, what it says, bestmove.

use arena::{Answer, Session, StartError};
use platform::process::Heard;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a search looks whether it shall stop.
const TICK: Duration = Duration::from_millis(15);
/// How long an engine may take to answer `stop`.
const STOPPING: Duration = Duration::from_secs(10);
/// How long it may take to hear us.
const SENDING: Duration = Duration::from_secs(5);

/// What an engine shall do.
pub struct Think<'a> {
    /// What follows `position`.
    pub position: &'a str,
    /// What follows `go`.
    pub go: &'a str,
    /// Options to be set before.
    pub options: &'a [(String, String)],
    /// Set when it shall stop.
    pub stop: &'a AtomicBool,
    /// A search that lasts longer than this is a fault; `None` where only `stop` ends it.
    pub patience: Option<Duration>,
}

impl Think<'_> {
    /// Lets the engine think; `hear` takes every line and is called now and then without one. An error says why the engine is
    /// broken.
    pub fn run(&self, session: &mut Session, hear: &mut dyn FnMut(Option<&str>)) -> Result<Answer, String> {
        for option in self.options {
            match session.set_options(std::slice::from_ref(option)) {
                // Not every engine has MultiPV or levels; it plays without.
                Ok(()) | Err(StartError::UnknownOption { .. }) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        let text = format!("position {}\ngo {}\n", self.position, self.go);
        if let Err(error) = session.process.send(&text, Instant::now() + SENDING) {
            return Err(format!("does not listen: {error}"));
        }
        let started = Instant::now();
        let mut stopped: Option<Instant> = None;
        loop {
            match session.process.listen(Instant::now() + TICK, None) {
                Ok(Heard::Line(line)) => match Answer::read(&line.text) {
                    Some(answer) => return Ok(answer),
                    None => hear(Some(&line.text)),
                },
                Ok(Heard::Silence) => hear(None),
                Ok(Heard::Closed) => return Err("ended in the middle of a search".to_owned()),
                Err(error) => return Err(error.to_string()),
            }
            let late = self.patience.is_some_and(|patience| started.elapsed() > patience);
            if stopped.is_none() && (late || self.stop.load(Ordering::Relaxed)) {
                stopped = Some(Instant::now());
                if let Err(error) = session.process.send("stop\n", Instant::now() + SENDING) {
                    return Err(format!("does not listen: {error}"));
                }
            }
            if stopped.is_some_and(|at| at.elapsed() > STOPPING) {
                return Err("does not stop".to_owned());
            }
        }
    }
}

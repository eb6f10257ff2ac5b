//! A run from its plan to its outputs, for commands with `--hub`.

use crate::bus::nats::{Address, NatsBus};
use crate::bus::{Bus, BusError};
use crate::coordinator::{Coordinator, CoordinatorError, Ending, Progress, Settings, Step};
use crate::envelope::Build;
use crate::kind::Kind;
use crate::kinds::net;
use crate::ledger::{LedgerError, RunFolder};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Why a run over a hub has not produced all outputs.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The coordinator.
    #[error(transparent)]
    Coordinator(#[from] CoordinatorError),
    /// The folder of the run.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The hub.
    #[error("{url}: {error}")]
    Bus {
        /// Its address.
        url: String,
        /// Why.
        error: BusError,
    },
    /// The evaluation of this program, by which programs are compared.
    #[error(transparent)]
    Evaluation(#[from] train::EvaluationChoiceError),
    /// Jobs were given up.
    #[error("run {run}: {} jobs failed on several workers and were given up: {}; the others are kept in {}", jobs.len(), list(jobs), folder.display())]
    Poisoned {
        /// The run.
        run: String,
        /// The jobs.
        jobs: Vec<u64>,
        /// The folder of the run.
        folder: PathBuf,
    },
    /// `tsumugi cluster cancel`.
    #[error("run {0} was cancelled; the same command again goes on with it")]
    Cancelled(String),
    /// Ctrl-C.
    #[error("run {0} was stopped; the same command again goes on with it")]
    Stopped(String),
}

/// The first jobs of a list.
fn list(jobs: &[u64]) -> String {
    let first: Vec<String> = jobs.iter().take(20).map(ToString::to_string).collect();
    first.join(", ") + if jobs.len() > 20 { ", ..." } else { "" }
}

/// A hub, and what a coordinator needs.
pub struct Hub {
    /// The connection.
    pub bus: NatsBus,
    url: String,
    runs: PathBuf,
    build: String,
}

/// Receives progress.
pub trait Display {
    /// Numbers, several times a second.
    fn progress(&mut self, progress: Progress);

    /// Something that happened, a line.
    fn note(&mut self, line: &str);

    /// Whether to stop.
    fn must_stop(&mut self) -> bool;
}

/// How long results are waited for in a step.
const WAIT: Duration = Duration::from_millis(40);
/// The pause after a failure of the bus.
const PAUSE: Duration = Duration::from_millis(500);

impl Hub {
    /// Connects. The folders of runs are made below `runs`.
    pub fn connect(address: &Address, runs: &Path) -> Result<Self, RunError> {
        let bus = NatsBus::connect(address, 1)
            .map_err(|error| RunError::Bus { url: address.url.clone(), error })?;
        Ok(Self { bus, url: address.url.clone(), runs: runs.to_owned(), build: net::build()? })
    }

    /// The hub's streams are there when this returns.
    pub fn set_up(&self) -> Result<(), RunError> {
        self.bus.set_up(None).map_err(|error| RunError::Bus { url: self.url.clone(), error })
    }

    /// Runs all jobs of a kind; the folder has their outputs. The plan of a run is all of its jobs, and `more`, by which two runs of
    /// the same jobs can differ.
    pub fn run(
        &self,
        kind: &dyn Kind,
        net: Option<String>,
        more: &str,
        display: &mut dyn Display,
    ) -> Result<RunFolder, RunError> {
        let build = Build { build: self.build.clone(), net };
        let folder = RunFolder::open(&self.runs, &plan(kind, &build, more))?;
        let (run, path) = (folder.run().to_string(), folder.path().to_owned());
        display.note(&format!("run {run}: {} jobs of kind {}", kind.jobs(), kind.name()));
        let mut coordinator = Coordinator::new(&self.bus, kind, build, folder, Settings::default());
        let start = Instant::now();
        let mut trouble = String::new();
        loop {
            let step = coordinator.step(start.elapsed(), WAIT)?;
            coordinator.take_notes().iter().for_each(|note| display.note(note));
            display.progress(coordinator.progress());
            match step {
                Step::Ended(Ending::Complete) => return Ok(coordinator.into_folder()),
                Step::Ended(Ending::Poisoned(jobs)) => {
                    return Err(RunError::Poisoned { run, jobs, folder: path });
                }
                Step::Ended(Ending::Cancelled) => return Err(RunError::Cancelled(run)),
                Step::Trouble(text) => {
                    if text != trouble {
                        display.note(&format!("{}: {text}", self.url));
                        trouble = text;
                    }
                    std::thread::sleep(PAUSE);
                }
                Step::Working | Step::Waiting => trouble.clear(),
            }
            if display.must_stop() {
                coordinator.leave();
                return Err(RunError::Stopped(run));
            }
        }
    }
}

/// The plan of a run: a line for the program, one for each job.
fn plan(kind: &dyn Kind, build: &Build, more: &str) -> Vec<u8> {
    let net = build.net.as_deref().unwrap_or("built in");
    let mut plan = format!("tsumugi plan 1: {}, {}, {net}, {more}\n", kind.name(), build.build);
    for n in 0..kind.jobs() {
        plan.push_str(&kind.work(n).to_string());
        plan.push('\n');
    }
    plan.into_bytes()
}

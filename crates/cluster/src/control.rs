//! `tsumugi cluster`: what runs and workers do, and how people step in.

use crate::bus::{Bus, BusError, Message, publish};
use crate::coordinator::workers;
use crate::envelope::{self, Phase, RunState};
use crate::names::{JOBS, RUNS, RunId, run_subject};

/// Why a run was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// The hub.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// There is no such run.
    #[error("run {0}: the hub does not know it; `tsumugi cluster status` lists all")]
    NoRun(RunId),
    /// The run is over.
    #[error("run {0}: it is over")]
    Over(RunId),
    /// There is no such worker.
    #[error("worker {0}: no open run has heard of it; `tsumugi cluster workers` lists all")]
    NoWorker(String),
}

/// All runs that the hub knows, with their states and the numbers of jobs that wait or are being done.
pub fn status(bus: &dyn Bus) -> Result<Vec<(RunId, RunState, usize)>, BusError> {
    let mut runs = Vec::new();
    for subject in bus.subjects(RUNS, "$KV.tsu_runs.>")? {
        let Some(run) = subject.rsplit('.').next().and_then(|word| word.parse::<RunId>().ok()) else {
            continue;
        };
        let Some(stored) = bus.last(RUNS, &subject)? else { continue };
        let Ok(state) = RunState::read(&stored.payload) else { continue };
        let queued = jobs(bus, &run)?.len();
        runs.push((run, state, queued));
    }
    runs.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    Ok(runs)
}

/// The subjects of a run's jobs that wait or are being done.
pub fn jobs(bus: &dyn Bus, run: &RunId) -> Result<Vec<String>, BusError> {
    let mut jobs = bus.subjects(JOBS, &format!("tsu.job.*.{run}.>"))?;
    jobs.sort_by_key(|subject| crate::names::job_of_subject(subject));
    Ok(jobs)
}

/// Pauses, resumes or cancels a run.
pub fn set_phase(bus: &dyn Bus, run: &RunId, phase: Phase) -> Result<(), ControlError> {
    change(bus, run, |state| state.phase = phase)
}

/// The results of a worker do not count, in all open runs; returns these.
pub fn withdraw(bus: &dyn Bus, worker: &str) -> Result<Vec<RunId>, ControlError> {
    let mut open = Vec::new();
    for (run, state, _) in status(bus)? {
        if matches!(state.phase, Phase::Open | Phase::Paused) {
            change(bus, &run, |state| {
                if !state.withdrawn.iter().any(|old| old == worker) {
                    state.withdrawn.push(worker.to_owned());
                }
            })?;
            open.push(run);
        }
    }
    let is_known = workers(bus)?.iter().any(|(id, _)| id == worker);
    if is_known { Ok(open) } else { Err(ControlError::NoWorker(worker.to_owned())) }
}

fn change(bus: &dyn Bus, run: &RunId, change: impl Fn(&mut RunState)) -> Result<(), ControlError> {
    let subject = run_subject(run);
    loop {
        let stored = bus.last(RUNS, &subject)?.ok_or_else(|| ControlError::NoRun(run.clone()))?;
        let mut state =
            RunState::read(&stored.payload).map_err(|error| BusError::Broken(error.to_string()))?;
        if matches!(state.phase, Phase::Done | Phase::Cancelled) {
            return Err(ControlError::Over(run.clone()));
        }
        change(&mut state);
        let payload = envelope::write(&state);
        let message =
            Message { subject: subject.clone(), id: None, expected: Some(stored.sequence), payload };
        match publish(bus, message) {
            // The coordinator has written it meanwhile.
            Err(BusError::Changed) => {}
            done => return Ok(done.map(|_| ())?),
        }
    }
}

//! A slot of a worker: takes jobs, does them, keeps their results until the server has them.

use crate::blobs::BlobCache;
use crate::bus::{Bus, BusError, Delivery, Message, Queue, Settle, publish};
use crate::envelope::{self, Event, Job, JobResult, Phase, RunState, VERSION};
use crate::kind::{Crafts, Failure, Pulse};
use crate::names::{Class, RESULTS, RUNS, RunId, event_subject, result_subject, run_subject};
use crate::spool::Spool;
use platform::FileError;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What all slots of a worker share.
pub struct Worker<'a> {
    /// The bus.
    pub bus: &'a dyn Bus,
    /// Its identity.
    pub id: String,
    /// Version and signature of its program.
    pub build: String,
    /// The classes of jobs that it takes, in this order.
    pub classes: Vec<Class>,
    /// Results on their way.
    pub spool: Spool,
    /// Blobs.
    pub blobs: BlobCache<'a>,
    /// How long the state of a run is believed.
    pub believe: Duration,
    /// Jobs done.
    pub done: AtomicU64,
    /// Jobs failed.
    pub failed: AtomicU64,
    /// What keeps it from working.
    pub complaint: Mutex<String>,
    states: Mutex<HashMap<RunId, (Instant, RunState)>>,
}

/// Why a slot could not take its step.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The bus; trying again may help.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The worker's own disk.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What a slot did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// There was no job.
    Idle,
    /// A job is done.
    Done,
    /// A job was not for this worker, or done already.
    Passed,
    /// A job failed.
    Failed,
    /// The slot was stopped in the middle of a job.
    Stopped,
}

/// The first delay after a failure.
const DELAY: Duration = Duration::from_secs(10);
/// The delay of a paused run, or of one that needs another program.
const LATER: Duration = Duration::from_mins(1);
/// The delay of a job whose run or blob is not there: the coordinator will bring it.
const SOON: Duration = Duration::from_secs(5);

/// What a slot is doing, for the thread that tells the server.
#[derive(Default)]
pub struct SlotState {
    /// Its progress.
    pub pulse: Pulse,
    current: Mutex<Option<(Delivery, RunId)>>,
}

impl SlotState {
    /// The job being done.
    #[must_use]
    pub fn current(&self) -> Option<(Delivery, RunId)> {
        lock(&self.current).clone()
    }
}

/// No thread leaves the content half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Worker<'a> {
    /// A worker with its files in `folder`.
    pub fn new(bus: &'a dyn Bus, id: &str, build: &str, folder: &Path) -> Result<Self, FileError> {
        Ok(Self {
            bus,
            id: id.to_owned(),
            build: build.to_owned(),
            classes: vec![Class::Cpu],
            spool: Spool::open(&folder.join("spool"))?,
            blobs: BlobCache::new(bus, &folder.join("blobs")),
            believe: Duration::from_secs(2),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            complaint: Mutex::default(),
            states: Mutex::default(),
        })
    }

    /// Sends the results that an earlier process has left.
    pub fn send_left_over(&self) -> Result<usize, WorkerError> {
        let left = self.spool.left_over()?;
        let count = left.len();
        for (path, result) in left {
            self.send(&result)?;
            Spool::remove(&path)?;
        }
        Ok(count)
    }

    /// The state of a run, at most [`Worker::believe`] old.
    pub fn state(&self, run: &RunId) -> Result<Option<RunState>, BusError> {
        if let Some((read, state)) = lock(&self.states).get(run)
            && read.elapsed() < self.believe
        {
            return Ok(Some(state.clone()));
        }
        let Some(stored) = self.bus.last(RUNS, &run_subject(run))? else { return Ok(None) };
        let state = RunState::read(&stored.payload).map_err(|error| BusError::Broken(error.to_string()))?;
        let mut states = lock(&self.states);
        if states.len() > 1000 {
            states.clear();
        }
        states.insert(run.clone(), (Instant::now(), state.clone()));
        Ok(Some(state))
    }

    /// One step of a slot: takes a job, if there is one, and does it.
    pub fn step(
        &self,
        slot: &SlotState,
        crafts: &mut dyn Crafts,
        wait: Duration,
    ) -> Result<Step, WorkerError> {
        let share = wait / self.classes.len().max(1) as u32;
        for class in &self.classes {
            if let Some(delivery) = self.bus.pull(&Queue::Jobs(*class), 1, share)?.pop() {
                return self.handle(slot, crafts, &delivery);
            }
        }
        Ok(Step::Idle)
    }

    fn handle(
        &self,
        slot: &SlotState,
        crafts: &mut dyn Crafts,
        delivery: &Delivery,
    ) -> Result<Step, WorkerError> {
        let pass = |how| self.bus.settle(delivery, how).map(|()| Step::Passed);
        let Ok(job) = Job::read(&delivery.payload) else { return Ok(pass(Settle::Never)?) };
        match self.state(&job.run)? {
            // The server has lost it; the coordinator will write it again.
            None => return Ok(pass(Settle::Later(SOON))?),
            Some(state) => match state.phase {
                Phase::Cancelled | Phase::Done => return Ok(pass(Settle::Never)?),
                Phase::Paused => return Ok(pass(Settle::Later(LATER))?),
                Phase::Open if state.poison.contains(&job.n) => return Ok(pass(Settle::Never)?),
                Phase::Open if state.withdrawn.contains(&self.id) => return Ok(pass(Settle::Later(LATER))?),
                Phase::Open => {}
            },
        }
        if job.engine.build != self.build {
            let text = format!("run {} needs tsumugi {}, this is {}", job.run, job.engine.build, self.build);
            *lock(&self.complaint) = text;
            return Ok(pass(Settle::Later(LATER))?);
        }
        if self.bus.last(RESULTS, &result_subject(&job.run, job.n, job.k))?.is_some() {
            return Ok(pass(Settle::Done)?);
        }
        if self.has_done_twin(&job)? {
            return Ok(pass(Settle::Later(SOON))?);
        }
        let Some(craft) = crafts.craft(&job.kind) else {
            *lock(&self.complaint) =
                format!("run {}: this program knows no work of kind `{}`", job.run, job.kind);
            return Ok(pass(Settle::Later(LATER))?);
        };
        slot.pulse.reset();
        *lock(&slot.current) = Some((delivery.clone(), job.run.clone()));
        let (start, ticks) = (Instant::now(), slot.pulse.ticks());
        let output = craft.work(&job, &self.blobs, &slot.pulse);
        *lock(&slot.current) = None;
        match output {
            Ok(output) => {
                let mut result = JobResult::new(&job, &self.id, &self.build, &output);
                result.cpu_ms = start.elapsed().as_millis() as u64;
                result.nodes = slot.pulse.ticks() - ticks;
                self.finish(delivery, &result)
            }
            Err(Failure::Stopped) => {
                self.bus.settle(delivery, Settle::Later(Duration::ZERO))?;
                Ok(Step::Stopped)
            }
            Err(Failure::Blob(text)) => {
                *lock(&self.complaint) = format!("run {}: {text}", job.run);
                self.bus.settle(delivery, Settle::Later(SOON))?;
                Ok(Step::Failed)
            }
            Err(Failure::Failed(text)) => self.fail(delivery, &job, &text),
        }
    }

    /// Whether this worker did the job in an earlier repetition, which another one has to check.
    fn has_done_twin(&self, job: &Job) -> Result<bool, BusError> {
        for k in 0..job.k {
            let stored = self.bus.last(RESULTS, &result_subject(&job.run, job.n, k))?;
            let result = stored.and_then(|stored| JobResult::read(&stored.payload).ok());
            if result.is_some_and(|result| result.worker == self.id) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn finish(&self, delivery: &Delivery, result: &JobResult) -> Result<Step, WorkerError> {
        if envelope::write(result).len() > envelope::LONGEST_RESULT {
            let job = Job::read(&delivery.payload).map_err(|error| BusError::Broken(error.to_string()))?;
            return self.fail(delivery, &job, "the output is longer than a result may be");
        }
        let path = self.spool.put(result)?;
        self.send(result)?;
        // If this fails, the job comes again, and its result is found.
        self.bus.settle(delivery, Settle::Done)?;
        Spool::remove(&path)?;
        self.done.fetch_add(1, Relaxed);
        lock(&self.complaint).clear();
        Ok(Step::Done)
    }

    /// Sends a result until the server has it.
    fn send(&self, result: &JobResult) -> Result<(), WorkerError> {
        let subject = result_subject(&result.run, result.n, result.k);
        let message = |id| Message {
            subject: subject.clone(),
            id: Some(id),
            expected: None,
            payload: envelope::write(result),
        };
        let published = publish(self.bus, message(result.message_id()))?;
        // The server remembers identities longer than results that were deleted.
        if published.duplicate && self.bus.last(RESULTS, &subject)?.is_none() {
            let id = format!("{}:{:016x}", result.message_id(), platform::Random::fresh_seed());
            publish(self.bus, message(id))?;
        }
        Ok(())
    }

    fn fail(&self, delivery: &Delivery, job: &Job, text: &str) -> Result<Step, WorkerError> {
        self.failed.fetch_add(1, Relaxed);
        *lock(&self.complaint) = format!("run {}, job {}: {text}", job.run, job.n);
        let event = Event {
            v: VERSION,
            run: job.run.clone(),
            worker: self.id.clone(),
            n: job.n,
            complaint: envelope::complaint(text),
        };
        let subject = event_subject(&job.run, &self.id);
        let payload = envelope::write(&event);
        publish(self.bus, Message { subject, id: None, expected: None, payload })?;
        let delay = DELAY * (1 << job.attempt.min(6));
        self.bus.settle(delivery, Settle::Later(delay))?;
        Ok(Step::Failed)
    }
}

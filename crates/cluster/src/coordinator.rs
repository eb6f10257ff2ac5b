//! The coordinator of a run: posts its jobs, checks and enters their results, and survives the loss of everything but its own folder.

use crate::bus::{Bus, BusError, Delivery, Message, Queue, Settle, publish};
use crate::envelope::{self, Build, Event, Job, JobResult, Phase, RunState, VERSION, WorkerState};
use crate::kind::Kind;
use crate::ledger::{LedgerError, RunFolder};
use crate::names::{JOBS, RESULTS, RUNS, WORKERS, job_of_subject, job_subject, run_subject};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

/// Settings of a coordinator. Times are those of the clock that is given to [`Coordinator::step`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The fewest jobs that are posted and not done.
    pub window: usize,
    /// The most.
    pub widest: usize,
    /// One job in so many is done by two workers; 0: none.
    pub twins: u64,
    /// How often the run's state is written.
    pub beat: Duration,
    /// Another coordinator whose state stands still so long is taken for dead.
    pub take_over: Duration,
    /// How often lost jobs are looked for.
    pub sweep: Duration,
    /// Results are confirmed when they are synced, at most so late.
    pub sync: Duration,
    /// A worker that was not heard of so long does not count.
    pub live: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window: 64,
            widest: 20_000,
            twins: 100,
            beat: Duration::from_secs(10),
            take_over: Duration::from_secs(30),
            sweep: Duration::from_mins(1),
            sync: Duration::from_millis(500),
            live: Duration::from_mins(3),
        }
    }
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    /// The folder of the run.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Another process coordinates the same plan.
    #[error("run {0}: another coordinator is at work; stop it, or wait 30 seconds after it has died")]
    Owned(String),
    /// A job is too long to be sent.
    #[error("job {0} is longer than a job may be: {1} bytes")]
    Long(u64, usize),
}

/// What a step came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing happened.
    Waiting,
    /// There was something to do.
    Working,
    /// The bus fails; it will be tried again.
    Trouble(String),
    /// The run has ended.
    Ended(Ending),
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All jobs are done.
    Complete,
    /// All but these, which failed on several workers.
    Poisoned(Vec<u64>),
    /// By `tsumugi cluster cancel`.
    Cancelled,
}

/// Numbers for the display.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Jobs done.
    pub done: u64,
    /// Jobs of the run.
    pub jobs: u64,
    /// Slots of live workers.
    pub slots: u64,
    /// Failures since the start.
    pub failures: u64,
    /// Results that were refused since the start.
    pub refused: u64,
    /// Whether the run is paused.
    pub paused: bool,
}

/// A job that is posted and not done.
#[derive(Clone, Copy)]
struct Posted {
    k: u32,
    attempt: u32,
    at: Duration,
    again: bool,
}

/// A result that waits for its twin.
struct Candidate {
    k: u32,
    worker: String,
    output: Vec<u8>,
    delivery: Delivery,
}

/// Failures of a job.
#[derive(Default)]
struct Failures {
    count: u32,
    workers: BTreeSet<String>,
}

/// Most results taken at a time.
const BATCH: usize = 256;
/// A job that failed so often is given up, whatever the workers.
const MOST_FAILURES: u32 = 20;
/// A result that is not delivered in so many sweeps will not come.
const UNDELIVERED: u32 = 3;
/// A job in flight for longer may be done twice when nothing else is left.
const SLOW: Duration = Duration::from_mins(2);

/// The coordinator of one run.
pub struct Coordinator<'a> {
    bus: &'a dyn Bus,
    kind: &'a dyn Kind,
    build: Build,
    folder: RunFolder,
    settings: Settings,
    state: Option<(u64, RunState)>,
    /// Whether this coordinator has been the owner.
    owned: bool,
    /// The beat of another owner, and since when it has stood still.
    other: Option<(u64, Duration)>,
    beaten: Option<Duration>,
    swept: Option<Duration>,
    synced: Duration,
    /// Whether queues and posted jobs have to be looked at again.
    restore: bool,
    posted: BTreeMap<u64, Posted>,
    /// Jobs to be posted before new ones.
    again: BTreeMap<u64, Posted>,
    next: u64,
    candidates: BTreeMap<u64, Vec<Candidate>>,
    failures: HashMap<u64, Failures>,
    unconfirmed: Vec<Delivery>,
    slots: u64,
    live: usize,
    counts: Progress,
    notes: Vec<String>,
}

impl<'a> Coordinator<'a> {
    /// The coordinator of a run whose plan is in `folder`.
    #[must_use]
    pub fn new(
        bus: &'a dyn Bus,
        kind: &'a dyn Kind,
        build: Build,
        folder: RunFolder,
        settings: Settings,
    ) -> Self {
        Self {
            bus,
            kind,
            build,
            folder,
            settings,
            state: None,
            owned: false,
            other: None,
            beaten: None,
            swept: None,
            synced: Duration::ZERO,
            restore: true,
            posted: BTreeMap::new(),
            again: BTreeMap::new(),
            next: 0,
            candidates: BTreeMap::new(),
            failures: HashMap::new(),
            unconfirmed: Vec::new(),
            slots: 0,
            live: 0,
            counts: Progress::default(),
            notes: Vec::new(),
        }
    }

    /// Its folder, after the run has ended.
    #[must_use]
    pub fn into_folder(self) -> RunFolder {
        self.folder
    }

    /// Whether it coordinates the run, and does not wait for another one.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.state.is_some()
    }

    /// Numbers for the display.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let (jobs, done) = (self.kind.jobs(), self.folder.done().len() as u64);
        let paused = self.state.as_ref().is_some_and(|(_, state)| state.phase == Phase::Paused);
        Progress { jobs, done, slots: self.slots, paused, ..self.counts }
    }

    /// What happened since the last call, a line each.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// The last word of a coordinator that leaves before the end: another may take over at once.
    pub fn leave(&mut self) {
        if let Some((sequence, mut state)) = self.state.take() {
            state.owner.clear();
            // If this fails, the next one waits half a minute.
            let _ = self.write_state(sequence, &state);
        }
    }

    /// One step. `now` is the time since some fixed moment; `wait` is how long to wait for results at most.
    pub fn step(&mut self, now: Duration, wait: Duration) -> Result<Step, CoordinatorError> {
        match self.try_step(now, wait) {
            Ok(step) => Ok(step),
            Err(Trouble::Fatal(error)) => Err(error),
            Err(Trouble::Bus(BusError::Missing)) => {
                self.lost();
                Ok(Step::Trouble("the hub has lost its streams; they are made again".to_owned()))
            }
            Err(Trouble::Bus(BusError::Changed)) => {
                // `tsumugi cluster`, or another coordinator: read the state again.
                self.state = None;
                Ok(Step::Working)
            }
            Err(Trouble::Bus(error)) => Ok(Step::Trouble(error.to_string())),
        }
    }

    /// The server has lost everything, or is new.
    fn lost(&mut self) {
        self.restore = true;
        self.state = None;
        self.unconfirmed.clear();
        self.candidates.clear();
    }

    fn try_step(&mut self, now: Duration, wait: Duration) -> Result<Step, Trouble> {
        if self.restore {
            self.bus.set_up(Some(self.folder.run()))?;
        }
        if !self.own(now)? {
            return Ok(Step::Waiting);
        }
        if let Some((_, state)) = &self.state
            && state.phase == Phase::Cancelled
        {
            return Ok(Step::Ended(Ending::Cancelled));
        }
        if self.restore {
            self.look_at_jobs(now)?;
            self.restore = false;
        }
        let taken = self.take_results(wait)?;
        self.take_events()?;
        self.confirm(now, false)?;
        if let Some(ending) = self.ending() {
            self.confirm(now, true)?;
            self.finish()?;
            return Ok(Step::Ended(ending));
        }
        if self.swept.is_none_or(|swept| now >= swept + self.settings.sweep) {
            self.sweep(now)?;
            self.swept = Some(now);
        }
        let posted = self.post(now)?;
        Ok(if taken + posted > 0 { Step::Working } else { Step::Waiting })
    }

    /// Becomes or stays the owner of the run: whether it is.
    fn own(&mut self, now: Duration) -> Result<bool, Trouble> {
        let due = self.beaten.is_none_or(|beaten| now >= beaten + self.settings.beat);
        if self.state.is_some() && !due {
            return Ok(true);
        }
        let stored = self.bus.last(RUNS, &run_subject(self.folder.run()))?;
        let sequence = stored.as_ref().map_or(0, |stored| stored.sequence);
        let old = stored.and_then(|stored| RunState::read(&stored.payload).ok());
        let mut state = old.unwrap_or_default();
        let is_other = !state.owner.is_empty() && state.owner != self.folder.owner();
        if is_other {
            if self.owned {
                return Err(CoordinatorError::Owned(self.folder.run().to_string()).into());
            }
            match self.other {
                Some((beat, since)) if beat == state.beat => {
                    if now < since + self.settings.take_over {
                        return Ok(false);
                    }
                }
                Some(_) => return Err(CoordinatorError::Owned(self.folder.run().to_string()).into()),
                None => {
                    self.other = Some((state.beat, now));
                    return Ok(false);
                }
            }
        }
        // The same command again resumes a cancelled run.
        if state.phase == Phase::Done || (state.phase == Phase::Cancelled && !self.owned) {
            state.phase = Phase::Open;
        }
        for worker in state.withdrawn.clone() {
            self.withdraw(&worker, "by `tsumugi cluster withdraw`")?;
        }
        self.kind.name().clone_into(&mut state.kind);
        self.folder.owner().clone_into(&mut state.owner);
        state.beat += 1;
        state.jobs = self.kind.jobs();
        state.done = self.folder.done().len() as u64;
        state.poison = self.folder.poison().iter().copied().take(1000).collect();
        state.withdrawn = self.folder.withdrawn().iter().cloned().collect();
        let sequence = self.write_state(sequence, &state)?;
        self.state = Some((sequence, state));
        self.owned = true;
        self.beaten = Some(now);
        self.count_workers()?;
        Ok(true)
    }

    fn write_state(&self, sequence: u64, state: &RunState) -> Result<u64, BusError> {
        let subject = run_subject(self.folder.run());
        let payload = envelope::write(state);
        let message = Message { subject, id: None, expected: Some(sequence), payload };
        Ok(publish(self.bus, message)?.sequence)
    }

    /// Writes the state at the next step.
    fn tell_soon(&mut self) {
        self.beaten = None;
    }

    fn count_workers(&mut self) -> Result<(), Trouble> {
        let workers = workers(self.bus)?;
        let live = self.settings.live.as_secs();
        let newest = workers.iter().map(|(_, state)| state.seen).max().unwrap_or(0);
        let alive = |state: &&(String, WorkerState)| state.1.seen + live >= newest;
        self.live = workers.iter().filter(alive).count();
        self.slots = workers.iter().filter(alive).map(|(_, state)| u64::from(state.slots)).sum();
        Ok(())
    }

    /// After a start, or after the server has lost its store: which jobs are in the queue?
    fn look_at_jobs(&mut self, now: Duration) -> Result<(), Trouble> {
        self.posted.clear();
        self.again.clear();
        let queued = self.queued()?;
        self.next = self.kind.jobs();
        for n in 0..self.kind.jobs() {
            if self.is_over(n) {
                continue;
            }
            let k = self.folder.repetition(n);
            match queued.get(&n) {
                Some(highest) => {
                    let posted = Posted { k: k.max(*highest), attempt: 0, at: now, again: false };
                    self.posted.insert(n, posted);
                }
                None if k == 0 && queued.is_empty() && self.folder.done().range(n..).next().is_none() => {
                    // From here on nothing was posted.
                    self.next = n;
                    break;
                }
                None => {
                    self.again.insert(n, Posted { k, attempt: 0, at: now, again: false });
                }
            }
        }
        Ok(())
    }

    /// The jobs in the queue and their highest repetitions.
    fn queued(&self) -> Result<HashMap<u64, u32>, Trouble> {
        let filter = format!("tsu.job.{}.{}.>", self.kind.class(), self.folder.run());
        let mut queued = HashMap::new();
        for (n, k) in self.bus.subjects(JOBS, &filter)?.iter().filter_map(|subject| job_of_subject(subject)) {
            let highest = queued.entry(n).or_insert(k);
            *highest = k.max(*highest);
        }
        Ok(queued)
    }

    fn is_over(&self, n: u64) -> bool {
        self.folder.done().contains_key(&n) || self.folder.poison().contains(&n)
    }

    fn ending(&self) -> Option<Ending> {
        let done = self.folder.done().len() as u64;
        let poison: Vec<u64> =
            self.folder.poison().iter().copied().filter(|n| !self.folder.done().contains_key(n)).collect();
        let over = done + poison.len() as u64 >= self.kind.jobs();
        over.then_some(if poison.is_empty() { Ending::Complete } else { Ending::Poisoned(poison) })
    }

    /// Takes results; returns how many.
    fn take_results(&mut self, wait: Duration) -> Result<usize, Trouble> {
        let queue = Queue::Results(self.folder.run().clone());
        let deliveries = self.bus.pull(&queue, BATCH, wait)?;
        let count = deliveries.len();
        for delivery in deliveries {
            self.take_result(delivery)?;
        }
        Ok(count)
    }

    fn take_result(&mut self, delivery: Delivery) -> Result<(), Trouble> {
        let named = job_of_subject(&delivery.subject);
        let Some((n, k)) = named.filter(|(n, _)| *n < self.kind.jobs()) else {
            self.unconfirmed.push(delivery);
            return Ok(());
        };
        if self.folder.done().contains_key(&n) || k < self.folder.repetition(n) {
            self.unconfirmed.push(delivery);
            return Ok(());
        }
        let read = match JobResult::read(&delivery.payload) {
            Err(error) => Err((None, error.to_string())),
            Ok(result) if (result.n, result.k) != (n, k) || result.run != *self.folder.run() => {
                Err((Some(result.worker), "the result of another job".to_owned()))
            }
            Ok(result) => match result.output() {
                Err(error) => Err((Some(result.worker), error.to_string())),
                Ok(output) => match self.kind.check(n, &output) {
                    Err(reason) => Err((Some(result.worker), reason)),
                    Ok(()) => Ok((result.worker, output)),
                },
            },
        };
        match read {
            Ok((worker, _)) if self.folder.withdrawn().contains(&worker) => {
                self.redo(n, k)?;
                self.unconfirmed.push(delivery);
            }
            Ok((worker, output)) => self.accept(n, Candidate { k, worker, output, delivery })?,
            Err((worker, reason)) => {
                self.counts.refused += 1;
                self.notes.push(format!("job {n}: the result was refused: {reason}"));
                if let Some(worker) = worker {
                    self.withdraw(&worker, &reason)?;
                }
                self.redo(n, k)?;
                self.unconfirmed.push(delivery);
            }
        }
        Ok(())
    }

    /// Whether a job is done by two workers.
    fn has_twin(&self, n: u64) -> bool {
        let twins = self.settings.twins;
        twins > 0
            && self.kind.is_deterministic()
            && platform::random::mix(n).is_multiple_of(twins)
            && self.live > 1
    }

    fn accept(&mut self, n: u64, new: Candidate) -> Result<(), Trouble> {
        let waiting = self.candidates.remove(&n).unwrap_or_default();
        let (mut others, same): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|old| old.worker != new.worker);
        // Another result of the same worker is not needed. The same one, delivered again, must not be confirmed: it is waiting.
        self.unconfirmed.extend(same.into_iter().filter(|old| old.k != new.k).map(|old| old.delivery));
        if others.is_empty() && !self.has_twin(n) {
            return self.enter(n, new);
        }
        if let Some(index) = others.iter().position(|old| old.output == new.output) {
            let twin = others.remove(index);
            for liar in others {
                self.counts.refused += 1;
                self.withdraw(&liar.worker, "two other workers agree on another result")?;
                self.unconfirmed.push(liar.delivery);
            }
            self.unconfirmed.push(twin.delivery);
            return self.enter(n, new);
        }
        if !others.is_empty() {
            self.notes.push(format!("job {n}: two workers differ, a third decides"));
        }
        let k = others.iter().map(|old| old.k).max().unwrap_or(0).max(new.k) + 1;
        others.push(new);
        self.candidates.insert(n, others);
        self.posted.remove(&n);
        self.again.insert(n, Posted { k, attempt: 0, at: Duration::ZERO, again: false });
        Ok(())
    }

    fn enter(&mut self, n: u64, result: Candidate) -> Result<(), Trouble> {
        self.folder.enter(n, result.k, &result.worker, &result.output)?;
        self.posted.remove(&n);
        self.again.remove(&n);
        self.failures.remove(&n);
        self.unconfirmed.push(result.delivery);
        Ok(())
    }

    /// A job has to be done again.
    fn redo(&mut self, n: u64, k: u32) -> Result<(), Trouble> {
        let k = (k + 1).max(self.folder.repetition(n));
        if k > self.folder.repetition(n) {
            self.folder.again(n, k)?;
        }
        self.posted.remove(&n);
        self.again.insert(n, Posted { k, attempt: 0, at: Duration::ZERO, again: false });
        Ok(())
    }

    fn withdraw(&mut self, worker: &str, reason: &str) -> Result<(), Trouble> {
        if self.folder.withdrawn().contains(worker) {
            return Ok(());
        }
        let jobs = self.folder.withdraw(worker)?;
        let count = jobs.len();
        for n in jobs {
            let k = self.folder.repetition(n);
            self.again.insert(n, Posted { k, attempt: 0, at: Duration::ZERO, again: false });
        }
        self.notes.push(format!("worker {worker} is withdrawn ({reason}), its {count} jobs are done again"));
        self.tell_soon();
        Ok(())
    }

    fn take_events(&mut self) -> Result<(), Trouble> {
        let queue = Queue::Events(self.folder.run().clone());
        for delivery in self.bus.pull(&queue, BATCH, Duration::ZERO)? {
            let event = Event::read(&delivery.payload);
            self.bus.settle(&delivery, Settle::Never)?;
            let Ok(event) = event else { continue };
            if event.n >= self.kind.jobs() || self.is_over(event.n) {
                continue;
            }
            self.counts.failures += 1;
            let failures = self.failures.entry(event.n).or_default();
            failures.count += 1;
            failures.workers.insert(event.worker.clone());
            let is_poison =
                (failures.count >= 3 && failures.workers.len() >= 2) || failures.count >= MOST_FAILURES;
            let last = event.complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            self.notes.push(format!("job {} failed on {}: {last}", event.n, event.worker));
            if is_poison {
                self.folder.give_up(event.n)?;
                self.posted.remove(&event.n);
                self.again.remove(&event.n);
                self.notes.push(format!("job {} is given up", event.n));
                self.tell_soon();
            }
        }
        Ok(())
    }

    /// Syncs the ledger and tells the server that it need not keep the results.
    fn confirm(&mut self, now: Duration, at_once: bool) -> Result<(), Trouble> {
        if self.unconfirmed.is_empty() || (!at_once && now < self.synced + self.settings.sync) {
            return Ok(());
        }
        self.folder.sync()?;
        self.synced = now;
        for delivery in std::mem::take(&mut self.unconfirmed) {
            // If this is lost, the result comes again and is dropped.
            self.bus.settle(&delivery, Settle::Never)?;
        }
        Ok(())
    }

    /// Looks for jobs that were lost, and for twins that do not come.
    fn sweep(&mut self, now: Duration) -> Result<(), Trouble> {
        let queued = self.queued()?;
        let run = self.folder.run().clone();
        let old: Vec<u64> = self
            .posted
            .iter()
            .filter(|(_, posted)| now >= posted.at + self.settings.sweep)
            .map(|(n, _)| *n)
            .collect();
        let results: BTreeSet<(u64, u32)> = if old.iter().any(|n| !queued.contains_key(n)) {
            let subjects = self.bus.subjects(RESULTS, &format!("tsu.res.{run}.>"))?;
            subjects.iter().filter_map(|subject| job_of_subject(subject)).collect()
        } else {
            BTreeSet::new()
        };
        let idle = self.next >= self.kind.jobs() && self.again.is_empty();
        for n in old {
            let Some(posted) = self.posted.get(&n).copied() else { continue };
            // A result that lies on the server will be delivered, unless a coordinator that is gone has confirmed it.
            let (is_queued, has_result) = (queued.contains_key(&n), results.contains(&(n, posted.k)));
            let lost = !is_queued && !has_result;
            let is_confirmed =
                !is_queued && has_result && now >= posted.at + UNDELIVERED * self.settings.sweep;
            let slow =
                idle && !posted.again && now >= posted.at + SLOW && (self.posted.len() as u64) < self.slots;
            if lost || slow {
                self.posted.remove(&n);
                self.again.insert(n, Posted { attempt: posted.attempt + 1, again: slow, ..posted });
            } else if is_confirmed {
                self.posted.remove(&n);
                self.again.insert(n, Posted { k: posted.k + 1, attempt: 0, ..posted });
            }
        }
        if self.live < 2 {
            for (n, mut waiting) in std::mem::take(&mut self.candidates) {
                if waiting.len() == 1
                    && let Some(only) = waiting.pop()
                {
                    self.enter(n, only)?;
                } else {
                    self.candidates.insert(n, waiting);
                }
            }
        }
        Ok(())
    }

    /// Posts jobs until the window is full; returns how many.
    fn post(&mut self, now: Duration) -> Result<usize, Trouble> {
        if self.state.as_ref().is_some_and(|(_, state)| state.phase == Phase::Paused) {
            return Ok(0);
        }
        let window = self.settings.window.max(3 * self.slots as usize).min(self.settings.widest);
        let mut batch = Vec::new();
        while self.posted.len() + batch.len() < window && batch.len() < BATCH {
            let next = if let Some((n, posted)) = self.again.pop_first() {
                (n, posted)
            } else if self.next < self.kind.jobs() {
                self.next += 1;
                (self.next - 1, Posted { k: 0, attempt: 0, at: now, again: false })
            } else {
                break;
            };
            if !self.is_over(next.0) {
                batch.push(next);
            }
        }
        if batch.is_empty() {
            return Ok(0);
        }
        let messages =
            batch.iter().map(|(n, posted)| self.message(*n, *posted)).collect::<Result<Vec<_>, _>>()?;
        let mut answers = self.bus.publish(messages).into_iter();
        let (mut count, mut failed) = (0, None);
        for (n, posted) in batch {
            match answers.next() {
                Some(Ok(published)) if published.duplicate && posted.attempt < 1000 => {
                    // The same message was posted before, and may have been done and deleted since.
                    self.again.insert(n, Posted { attempt: posted.attempt + 1, ..posted });
                }
                Some(Ok(_)) => {
                    self.posted.insert(n, Posted { at: now, ..posted });
                    count += 1;
                }
                Some(Err(error)) => {
                    self.again.insert(n, posted);
                    failed.get_or_insert(error);
                }
                None => {
                    self.again.insert(n, posted);
                }
            }
        }
        failed.map_or(Ok(count), |error| Err(error.into()))
    }

    fn message(&self, n: u64, posted: Posted) -> Result<Message, Trouble> {
        let job = Job {
            v: VERSION,
            run: self.folder.run().clone(),
            n,
            k: posted.k,
            attempt: posted.attempt,
            kind: self.kind.name().to_owned(),
            engine: self.build.clone(),
            work: self.kind.work(n),
        };
        let payload = envelope::write(&job);
        if payload.len() > envelope::LONGEST_JOB {
            return Err(CoordinatorError::Long(n, payload.len()).into());
        }
        let subject = job_subject(self.kind.class(), &job.run, n, posted.k);
        Ok(Message { subject, id: Some(job.message_id()), expected: None, payload })
    }

    /// Tells workers and the server that the run is over.
    fn finish(&mut self) -> Result<(), Trouble> {
        let Some((sequence, state)) = &self.state else { return Ok(()) };
        let done = self.folder.done().len() as u64;
        let poison = self.folder.poison().iter().copied().take(1000).collect();
        let state = RunState { phase: Phase::Done, owner: String::new(), done, poison, ..state.clone() };
        self.write_state(*sequence, &state)?;
        self.bus.forget(self.folder.run())?;
        self.state = None;
        Ok(())
    }
}

/// The states of all workers.
pub fn workers(bus: &dyn Bus) -> Result<Vec<(String, WorkerState)>, BusError> {
    let begin = "$KV.tsu_workers.";
    let mut workers = Vec::new();
    for subject in bus.subjects(WORKERS, &format!("{begin}>"))? {
        let Some(stored) = bus.last(WORKERS, &subject)? else { continue };
        if let Ok(state) = WorkerState::read(&stored.payload) {
            workers.push((subject.strip_prefix(begin).unwrap_or(&subject).to_owned(), state));
        }
    }
    workers.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(workers)
}

/// Why a step was not completed.
enum Trouble {
    Bus(BusError),
    Fatal(CoordinatorError),
}

impl From<BusError> for Trouble {
    fn from(error: BusError) -> Self {
        Self::Bus(error)
    }
}

impl From<CoordinatorError> for Trouble {
    fn from(error: CoordinatorError) -> Self {
        Self::Fatal(error)
    }
}

impl From<LedgerError> for Trouble {
    fn from(error: LedgerError) -> Self {
        Self::Fatal(error.into())
    }
}

//! `tsumugi work`: a worker process with its slots.

use crate::bus::nats::{Address, NatsBus};
use crate::bus::{BusError, Message, Settle, publish};
use crate::envelope::{self, Phase, WorkerState};
use crate::kind::Crafts;
use crate::names::worker_subject;
use crate::worker::{SlotState, Step, Worker, WorkerError};
use platform::{AtPath, FileError, FileLock, Random, atomic_file};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Why a worker does not work.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// Its files.
    #[error(transparent)]
    File(#[from] FileError),
    /// The hub.
    #[error("{url}: {error}")]
    Bus {
        /// Its address.
        url: String,
        /// Why.
        error: BusError,
    },
}

/// What a worker is.
pub struct WorkSettings {
    /// The hub.
    pub address: Address,
    /// The name under which it was invited.
    pub name: String,
    /// Version and signature of the program.
    pub build: String,
    /// Jobs at the same time.
    pub slots: usize,
    /// The folder for all workers of this user.
    pub folder: PathBuf,
}

/// How long a slot waits for a job.
const WAIT: Duration = Duration::from_secs(30);
/// How often the server is told that a job is being worked on.
const PROGRESS: Duration = Duration::from_secs(20);
/// A job that does not move for so long has failed.
const STUCK: Duration = Duration::from_mins(10);
/// How often the state of the worker is written.
const BEAT: Duration = Duration::from_mins(1);
/// The longest pause of a slot whose jobs fail, or of one that cannot reach the hub.
const LONGEST_PAUSE: Duration = Duration::from_mins(2);
/// How often threads look whether to stop.
const TICK: Duration = Duration::from_millis(100);

/// The folder of a worker, held while it lives.
struct Home {
    path: PathBuf,
    id: String,
    _lock: FileLock,
}

impl Home {
    /// The first folder that no other process of this user uses, with the identity that is kept there.
    fn take(folder: &Path, name: &str) -> Result<Self, FileError> {
        for number in 0_u32.. {
            let path = folder.join(format!("{name}-{number}"));
            let Some(lock) = FileLock::take(&path.join("worker.lock"))? else { continue };
            let id_path = path.join("id");
            let kept = std::fs::read_to_string(&id_path).ok().filter(|id| crate::names::is_worker(id));
            let id = if let Some(id) = kept {
                id
            } else {
                let id = format!("{name}.{:08x}", Random::fresh_seed() >> 32);
                atomic_file::write(&id_path, id.as_bytes())?;
                id
            };
            return Ok(Self { path, id, _lock: lock });
        }
        Err(std::io::Error::from(std::io::ErrorKind::QuotaExceeded)).at_path(folder)
    }
}

/// Works until `must_stop`; jobs being done are then given back. `note` receives lines about what happens.
pub fn work<C: Crafts + Default>(
    settings: &WorkSettings,
    must_stop: &(dyn Fn() -> bool + Sync),
    note: &(dyn Fn(&str) + Sync),
) -> Result<(), WorkError> {
    let home = Home::take(&settings.folder, &settings.name)?;
    let at_url = |error| WorkError::Bus { url: settings.address.url.clone(), error };
    let bus = NatsBus::connect(&settings.address, 1).map_err(at_url)?;
    let worker = Worker::new(&bus, &home.id, &settings.build, &home.path)?;
    note(&format!("worker {}: {} slots, tsumugi {}", home.id, settings.slots, settings.build));
    let slots: Vec<SlotState> = (0..settings.slots).map(|_| SlotState::default()).collect();
    let over = AtomicBool::new(false);
    let stop = || over.load(Relaxed) || must_stop();
    std::thread::scope(|scope| {
        let running: Vec<_> = slots
            .iter()
            .map(|slot| {
                let (worker, stop) = (&worker, &stop);
                scope.spawn(move || run_slot(worker, slot, &mut C::default(), stop, note))
            })
            .collect();
        scope.spawn(|| watch(&worker, &slots, &stop, note));
        let mut failed = Ok(());
        for slot in running {
            // A slot that panicked took its job with it; the server gives it to another one.
            if let Ok(Err(error)) = slot.join() {
                failed = Err(error);
            }
        }
        over.store(true, Relaxed);
        failed
    })?;
    Ok(())
}

/// Waits, but not when it is time to stop.
fn pause(time: Duration, stop: &dyn Fn() -> bool) {
    let end = Instant::now() + time;
    while Instant::now() < end && !stop() {
        std::thread::sleep(TICK.min(time));
    }
}

/// Steps until it is time to stop. A full or damaged disk of this worker ends it.
fn run_slot(
    worker: &Worker<'_>,
    slot: &SlotState,
    crafts: &mut dyn Crafts,
    stop: &(dyn Fn() -> bool + Sync),
    note: &(dyn Fn(&str) + Sync),
) -> Result<(), FileError> {
    let (mut delay, mut failures) = (TICK, 0_u32);
    let mut left_over = true;
    while !stop() {
        let step = if left_over {
            worker.send_left_over().map(|_| {
                left_over = false;
                Step::Passed
            })
        } else {
            worker.step(slot, crafts, short_wait())
        };
        match step {
            Err(WorkerError::File(error)) => return Err(error),
            Err(WorkerError::Bus(error)) => {
                // A result may be in the spool.
                left_over = true;
                if delay == TICK && !matches!(error, BusError::Missing) {
                    note(&format!("{error}; trying again"));
                }
                delay = (delay * 2).min(LONGEST_PAUSE);
                let jitter = Random::fresh_seed() % (delay.as_millis() as u64 / 2 + 1);
                pause(delay / 2 + Duration::from_millis(jitter), &stop);
                continue;
            }
            Ok(Step::Failed) => {
                failures += 1;
                let text = worker.complaint.lock().map_or(String::new(), |text| text.clone());
                note(&format!("a job failed: {text}"));
                if failures >= 3 {
                    // Workers whose jobs all fail must not take them from others.
                    pause(Duration::from_secs(10 << failures.min(6)).min(5 * LONGEST_PAUSE), &stop);
                }
            }
            Ok(Step::Done) => failures = 0,
            Ok(Step::Idle | Step::Passed | Step::Stopped) => {}
        }
        delay = TICK;
    }
    Ok(())
}

/// Short enough that Ctrl-C is noticed.
fn short_wait() -> Duration {
    WAIT.min(Duration::from_secs(2))
}

/// Tells the server what is being worked on and that the worker lives, and stops slots.
fn watch(
    worker: &Worker<'_>,
    slots: &[SlotState],
    stop: &(dyn Fn() -> bool + Sync),
    note: &(dyn Fn(&str) + Sync),
) {
    let mut moved: Vec<(u64, Instant)> =
        slots.iter().map(|slot| (slot.pulse.ticks(), Instant::now())).collect();
    let (mut progress, mut beat) = (Instant::now(), None::<Instant>);
    let mut complaint = String::new();
    while !stop() {
        if beat.is_none_or(|beat| beat.elapsed() >= BEAT) && write_state(worker, slots.len()).is_ok() {
            beat = Some(Instant::now());
        }
        let now = worker.complaint.lock().map_or(String::new(), |text| text.clone());
        if now != complaint && !now.is_empty() {
            note(&now);
        }
        complaint = now;
        if progress.elapsed() >= PROGRESS {
            progress = Instant::now();
            for (slot, (ticks, since)) in slots.iter().zip(&mut moved) {
                let now = slot.pulse.ticks();
                if *ticks != now {
                    (*ticks, *since) = (now, Instant::now());
                }
                let Some((delivery, run)) = slot.current() else {
                    *since = Instant::now();
                    continue;
                };
                let is_over =
                    worker.state(&run).ok().flatten().is_some_and(|state| state.phase == Phase::Cancelled);
                if since.elapsed() >= STUCK || is_over {
                    slot.pulse.stop();
                } else {
                    // If it does not arrive, another worker gets the job, too.
                    let _ = worker.bus.settle(&delivery, Settle::Working);
                }
            }
        }
        std::thread::sleep(TICK);
    }
    for slot in slots {
        slot.pulse.stop();
    }
    // The coordinator need not wait for the state to become old.
    let _ = write_state(worker, 0);
}

fn write_state(worker: &Worker<'_>, slots: usize) -> Result<(), BusError> {
    let seen = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let state = WorkerState {
        name: worker.id.split('.').next().unwrap_or_default().to_owned(),
        build: worker.build.clone(),
        slots: slots as u32,
        done: worker.done.load(Relaxed),
        failed: worker.failed.load(Relaxed),
        seen,
        complaint: worker.complaint.lock().map_or(String::new(), |text| text.clone()),
    };
    let subject = worker_subject(&worker.id);
    let payload = envelope::write(&state);
    publish(worker.bus, Message { subject, id: None, expected: None, payload }).map(|_| ())
}

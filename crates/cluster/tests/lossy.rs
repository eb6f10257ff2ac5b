//! Runs over a bus that refuses, loses, repeats and reorders, with coordinators and workers killed at any point and the server's
//! store lost: every job is applied exactly once, and the outputs are those of the undisturbed run.

mod toy;

use cluster::bus::memory::{Faults, MemoryBus};
use cluster::bus::{Bus, BusError, Delivery, Message, Published, Queue, Settle, Stored, publish};
use cluster::coordinator::{Coordinator, CoordinatorError, Ending, Settings, Step};
use cluster::envelope::{self, Phase, RunState, WorkerState};
use cluster::ledger::RunFolder;
use cluster::names::{RUNS, RunId, run_subject, worker_subject};
use cluster::worker::{SlotState, Worker};
use platform::Random;
use proptest::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;
use toy::{BUILD, Manner, Toy, ToyCraft, build, right};

/// A bus that a process uses until it is killed: after so many requests none arrives any more.
struct Mortal<'a> {
    bus: &'a MemoryBus,
    left: AtomicU32,
}

impl Mortal<'_> {
    fn is_dead(&self) -> bool {
        self.left.load(Relaxed) == 0
    }

    fn live(&self) -> Result<(), BusError> {
        let alive = |left: u32| left.checked_sub(1);
        match self.left.fetch_update(Relaxed, Relaxed, alive) {
            Ok(_) => Ok(()),
            Err(_) => Err(BusError::Unavailable("killed".to_owned())),
        }
    }
}

impl Bus for Mortal<'_> {
    fn set_up(&self, run: Option<&RunId>) -> Result<(), BusError> {
        self.live()?;
        self.bus.set_up(run)
    }

    fn publish(&self, messages: Vec<Message>) -> Vec<Result<Published, BusError>> {
        // A process dies between two messages of a batch, too.
        let one = |message| {
            self.live()?;
            publish(self.bus, message)
        };
        messages.into_iter().map(one).collect()
    }

    fn last(&self, stream: &str, subject: &str) -> Result<Option<Stored>, BusError> {
        self.live()?;
        self.bus.last(stream, subject)
    }

    fn subjects(&self, stream: &str, filter: &str) -> Result<Vec<String>, BusError> {
        self.live()?;
        self.bus.subjects(stream, filter)
    }

    fn pull(&self, queue: &Queue, most: usize, wait: Duration) -> Result<Vec<Delivery>, BusError> {
        self.live()?;
        self.bus.pull(queue, most, wait)
    }

    fn settle(&self, delivery: &Delivery, how: Settle) -> Result<(), BusError> {
        self.live()?;
        self.bus.settle(delivery, how)
    }

    fn forget(&self, run: &RunId) -> Result<(), BusError> {
        self.live()?;
        self.bus.forget(run)
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<String, BusError> {
        self.live()?;
        self.bus.put_blob(bytes)
    }

    fn get_blob(&self, name: &str) -> Result<Vec<u8>, BusError> {
        self.live()?;
        self.bus.get_blob(name)
    }
}

const PLAN: &[u8] = b"a plan of toys";
/// Jobs of most runs.
const JOBS: u64 = 20;
const SECOND: Duration = Duration::from_secs(1);

/// What may happen to a run.
#[derive(Clone, Debug)]
struct Fate {
    jobs: u64,
    seed: u64,
    faults: Faults,
    workers: Vec<Manner>,
    /// Processes are killed after up to so many requests; 0: never.
    lives: u32,
    /// The server loses its store after so many steps.
    loss: Option<usize>,
    twins: u64,
    window: usize,
}

impl Default for Fate {
    fn default() -> Self {
        Self {
            jobs: JOBS,
            seed: 1,
            faults: Faults::default(),
            workers: vec![Manner::Honest; 3],
            lives: 0,
            loss: None,
            twins: 0,
            window: 8,
        }
    }
}

struct Outcome {
    ending: Ending,
    outputs: Vec<Option<Vec<u8>>>,
    withdrawn: Vec<String>,
    lines: usize,
    rounds: usize,
}

/// Tells the server that a worker is alive.
fn beat(bus: &MemoryBus, id: &str) {
    let seen = bus.now().as_secs();
    let state = WorkerState { name: id.to_owned(), slots: 1, seen, ..WorkerState::default() };
    let message =
        Message { subject: worker_subject(id), id: None, expected: None, payload: envelope::write(&state) };
    let _ = publish(bus, message);
}

/// One life of a worker: some steps, until it is killed.
fn work(bus: &MemoryBus, folder: &Path, number: usize, manner: Manner, lives: u32, random: &mut Random) {
    let left = if lives == 0 { u32::MAX } else { 1 + random.below(lives as usize) as u32 };
    let mortal = Mortal { bus, left: left.into() };
    let id = format!("w{number}.1");
    let mut worker = Worker::new(&mortal, &id, BUILD, &folder.join(&id)).unwrap();
    worker.believe = Duration::ZERO;
    beat(bus, &id);
    let _ = worker.send_left_over();
    for _ in 0..=random.below(4) {
        let step = worker.step(&SlotState::default(), &mut ToyCraft(manner), Duration::ZERO);
        if step.is_err() && mortal.is_dead() {
            return;
        }
    }
}

fn run(fate: &Fate) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let bus = MemoryBus::new(fate.faults, fate.seed);
    let mut random = Random::new(fate.seed);
    let kind = Toy(fate.jobs);
    let settings =
        Settings { window: fate.window, widest: fate.window, twins: fate.twins, ..Settings::default() };
    let mut steps = 0;
    for round in 0..20_000 {
        let left = if fate.lives == 0 { u32::MAX } else { 1 + random.below(2 * fate.lives as usize) as u32 };
        let mortal = Mortal { bus: &bus, left: left.into() };
        let run = RunFolder::open(&folder.path().join("runs"), PLAN).unwrap();
        let mut coordinator = Coordinator::new(&mortal, &kind, build(), run, settings);
        let ending = loop {
            match coordinator.step(bus.now(), Duration::ZERO) {
                Ok(Step::Ended(ending)) => break Some(ending),
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
            if mortal.is_dead() {
                break None;
            }
            bus.advance(random.below(5) as u32 * SECOND);
            steps += 1;
            assert!(steps < 50_000, "the run does not end: {fate:?}");
            if fate.loss == Some(steps) {
                bus.lose_everything();
            }
            for (number, manner) in fate.workers.iter().enumerate() {
                work(&bus, folder.path(), number, *manner, fate.lives, &mut random);
            }
        };
        let mut run = coordinator.into_folder();
        let Some(ending) = ending else { continue };
        let outputs = (0..fate.jobs).map(|n| run.output(n).unwrap()).collect();
        let withdrawn = run.withdrawn().iter().cloned().collect();
        let ledger = std::fs::read_to_string(run.path().join("ledger")).unwrap();
        let lines = ledger.lines().filter(|line| line.contains(" done ")).count();
        return Outcome { ending, outputs, withdrawn, lines, rounds: round };
    }
    panic!("the run does not end: {fate:?}");
}

fn is_right(outcome: &Outcome) {
    assert_eq!(outcome.ending, Ending::Complete);
    for (n, output) in outcome.outputs.iter().enumerate() {
        assert_eq!(output.as_deref(), Some(&right(n as u64)[..]), "job {n}");
    }
}

#[test]
fn an_undisturbed_run_does_each_job_once() {
    let outcome = run(&Fate::default());
    is_right(&outcome);
    assert_eq!((outcome.lines, outcome.rounds, outcome.withdrawn.len()), (JOBS as usize, 0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_job_is_applied_exactly_once(
        seed in any::<u64>(),
        faults in proptest::array::uniform5(0_u32..120),
        reordered in any::<bool>(),
        lives in prop_oneof![Just(0), 20_u32..80],
        loss in proptest::option::of(1_usize..15),
        twins in prop_oneof![Just(0), 1_u64..4],
    ) {
        let [refused, unanswered, lost, repeated, unheard] = faults;
        let faults = Faults { refused, unanswered, lost, repeated, unheard, reordered };
        let outcome = run(&Fate { seed, faults, lives, loss, twins, ..Fate::default() });
        is_right(&outcome);
        prop_assert_eq!(outcome.lines, JOBS as usize, "no job is entered twice");
        prop_assert!(outcome.withdrawn.is_empty());
    }
}

#[test]
fn a_lying_worker_is_found_by_the_rules_or_by_twins() {
    for seed in 0..3 {
        for (liar, twins) in [(Manner::Cut, 0), (Manner::WrongNumber, 2)] {
            let workers = vec![Manner::Honest, liar, Manner::Honest];
            // Twins begin when the coordinator has counted its workers.
            let outcome = run(&Fate { seed, workers, twins, jobs: 120, ..Fate::default() });
            assert_eq!(outcome.withdrawn, ["w1.1"], "{liar:?}, seed {seed}");
            is_right(&outcome);
        }
    }
}

#[test]
fn a_job_that_fails_everywhere_is_given_up() {
    let outcome = run(&Fate { workers: vec![Manner::FailsAtThree; 2], ..Fate::default() });
    assert_eq!(outcome.ending, Ending::Poisoned(vec![3]));
    assert_eq!(outcome.outputs.iter().filter(|output| output.is_some()).count() as u64, JOBS - 1);
    // One worker is not enough to blame the job.
    let outcome = run(&Fate { workers: vec![Manner::FailsAtThree, Manner::Honest], ..Fate::default() });
    is_right(&outcome);
}

#[test]
fn a_second_coordinator_is_refused_and_takes_over_when_the_first_is_dead() {
    let bus = MemoryBus::default();
    let kind = Toy(5);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let open = |index: usize| {
        let run = RunFolder::open(folders[index].path(), PLAN).unwrap();
        Coordinator::new(&bus, &kind, build(), run, Settings::default())
    };
    let (mut first, mut second) = (open(0), open(1));
    let at = |seconds| seconds * SECOND;
    let owns = |coordinator: &mut Coordinator<'_>, seconds| {
        coordinator.step(at(seconds), SECOND).unwrap();
        coordinator.is_owner()
    };
    assert!(owns(&mut first, 0));
    assert!(!owns(&mut second, 1));
    first.step(at(12), SECOND).unwrap();
    assert!(matches!(second.step(at(13), SECOND), Err(CoordinatorError::Owned(_))));
    // The first one dies.
    let mut second = open_again(second, &bus, &kind);
    assert!(!owns(&mut second, 14));
    assert!(!owns(&mut second, 40));
    assert!(owns(&mut second, 45));
    assert!(matches!(first.step(at(60), SECOND), Err(CoordinatorError::Owned(_))));
    // A coordinator that leaves makes room at once.
    second.leave();
    let mut third = open_again(first, &bus, &kind);
    assert!(owns(&mut third, 61));
}

fn open_again<'a>(old: Coordinator<'a>, bus: &'a MemoryBus, kind: &'a Toy) -> Coordinator<'a> {
    Coordinator::new(bus, kind, build(), old.into_folder(), Settings::default())
}

#[test]
fn a_run_is_paused_cancelled_and_resumed() {
    let bus = MemoryBus::default();
    let folder = tempfile::tempdir().unwrap();
    let kind = Toy(100);
    let run = RunFolder::open(&folder.path().join("runs"), PLAN).unwrap();
    let id = run.run().clone();
    let mut coordinator = Coordinator::new(&bus, &kind, build(), run, Settings::default());
    let set = |phase| {
        let stored = bus.last(RUNS, &run_subject(&id)).unwrap().unwrap();
        let state = RunState { phase, ..RunState::read(&stored.payload).unwrap() };
        let payload = envelope::write(&state);
        let expected = Some(stored.sequence);
        publish(&bus, Message { subject: run_subject(&id), id: None, expected, payload }).unwrap();
    };
    let mut random = Random::new(1);
    let mut round = |coordinator: &mut Coordinator<'_>| {
        let step = coordinator.step(bus.now(), Duration::ZERO).unwrap();
        bus.advance(11 * SECOND);
        for number in 0..5 {
            work(&bus, folder.path(), number, Manner::Honest, 0, &mut random);
        }
        (step, coordinator.progress().done)
    };
    round(&mut coordinator);
    set(Phase::Paused);
    let (_, before) = round(&mut coordinator);
    // What was done before the pause still comes in.
    let (_, paused) = round(&mut coordinator);
    assert!(coordinator.progress().paused && paused < 100 && paused >= before);
    for _ in 0..5 {
        assert_eq!(round(&mut coordinator).1, paused);
    }
    set(Phase::Cancelled);
    let ended = (0..3).find_map(|_| match round(&mut coordinator).0 {
        Step::Ended(ending) => Some(ending),
        _ => None,
    });
    assert_eq!(ended, Some(Ending::Cancelled));
    // The same command again goes on.
    let mut coordinator =
        Coordinator::new(&bus, &kind, build(), coordinator.into_folder(), Settings::default());
    let ended = (0..200).find_map(|_| match round(&mut coordinator).0 {
        Step::Ended(ending) => Some(ending),
        _ => None,
    });
    assert_eq!(ended, Some(Ending::Complete));
    assert_eq!(coordinator.progress().done, 100);
}

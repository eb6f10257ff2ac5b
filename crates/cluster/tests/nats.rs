//! The bus over a real server, with the rights of owner and worker. Skipped with a line where nats-server is not installed.

mod toy;

use cluster::blobs::BlobCache;
use cluster::bus::nats::NatsBus;
use cluster::bus::{Bus, BusError, Message, Queue, Settle, publish};
use cluster::coordinator::{Coordinator, Ending, Settings, Step};
use cluster::envelope::{self, WorkerState};
use cluster::hub::credentials::{Role, address};
use cluster::hub::{Listen, Server, free_port, init, invite};
use cluster::ledger::RunFolder;
use cluster::names::{
    Class, JOBS, RESULTS, RUNS, RunId, job_subject, result_subject, run_subject, worker_subject,
};
use cluster::worker::{SlotState, Worker};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use toy::{BUILD, Manner, Toy, ToyCraft, build, right};

const SECOND: Duration = Duration::from_secs(1);
/// Jobs of a run.
const JOBS_OF_RUN: u64 = 300;

fn hub(folder: &Path) -> Option<Server> {
    let server = std::env::var_os("TSUMUGI_NATS_SERVER").unwrap_or_else(|| "nats-server".into());
    if std::process::Command::new(server).arg("--version").output().is_err() {
        println!("skipped: nats-server is not installed (apt-get install nats-server)");
        return None;
    }
    init(folder, Listen { host: "127.0.0.1".to_owned(), port: 4222, name: None, cert: None, key: None })
        .unwrap();
    Some(Server::start(folder, Some(free_port().unwrap())).unwrap())
}

fn connect(server: &Server, folder: &Path, name: &str) -> NatsBus {
    let file = folder.join(format!("{name}.json"));
    let (_, address) = address(&server.url(), Some(&file), Role::Owner).unwrap();
    NatsBus::connect(&address, 1).unwrap()
}

fn message(subject: &str, id: Option<&str>, expected: Option<u64>) -> Message {
    Message { subject: subject.to_owned(), id: id.map(str::to_owned), expected, payload: b"content".to_vec() }
}

#[test]
fn the_bus_keeps_its_promises() {
    let folder = tempfile::tempdir().unwrap();
    let hub_folder = folder.path().join("hub");
    let Some(server) = hub(&hub_folder) else { return };
    let owner = connect(&server, &hub_folder, "owner");
    let run = RunId::of_plan(b"plan");
    owner.set_up(Some(&run)).unwrap();
    owner.set_up(Some(&run)).unwrap();
    // Repetitions, compare and set, the last of a subject.
    let job = job_subject(Class::Cpu, &run, 3, 0);
    assert!(!publish(&owner, message(&job, Some("a"), None)).unwrap().duplicate);
    assert!(publish(&owner, message(&job, Some("a"), None)).unwrap().duplicate);
    let key = run_subject(&run);
    assert_eq!(owner.last(RUNS, &key).unwrap(), None);
    let first = publish(&owner, message(&key, None, Some(0))).unwrap();
    assert!(matches!(publish(&owner, message(&key, None, Some(0))), Err(BusError::Changed)));
    publish(&owner, message(&key, None, Some(first.sequence))).unwrap();
    assert_eq!(owner.last(RUNS, &key).unwrap().unwrap().payload, b"content");
    assert_eq!(owner.subjects(JOBS, "tsu.job.*.*.>").unwrap(), [job]);
    // A worker takes the job, gives it back, takes it again, is done.
    invite(&hub_folder, "attic").unwrap().write(&hub_folder.join("attic.json")).unwrap();
    let deadline = Instant::now() + 10 * SECOND;
    let (_, attic) = address(&server.url(), Some(&hub_folder.join("attic.json")), Role::Worker).unwrap();
    let worker = loop {
        // The server reads its users again in its own time.
        match NatsBus::connect(&attic, 1) {
            Ok(bus) => break bus,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
    };
    let queue = Queue::Jobs(Class::Cpu);
    let taken = worker.pull(&queue, 1, 5 * SECOND).unwrap().pop().unwrap();
    worker.settle(&taken, Settle::Working).unwrap();
    worker.settle(&taken, Settle::Later(Duration::ZERO)).unwrap();
    let taken = worker.pull(&queue, 1, 5 * SECOND).unwrap().pop().unwrap();
    assert_eq!(taken.payload, b"content");
    assert_eq!(worker.last(RESULTS, &result_subject(&run, 3, 0)).unwrap(), None);
    publish(&worker, message(&result_subject(&run, 3, 0), Some("r"), None)).unwrap();
    assert!(worker.last(RESULTS, &result_subject(&run, 3, 0)).unwrap().is_some());
    worker.settle(&taken, Settle::Done).unwrap();
    assert!(worker.pull(&queue, 1, SECOND / 10).unwrap().is_empty());
    let results = owner.pull(&Queue::Results(run.clone()), 10, SECOND).unwrap();
    assert_eq!(results.len(), 1);
    assert!(owner.pull(&Queue::Events(run.clone()), 10, Duration::ZERO).unwrap().is_empty());
    // Blobs, in pieces.
    let bytes: Vec<u8> = (0..300_000_u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect();
    let name = owner.put_blob(&bytes).unwrap();
    assert_eq!(owner.put_blob(&bytes).unwrap(), name);
    let cache = BlobCache::new(&worker, folder.path());
    assert!(std::fs::read(cache.file(&name).unwrap()).unwrap() == bytes);
    // What a worker may not do.
    publish(&worker, message(&worker_subject("attic.1"), None, None)).unwrap();
    let other_job = job_subject(Class::Cpu, &run, 4, 0);
    for forbidden in [&other_job, &key, &worker_subject("other.1"), &format!("tsu.ev.{run}.other.1")] {
        assert!(publish(&worker, message(forbidden, None, None)).is_err(), "{forbidden}");
    }
    assert_eq!(owner.subjects(JOBS, "tsu.job.>").unwrap(), Vec::<String>::new());
    owner.forget(&run).unwrap();
    assert_eq!(owner.last(RESULTS, &result_subject(&run, 3, 0)).unwrap(), None);
}

#[test]
fn a_run_survives_the_server_and_its_whole_store() {
    let folder = tempfile::tempdir().unwrap();
    let hub_folder = folder.path().join("hub");
    let Some(mut server) = hub(&hub_folder) else { return };
    let owner = connect(&server, &hub_folder, "owner");
    let over = AtomicBool::new(false);
    let run = RunFolder::open(&folder.path().join("runs"), b"plan").unwrap();
    let kind = Toy(JOBS_OF_RUN);
    let mut coordinator = Coordinator::new(&owner, &kind, build(), run, Settings::default());
    std::thread::scope(|scope| {
        for number in 0..3 {
            let bus = connect(&server, &hub_folder, "local");
            let (over, folder) = (&over, folder.path());
            scope.spawn(move || {
                let id = format!("local.{number}");
                let worker = Worker::new(&bus, &id, BUILD, &folder.join(&id)).unwrap();
                let state = WorkerState { slots: 1, ..WorkerState::default() };
                let payload = envelope::write(&state);
                let subject = worker_subject(&id);
                let _ = publish(&bus, Message { subject, id: None, expected: None, payload });
                while !over.load(Relaxed) {
                    let _ = worker.send_left_over();
                    if worker.step(&SlotState::default(), &mut ToyCraft(Manner::Honest), SECOND / 5).is_err()
                    {
                        std::thread::sleep(SECOND / 10);
                    }
                }
            });
        }
        let (begin, mut lost) = (Instant::now(), false);
        let ending = loop {
            match coordinator.step(begin.elapsed(), SECOND / 50) {
                Ok(Step::Ended(ending)) => break Some(ending),
                Ok(_) if begin.elapsed() > 100 * SECOND => break None,
                Ok(_) => {}
                Err(_) => break None,
            }
            if !lost && coordinator.progress().done >= 100 {
                lost = true;
                // The server dies, and its store with it.
                let mut kill = std::process::Command::new("kill");
                kill.arg("-9").arg(server.id().to_string()).status().unwrap();
                while !server_ended(&server) {}
                std::fs::remove_dir_all(hub_folder.join("store")).unwrap();
                while !server.look_after().unwrap() {}
            }
        };
        over.store(true, Relaxed);
        assert_eq!(ending, Some(Ending::Complete), "{:?}", coordinator.progress());
        assert!(lost);
    });
    let mut run = coordinator.into_folder();
    for n in 0..JOBS_OF_RUN {
        assert_eq!(run.output(n).unwrap(), Some(right(n)), "job {n}");
    }
    let ledger = std::fs::read_to_string(run.path().join("ledger")).unwrap();
    assert_eq!(ledger.lines().filter(|line| line.contains(" done ")).count() as u64, JOBS_OF_RUN);
}

/// Whether nothing answers at its port any more.
fn server_ended(server: &Server) -> bool {
    let place = server.url();
    let place = place.trim_start_matches("nats://");
    std::net::TcpStream::connect(place).is_err()
}

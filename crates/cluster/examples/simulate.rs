//! Many workers in one process on a hub of their own: `simulate [WORKERS [JOBS [MILLISECONDS]]]`. Each worker has its own
//! connection and sleeps in place of work. Prints rate, memory of the server and of this process, and the most jobs that waited.

#[path = "../tests/toy/mod.rs"]
mod toy;

use cluster::bus::nats::{Address, NatsBus};
use cluster::bus::{Bus, Message, publish};
use cluster::coordinator::{Coordinator, Settings, Step};
use cluster::envelope::{self, WorkerState};
use cluster::hub::credentials::{Role, address};
use cluster::hub::{Listen, Server, free_port, init};
use cluster::ledger::RunFolder;
use cluster::names::{JOBS, worker_subject};
use cluster::worker::{SlotState, Worker};
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use toy::{BUILD, Manner, Toy, ToyCraft, build, right};

/// Megabytes that a process holds, where the system shows it.
fn megabytes(process: &str) -> u64 {
    let status = std::fs::read_to_string(Path::new("/proc").join(process).join("status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn work(
    address: &Address,
    folder: &Path,
    number: usize,
    time: Duration,
    over: &AtomicBool,
    ready: &AtomicUsize,
) {
    let bus = loop {
        match NatsBus::connect(address, 1) {
            Ok(bus) => break bus,
            Err(_) => std::thread::sleep(Duration::from_millis(200)),
        }
    };
    let id = format!("local.{number}");
    let Ok(worker) = Worker::new(&bus, &id, BUILD, &folder.join(&id)) else { return };
    let seen = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let state = WorkerState { name: id.clone(), slots: 1, seen, ..WorkerState::default() };
    let message =
        Message { subject: worker_subject(&id), id: None, expected: None, payload: envelope::write(&state) };
    while publish(&bus, message.clone()).is_err() {
        std::thread::sleep(Duration::from_millis(200));
    }
    ready.fetch_add(1, Relaxed);
    let mut craft = ToyCraft(Manner::Slow(time));
    while !over.load(Relaxed) {
        if worker.step(&SlotState::default(), &mut craft, Duration::from_secs(2)).is_err() {
            std::thread::sleep(Duration::from_millis(500));
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut number = |usual| words.next().unwrap_or(Ok(usual));
    let (workers, jobs, milliseconds) = (number(1000)? as usize, number(10_000)?, number(1000)?);
    let folder = tempfile::tempdir()?;
    let hub = folder.path().join("hub");
    init(&hub, Listen { host: "127.0.0.1".to_owned(), port: 4222, name: None, cert: None, key: None })?;
    let server = Server::start(&hub, Some(free_port()?))?;
    let (_, local) = address(&server.url(), Some(&hub.join("local.json")), Role::Worker)?;
    let (_, owner) = address(&server.url(), Some(&hub.join("owner.json")), Role::Owner)?;
    let bus = NatsBus::connect(&owner, 1)?;
    let (over, ready) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        let end = End(&over);
        let time = Duration::from_millis(milliseconds);
        for number in 0..workers {
            let (local, folder, over, ready) = (&local, folder.path(), &over, &ready);
            scope.spawn(move || work(local, folder, number, time, over, ready));
        }
        let begin = Instant::now();
        while ready.load(Relaxed) < workers {
            std::thread::sleep(Duration::from_millis(50));
        }
        println!("{workers} workers connected in {:.1} s", begin.elapsed().as_secs_f64());
        let kind = Toy(jobs);
        let run = RunFolder::open(&folder.path().join("runs"), b"simulation")?;
        let mut coordinator =
            Coordinator::new(&bus, &kind, build(), run, Settings { twins: 0, ..Settings::default() });
        let (begin, mut most, mut looked) = (Instant::now(), 0, Instant::now());
        let (mut of_server, mut of_process) = (0, 0);
        while !matches!(coordinator.step(begin.elapsed(), Duration::from_millis(40))?, Step::Ended(_)) {
            if looked.elapsed() > Duration::from_secs(2) {
                looked = Instant::now();
                most = most.max(bus.subjects(JOBS, "tsu.job.>")?.len());
                of_server = of_server.max(megabytes(&server.id().to_string()));
                of_process = of_process.max(megabytes("self"));
            }
        }
        let spent = begin.elapsed().as_secs_f64();
        let mut run = coordinator.into_folder();
        for n in 0..jobs {
            assert_eq!(run.output(n)?, Some(right(n)), "job {n}");
        }
        let rate = jobs as f64 / spent;
        println!(
            "{jobs} jobs of {milliseconds} ms: {spent:.1} s, {rate:.0} jobs/s, {:.2} ms a job",
            1000.0 / rate
        );
        println!(
            "most jobs on the server: {most}; server {of_server} MB, coordinator with all workers {of_process} MB"
        );
        drop(end);
        Ok(())
    })
}

/// Ends the workers, also after an error.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

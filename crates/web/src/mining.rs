//! Books that grow from a position: an engine thinks about where their best lines end.

use crate::app_state::AppState;
use crate::board::{Document, lock};
use crate::engine::{Pool, Seat};
use crate::protocol::{BookMine, Event, MiningProgress, Refusal, RefusalCode};
use book::{
    Effort, GrowingBook, LeafPolicy, LineEnd, Pace, SolvedBook, ThinkError, Thinker, choose_leaves, think_all,
};
use engines::UsiThinker;
use shogi::Position;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// More positions are not thought about at a time.
const MOST_POSITIONS: u32 = 10_000;
/// No search goes deeper.
const MOST_DEPTH: u32 = 60;
/// The book is written so often; what is found in between is in its journal.
const SAVE_EVERY: Duration = Duration::from_mins(1);

/// A book that grows.
struct Running {
    stop: Arc<AtomicBool>,
    progress: MiningProgress,
}

/// All books that grow.
#[derive(Default)]
pub struct MiningJobs {
    running: Mutex<HashMap<String, Running>>,
}

/// What one thread does.
struct Work {
    name: String,
    path: PathBuf,
    root: (Position, String),
    positions: usize,
    stop: Arc<AtomicBool>,
    app: Weak<AppState>,
    _seat: Seat,
}

fn failed(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(RefusalCode::File, error.to_string())
}

/// The ends of lines of a book that is there.
fn line_end(path: &Path) -> LineEnd {
    let mut start = [0; 256];
    let read = File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    if start[..read].contains(&b'\r') { LineEnd::CrLf } else { LineEnd::Lf }
}

impl MiningJobs {
    /// Lets a book grow from a node of a board; events tell how far it is.
    pub fn start(
        &self,
        app: &Arc<AppState>,
        pool: &Arc<Pool>,
        args: &BookMine,
        document: &Document,
        node: u32,
    ) -> Result<(), Refusal> {
        let path = app.books.file_to_change(&args.book)?;
        let position = crate::book::position_of(document, &document.line(node)?.text())?;
        let engine = args.engine.as_deref().unwrap_or(crate::engine::OWN);
        pool.check(engine, "shogi")?;
        if lock(&self.running).contains_key(&args.book) {
            return Err(Refusal::new(RefusalCode::State, "the book is growing already: stop that first")
                .ja("この定跡はすでに掘っています。先に止めてください。"));
        }
        let growing = GrowingBook::open(&path, line_end(&path)).map_err(failed)?;
        let effort = Effort {
            depth: args.depth.unwrap_or(14).clamp(1, MOST_DEPTH),
            nodes: None,
            multi_pv: args.lines.unwrap_or(2).clamp(1, 10) as usize,
        };
        let seat = pool.seat()?;
        let thinker = pool.take(engine, "shogi").and_then(|session| {
            let thinker = UsiThinker::of_session(session, effort);
            thinker.map_err(|error| Refusal::new(RefusalCode::Engine, format!("{engine}: {error}")))
        })?;
        let positions = args.positions.unwrap_or(20).clamp(1, MOST_POSITIONS);
        let stop = Arc::new(AtomicBool::new(false));
        let progress = MiningProgress {
            book: args.book.clone(),
            state: "running".to_owned(),
            done: 0,
            total: positions,
            text: String::new(),
        };
        let root = (position, format!("position {}", document.command(node)));
        let work = Work {
            name: args.book.clone(),
            path,
            root,
            positions: positions as usize,
            stop: stop.clone(),
            app: Arc::downgrade(app),
            _seat: seat,
        };
        lock(&self.running).insert(args.book.clone(), Running { stop, progress: progress.clone() });
        app.tell_all(&Event::Mining(progress));
        let thread = std::thread::Builder::new().name("mining".to_owned());
        let spawned = thread.spawn(move || work.run(growing, Box::new(thinker)));
        spawned.map(|_| ()).map_err(|error| {
            lock(&self.running).remove(&args.book);
            Refusal::new(RefusalCode::Engine, error.to_string())
        })
    }

    /// Ends the growth of a book after the present position.
    pub fn stop(&self, name: &str) {
        if let Some(running) = lock(&self.running).get(name) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends all.
    pub fn close(&self) {
        lock(&self.running).values().for_each(|running| running.stop.store(true, Ordering::Relaxed));
    }

    /// How far a book is that grows.
    pub fn progress(&self, name: &str) -> Option<MiningProgress> {
        lock(&self.running).get(name).map(|running| running.progress.clone())
    }
}

impl Work {
    fn run(self, mut growing: GrowingBook, thinker: Box<dyn Thinker>) {
        let mut thinkers = [thinker];
        let grown = self.grow(&mut growing, &mut thinkers);
        // What was found is in the journal, whatever became of the work.
        let closed = growing.close();
        drop(thinkers);
        let (done, state, text) = match (grown, closed) {
            (Ok(done), Ok(_)) if self.stop.load(Ordering::Relaxed) => (done, "stopped", String::new()),
            (Ok(done), Ok(_)) => (done, "done", String::new()),
            (Err(error), _) => (0, "failed", error.to_string()),
            (_, Err(error)) => (0, "failed", error.to_string()),
        };
        let Some(app) = self.app.upgrade() else { return };
        lock(&app.minings.running).remove(&self.name);
        app.books.reload(&self.name);
        let progress = MiningProgress {
            book: self.name.clone(),
            state: state.to_owned(),
            done: done as u32,
            total: self.positions as u32,
            text,
        };
        app.tell_all(&Event::Mining(progress));
    }

    /// In rounds, as later positions depend on what earlier ones are worth.
    fn grow(
        &self,
        growing: &mut GrowingBook,
        thinkers: &mut [Box<dyn Thinker>],
    ) -> Result<usize, ThinkError> {
        let roots = std::slice::from_ref(&self.root);
        let round = (self.positions / 8).max(1);
        let mut done = 0;
        while done < self.positions && !self.stop.load(Ordering::Relaxed) {
            growing.save()?;
            let count = round.min(self.positions - done);
            let leaves = if growing.book().is_empty() {
                vec![self.root.0.clone()]
            } else {
                let threads = std::thread::available_parallelism().map_or(1, usize::from);
                let solved = SolvedBook::read(&self.path, threads, &|_, _| ())?;
                choose_leaves(growing.book(), &solved, roots, &LeafPolicy::Next, count)
            };
            if leaves.is_empty() {
                break;
            }
            let stop = || self.stop.load(Ordering::Relaxed);
            let pace = Pace { save_every: SAVE_EVERY, stop: &stop };
            let tell = |count: usize, _: usize, _: &Position| self.tell(done + count);
            let found = think_all(growing, &leaves, thinkers, &pace, &tell)?;
            done += found;
            if found == 0 {
                break;
            }
        }
        Ok(done)
    }

    fn tell(&self, done: usize) {
        let Some(app) = self.app.upgrade() else { return };
        let progress = lock(&app.minings.running).get_mut(&self.name).map(|running| {
            running.progress.done = done as u32;
            running.progress.clone()
        });
        if let Some(progress) = progress {
            app.tell_all(&Event::Mining(progress));
        }
    }
}

//! Positions thought about by several engines at a time; each result goes to the journal at once.

use crate::known::{Entry, Found, Known};
use crate::run::{Job, Progress, RunError};
use crate::thinker::{ThinkError, Thinker};
use arena::EngineSpec;
use arena::setup::choose_variant;
use arena::tournament::RunFolder;
use platform::{sha256, workers};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A game's name, and what is sent as `position …`.
pub type Task = (String, String);

/// Options that change how fast an engine is, not what it finds.
const SPEED: [&str; 2] = ["Threads", "USI_Hash"];

/// The engines for one game.
struct Variant {
    engine: EngineSpec,
    mate_engine: Option<EngineSpec>,
    /// The engine's name for people.
    name: String,
    /// Its name, program and options.
    key: String,
    /// How many lines it can show.
    lines: usize,
    /// Started for its name, waiting for the first worker.
    waiting: Mutex<Option<Thinker>>,
}

/// What workers share.
pub struct Pool<'a> {
    job: &'a Job<'a>,
    journal: Mutex<Journal>,
    variants: BTreeMap<String, Variant>,
    progress: &'a dyn Progress,
}

struct Journal {
    folder: RunFolder,
    known: Known,
    /// What ended everything.
    fatal: Option<RunError>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Pool<'a> {
    /// No engine is started yet.
    pub fn new(job: &'a Job<'a>, folder: RunFolder, known: Known, progress: &'a dyn Progress) -> Self {
        let journal = Mutex::new(Journal { folder, known, fatal: None });
        Self { job, journal, variants: BTreeMap::new(), progress }
    }

    fn errors_of(&self, spec: &EngineSpec) -> PathBuf {
        lock(&self.journal).folder.errors_of(&spec.name)
    }

    /// Starts an engine for a game, to know its name.
    pub fn begin(&mut self, variant: &str) -> Result<(), RunError> {
        let told = |spec: &EngineSpec| {
            let mut specs = [spec.clone()];
            choose_variant(&mut specs, variant, self.job.variant_path.as_deref())?;
            let [spec] = specs;
            Ok::<_, RunError>(spec)
        };
        let engine = told(&self.job.engine)?;
        let mate_engine = self.job.mate_engine.as_ref().map(told).transpose()?;
        let mut thinker =
            Thinker::new(engine.clone(), self.job.preferences.clone(), Some(self.errors_of(&engine)));
        let name = thinker.identity()?;
        let mut lines = self.job.effort.lines;
        if lines > 1 && !thinker.has_lines()? {
            self.progress.warn(&format!("engine {name}: has no option MultiPV: one line instead of {lines}"));
            lines = 1;
        }
        let key = key(&name, &engine);
        let waiting = Mutex::new(Some(thinker));
        self.variants.insert(variant.to_owned(), Variant { engine, mate_engine, name, key, lines, waiting });
        Ok(())
    }

    /// The engines' names for people.
    pub fn engine_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.variants.values().map(|variant| variant.name.clone()).collect();
        names.dedup();
        names
    }

    fn effort(&self, variant: &Variant) -> crate::Effort {
        crate::Effort { lines: variant.lines, ..self.job.effort }
    }

    /// What is known of a position, as far as it is good enough.
    pub fn found(&self, task: &Task) -> Found {
        let Some(variant) = self.variants.get(&task.0) else { return Found::default() };
        let (effort, journal) = (self.effort(variant), lock(&self.journal));
        let candidates = journal.known.candidates(task, &variant.key, &effort).unwrap_or_default();
        Found { candidates, mate: journal.known.mate(task, &effort).flatten() }
    }

    fn is_known(&self, task: &Task) -> bool {
        let Some(variant) = self.variants.get(&task.0) else { return true };
        let (effort, journal) = (self.effort(variant), lock(&self.journal));
        journal.known.candidates(task, &variant.key, &effort).is_some()
            && journal.known.mate(task, &effort).is_some()
    }

    /// Thinks about every position that is not known; returns how many could not be analysed.
    pub fn think(&self, tasks: &[Task]) -> Result<usize, RunError> {
        let open: Vec<&Task> = tasks.iter().filter(|task| !self.is_known(task)).collect();
        self.progress.total(tasks.len(), tasks.len() - open.len());
        let failed = AtomicUsize::new(0);
        let new = || Worker { pool: self, engines: None };
        let workers = workers::gather(&open, self.job.jobs.max(1), new, |worker, _, task| {
            if lock(&self.journal).fatal.is_some() {
                return;
            }
            match worker.work(task) {
                Ok(()) => {}
                Err(RunError::Think(ThinkError::Died(why))) => {
                    failed.fetch_add(1, Ordering::Relaxed);
                    self.progress.warn(&format!("position {}: {}", task.1, ThinkError::Died(why)));
                }
                Err(error) => {
                    lock(&self.journal).fatal.get_or_insert(error);
                }
            }
            self.progress.advance();
        });
        workers.into_iter().for_each(Worker::quit);
        for variant in self.variants.values() {
            if let Some(thinker) = lock(&variant.waiting).take() {
                thinker.quit();
            }
        }
        for spec in
            self.variants.values().flat_map(|variant| variant.mate_engine.iter().chain([&variant.engine]))
        {
            let errors = self.errors_of(spec);
            if errors.metadata().is_ok_and(|data| data.len() == 0) {
                // It had nothing to say.
                std::fs::remove_file(errors).ok();
            }
        }
        let mut journal = lock(&self.journal);
        if let Some(error) = journal.fatal.take() {
            return Err(error);
        }
        journal.folder.sync()?;
        Ok(failed.into_inner())
    }
}

/// Engines of one thread.
struct Worker<'a> {
    pool: &'a Pool<'a>,
    engines: Option<Engines>,
}

struct Engines {
    variant: String,
    thinker: Thinker,
    /// Where another engine proves mates.
    mates: Option<Thinker>,
}

impl Worker<'_> {
    fn work(&mut self, task: &Task) -> Result<(), RunError> {
        let Some(variant) = self.pool.variants.get(&task.0) else { return Ok(()) };
        let effort = self.pool.effort(variant);
        let (candidates, mate) = {
            let journal = lock(&self.pool.journal);
            (journal.known.candidates(task, &variant.key, &effort), journal.known.mate(task, &effort))
        };
        let engines = self.engines(&task.0, variant);
        let Engines { thinker, mates, .. } = engines;
        let candidates = candidates.map_or_else(|| thinker.think(&task.1, &effort), Ok)?;
        let prover = mates.as_mut().unwrap_or(thinker);
        let mate = mate.map_or_else(|| prover.mate(&task.1, effort.mate_nodes), Ok)?;
        let entry = Entry {
            variant: task.0.clone(),
            position: task.1.clone(),
            engine: variant.key.clone(),
            limit: effort.limit,
            lines: effort.lines,
            candidates,
            mate_nodes: effort.mate_nodes,
            mate,
        };
        let mut journal = lock(&self.pool.journal);
        journal.folder.append(&entry)?;
        journal.known.add(entry);
        Ok(())
    }

    /// The engines for a game; those for another one end.
    fn engines(&mut self, name: &str, variant: &Variant) -> &mut Engines {
        if self.engines.as_ref().is_some_and(|engines| engines.variant != name) {
            self.engines.take().into_iter().for_each(Engines::quit);
        }
        let pool = self.pool;
        self.engines.get_or_insert_with(|| {
            let new = |spec: &EngineSpec| {
                Thinker::new(spec.clone(), pool.job.preferences.clone(), Some(pool.errors_of(spec)))
            };
            let waiting = lock(&variant.waiting).take();
            Engines {
                variant: name.to_owned(),
                thinker: waiting.unwrap_or_else(|| new(&variant.engine)),
                mates: variant.mate_engine.as_ref().map(new),
            }
        })
    }

    fn quit(self) {
        self.engines.into_iter().for_each(Engines::quit);
    }
}

impl Engines {
    fn quit(self) {
        self.thinker.quit();
        self.mates.into_iter().for_each(Thinker::quit);
    }
}

/// By what an engine is known again: its name, its program's content, and the options that it is given.
fn key(name: &str, spec: &EngineSpec) -> String {
    let mut key = name.to_owned();
    if let Ok(program) = std::fs::read(&spec.command) {
        key.push(' ');
        key.extend(sha256(&program).chars().take(12));
    }
    let arguments = spec.arguments.iter().map(|word| format!(" {word}"));
    let options = spec.options.iter().filter(|(name, _)| !SPEED.contains(&name.as_str()));
    arguments.chain(options.map(|(name, value)| format!(" {name}={value}"))).for_each(|word| key += &word);
    key
}

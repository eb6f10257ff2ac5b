use super::schedule::Fixture;
use crate::engine::EngineSpec;
use crate::play::{Conditions, PlayError, Played, Player, play};
use game::Game;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Replaced in option values by the number of the worker, so that engines that write logs use different files.
const THREAD_NUMBER: &str = "%%THREAD_NUMBER%%";

/// A game for a worker.
pub struct Job {
    /// The game's place in the schedule.
    pub fixture: Fixture,
    /// The start position.
    pub opening: String,
    /// Options of Black and White in addition to their own.
    pub options: [Vec<(String, String)>; 2],
}

/// A finished game.
pub struct Finished {
    /// The job.
    pub job: Job,
    /// The result.
    pub played: Result<Played, PlayError>,
}

/// The workers: each plays one game at a time with its own engine processes.
pub struct Pool<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The engines, indexed by fixtures.
    pub engines: &'a [Arc<EngineSpec>],
    /// The conditions of all games.
    pub conditions: Conditions,
    /// Number of parallel games.
    pub concurrency: usize,
    /// Cores for the workers and their engines, in turn; if empty, the system chooses.
    pub cores: Vec<usize>,
    /// The file for each engine's standard error; if empty, it is discarded.
    pub errors: Vec<PathBuf>,
}

impl<G: Game> Pool<'_, G> {
    /// Plays the jobs of `next` until there are no more, or `done` breaks.
    ///
    /// `done` is called on this thread, in the order in which games finish. When it breaks, running games are left
    /// unfinished.
    pub fn run<B>(
        &self,
        next: impl FnMut() -> Option<Job> + Send,
        mut done: impl FnMut(Finished) -> ControlFlow<B>,
    ) -> Option<B> {
        let next = Mutex::new(next);
        let cancel = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for worker in 0..self.concurrency.max(1) {
                let (sender, next, cancel) = (sender.clone(), &next, &cancel);
                scope.spawn(move || self.work(worker, next, &sender, cancel));
            }
            drop(sender);
            for finished in results {
                if let ControlFlow::Break(reason) = done(finished) {
                    cancel.store(true, Ordering::Relaxed);
                    return Some(reason);
                }
            }
            None
        })
    }

    fn work(
        &self,
        worker: usize,
        next: &Mutex<impl FnMut() -> Option<Job>>,
        results: &Sender<Finished>,
        cancel: &AtomicBool,
    ) {
        if !self.cores.is_empty() {
            platform::numa::pin_to_core(self.cores[worker % self.cores.len()]);
        }
        // An engine may play both sides, with a process for each.
        let mut players: BTreeMap<(usize, usize), Player> = BTreeMap::new();
        while !cancel.load(Ordering::Relaxed) {
            // A poisoned lock means that `next` panicked, which ends the run anyway.
            let job = next.lock().unwrap_or_else(PoisonError::into_inner)();
            let Some(job) = job else { return };
            let Fixture { black, white, .. } = job.fixture;
            let seats = if black == white { [(black, 0), (white, 1)] } else { [(black, 0), (white, 0)] };
            for seat in seats {
                players.entry(seat).or_insert_with(|| self.player(seat.0, worker));
            }
            let Some(pair) = two(&mut players, seats) else { return };
            let options = [job.options[0].as_slice(), job.options[1].as_slice()];
            let played = play(self.game, &job.opening, pair, options, &self.conditions, cancel);
            if played == Err(PlayError::Cancelled) || results.send(Finished { job, played }).is_err() {
                return;
            }
        }
    }

    fn player(&self, engine: usize, worker: usize) -> Player {
        let mut spec = EngineSpec::clone(&self.engines[engine]);
        let number = worker.to_string();
        for (_, value) in &mut spec.options {
            *value = value.replace(THREAD_NUMBER, &number);
        }
        for path in spec.paths.values_mut() {
            *path = path.to_string_lossy().replace(THREAD_NUMBER, &number).into();
        }
        let patience = Duration::from_millis(self.conditions.patience_ms);
        Player::new(Arc::new(spec), patience, self.errors.get(engine).cloned())
    }
}

/// Both players of a game, in either order of the map.
fn two(
    players: &mut BTreeMap<(usize, usize), Player>,
    seats: [(usize, usize); 2],
) -> Option<[&mut Player; 2]> {
    let mut found = [None, None];
    for (seat, player) in players.iter_mut() {
        if let Some(color) = seats.iter().position(|wanted| wanted == seat) {
            found[color] = Some(player);
        }
    }
    let [Some(black), Some(white)] = found else { return None };
    Some([black, white])
}

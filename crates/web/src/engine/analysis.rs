//! Engines that analyse boards: one thread each, moved from node to node.

use super::game_analysis;
use super::info::InfoLine;
use super::pool::{Pool, Seat};
use super::pooled_engine::PooledEngine;
use super::thinking::Think;
use crate::board::{Board, lock};
use crate::games::Line;
use crate::protocol::{
    Analysis, EngineState, EngineStatus, Event, NamedMove, NodeEval, PvLine, Refusal, RefusalCode, Side,
    Value,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

/// Events of one engine on one board come at most so often.
const EVERY: Duration = Duration::from_millis(100);
/// An analysis goes on for so long after the last tab has gone: pages are reloaded.
const UNWATCHED: Duration = Duration::from_secs(10);
/// How long a new piece of work waits for the one before it to end.
const TURNOVER: Duration = Duration::from_secs(15);

/// What an engine is to look at.
#[derive(Clone)]
pub(super) struct AnalysisRequest {
    pub(super) node: u32,
    pub(super) lines: u32,
    /// Milliseconds; without end where absent.
    pub(super) time: Option<u64>,
}

/// One engine on one board.
pub(super) struct Job {
    pub(super) board: Weak<Mutex<Board>>,
    pub(super) board_id: String,
    pub(super) game: String,
    pub(super) engine: String,
    /// Every position of a line, not one after the other as tabs go to them.
    whole_game: bool,
    request: Mutex<Option<AnalysisRequest>>,
    /// Set when the request has changed or the job ends.
    pub(super) stop: AtomicBool,
    ended: AtomicBool,
    news: Condvar,
}

impl Job {
    /// Waits for something to look at; `None` when the job ends.
    fn next(&self) -> Option<AnalysisRequest> {
        let mut request = lock(&self.request);
        loop {
            if self.ended.load(Ordering::Relaxed) || self.board.strong_count() == 0 {
                return None;
            }
            if let Some(request) = request.take() {
                self.stop.store(false, Ordering::Relaxed);
                return Some(request);
            }
            request = self
                .news
                .wait_timeout(request, Duration::from_secs(1))
                .map_or_else(|error| error.into_inner().0, |(request, _)| request);
        }
    }

    fn request(&self, new: AnalysisRequest) {
        let mut request = lock(&self.request);
        *request = Some(new);
        self.stop.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }

    pub(super) fn end(&self) {
        // `next` clears `stop` under this lock, after it has looked at `ended`.
        let _request = lock(&self.request);
        self.ended.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    pub(super) fn tell(&self, event: &Event) {
        if let Some(board) = self.board.upgrade() {
            lock(&board).send(event);
        }
    }

    pub(super) fn status(&self, state: EngineState, text: impl Into<String>) {
        let (board, engine) = (self.board_id.clone(), self.engine.clone());
        self.tell(&Event::Engine(EngineStatus { board, engine, state, text: text.into() }));
    }
}

/// All engines that analyse.
pub struct Analyses {
    pool: Arc<Pool>,
    jobs: Mutex<HashMap<(String, String), Arc<Job>>>,
}

impl Analyses {
    /// No engine analyses.
    #[must_use]
    pub fn new(pool: Arc<Pool>) -> Arc<Self> {
        Arc::new(Self { pool, jobs: Mutex::default() })
    }

    fn job(board: &Arc<Mutex<Board>>, engine: &str, whole_game: bool) -> Job {
        let locked = lock(board);
        Job {
            board: Arc::downgrade(board),
            board_id: locked.id.clone(),
            game: locked.document().game.rules().game.game.clone(),
            engine: engine.to_owned(),
            whole_game,
            request: Mutex::new(None),
            stop: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            news: Condvar::new(),
        }
    }

    /// Starts an engine on a node, or moves it there.
    pub fn start(
        self: &Arc<Self>,
        board: &Arc<Mutex<Board>>,
        engine: &str,
        node: u32,
        lines: u32,
    ) -> Result<(), Refusal> {
        lock(board).document().get(node)?;
        let request = AnalysisRequest { node, lines: lines.clamp(1, 10), time: None };
        let job = Self::job(board, engine, false);
        self.pool.check(engine, &job.game)?;
        let key = (job.board_id.clone(), engine.to_owned());
        let mut jobs = lock(&self.jobs);
        if let Some(job) = jobs.get(&key).filter(|job| !job.has_ended()) {
            if job.whole_game {
                let text = format!("{engine} is analysing the whole game: stop that first");
                return Err(Refusal::new(RefusalCode::State, text)
                    .ja(format!("{engine} は全局を解析しています。先に止めてください。")));
            }
            job.request(request);
            return Ok(());
        }
        let seat = self.pool.seat()?;
        let job = Arc::new(job);
        job.request(request);
        jobs.insert(key, job.clone());
        drop(jobs);
        self.spawn(job, seat, Self::analyse)
    }

    /// Analyses the positions of a line, one after the other.
    pub fn start_game(
        self: &Arc<Self>,
        board: &Arc<Mutex<Board>>,
        engine: &str,
        node: u32,
        time: u64,
    ) -> Result<(), Refusal> {
        let path = {
            let board = lock(board);
            board.document().get(node)?;
            board.document().path(node)
        };
        let job = Self::job(board, engine, true);
        self.pool.check(engine, &job.game)?;
        let key = (job.board_id.clone(), engine.to_owned());
        self.end_and_wait(&key)?;
        let mut jobs = lock(&self.jobs);
        let seat = self.pool.seat()?;
        let job = Arc::new(job);
        jobs.insert(key, job.clone());
        drop(jobs);
        self.spawn(job, seat, move |analyses, job| game_analysis::run(&analyses.pool, job, &path, time))
    }

    /// Ends what an engine does on a board.
    fn end_and_wait(&self, key: &(String, String)) -> Result<(), Refusal> {
        let until = Instant::now() + TURNOVER;
        while let Some(job) = lock(&self.jobs).get(key).cloned() {
            job.end();
            if Instant::now() > until {
                let text = format!("{} does not stop: try again", key.1);
                return Err(Refusal::new(RefusalCode::State, text));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    fn spawn(
        self: &Arc<Self>,
        job: Arc<Job>,
        seat: Seat,
        work: impl FnOnce(&Self, &Job) + Send + 'static,
    ) -> Result<(), Refusal> {
        let analyses = self.clone();
        let thread = std::thread::Builder::new().name(format!("analysis {}", job.board_id));
        let spawned = thread.spawn(move || {
            work(&analyses, &job);
            job.end();
            // A request that waits for the end of this work finds the seat free.
            drop(seat);
            let key = (job.board_id.clone(), job.engine.clone());
            let mut jobs = lock(&analyses.jobs);
            if jobs.get(&key).is_some_and(|known| Arc::ptr_eq(known, &job)) {
                jobs.remove(&key);
            }
        });
        spawned
            .map(|_| ())
            .map_err(|error| Refusal::new(RefusalCode::Engine, format!("no thread for the engine: {error}")))
    }

    /// Stops an engine on a board.
    pub fn stop(&self, board: &str, engine: &str) {
        if let Some(job) = lock(&self.jobs).get(&(board.to_owned(), engine.to_owned())) {
            job.end();
        }
    }

    /// Stops every engine on a board.
    pub fn stop_board(&self, board: &str) {
        lock(&self.jobs).iter().filter(|((id, _), _)| id == board).for_each(|(_, job)| job.end());
    }

    /// Stops engines on boards that no tab has looked at for a while.
    pub fn stop_unwatched(&self) {
        for job in lock(&self.jobs).values() {
            // A board that is busy is looked at the next time.
            let unwatched = job
                .board
                .upgrade()
                .is_none_or(|board| board.try_lock().is_ok_and(|board| board.is_alone_for(UNWATCHED)));
            if unwatched {
                job.end();
            }
        }
    }

    /// Stops all.
    pub fn close(&self) {
        lock(&self.jobs).values().for_each(|job| job.end());
    }

    fn analyse(&self, job: &Job) {
        job.status(EngineState::Starting, "");
        let mut engine = match PooledEngine::take(&self.pool, &job.engine, &job.game) {
            Ok(engine) => engine,
            Err(refusal) => return job.status(EngineState::Failed, refusal.text),
        };
        while let Some(request) = job.next() {
            if let Err(refusal) = search(job, &mut engine, &request) {
                return job.status(EngineState::Failed, refusal.text);
            }
            if lock(&job.request).is_none() {
                job.status(EngineState::Idle, "");
            }
        }
        engine.give_back();
        job.status(EngineState::Idle, "");
    }
}

/// Lets an engine look at one position; one that breaks is replaced.
pub(super) fn search(
    job: &Job,
    engine: &mut PooledEngine<'_>,
    request: &AnalysisRequest,
) -> Result<(), Refusal> {
    let look = |session: &mut arena::Session| {
        job.status(EngineState::Thinking, "");
        look(job, session, request)
    };
    engine.run(look, |why| job.status(EngineState::Restarting, why))
}

/// One position: tells what the engine says until it ends. Nodes that are gone, and the end of a game, have nothing to look at.
fn look(job: &Job, session: &mut arena::Session, request: &AnalysisRequest) -> Result<(), String> {
    let Some(board) = job.board.upgrade() else { return Ok(()) };
    let document = lock(&board).document().clone();
    drop(board);
    let Ok(line) = document.line(request.node) else { return Ok(()) };
    let ended = document.find(request.node).is_some_and(|node| node.shown.ending.is_some());
    if ended || line.outcome().is_some() {
        return Ok(());
    }
    let mut reporter = AnalysisReporter::new(job, request.node, line);
    let options = [("MultiPV".to_owned(), request.lines.to_string())];
    let command = document.command(request.node);
    let go = request.time.map_or_else(|| "infinite".to_owned(), |time| format!("movetime {time}"));
    let patience = request.time.map(|time| Duration::from_millis(time) + Duration::from_secs(5));
    let think = Think { position: &command, go: &go, options: &options, stop: &job.stop, patience };
    let answer = think.run(session, &mut |line| reporter.hear(line));
    reporter.finish();
    answer.map(|_| ())
}

/// Turns lines of an engine into events, not too many of them.
struct AnalysisReporter<'a> {
    job: &'a Job,
    line: Box<dyn Line>,
    side: Side,
    analysis: Analysis,
    pvs: Vec<Vec<String>>,
    news: bool,
    reported: Option<Instant>,
}

impl<'a> AnalysisReporter<'a> {
    fn new(job: &'a Job, node: u32, line: Box<dyn Line>) -> Self {
        let analysis =
            Analysis { board: job.board_id.clone(), node, engine: job.engine.clone(), ..Analysis::default() };
        let side = line.side();
        Self { job, line, side, analysis, pvs: Vec::new(), news: false, reported: None }
    }

    fn hear(&mut self, line: Option<&str>) {
        if let Some(info) = line.and_then(InfoLine::read) {
            self.take(info);
        }
        if self.news && self.reported.is_none_or(|reported| reported.elapsed() >= EVERY) {
            self.report();
        }
    }

    fn take(&mut self, info: InfoLine) {
        let analysis = &mut self.analysis;
        analysis.nodes = info.nodes.or(analysis.nodes);
        analysis.nps = info.nps.or(analysis.nps);
        analysis.hashfull = info.hashfull.or(analysis.hashfull);
        analysis.time = info.time.or(analysis.time);
        let rank = info.rank as usize;
        if info.pv.is_empty() || rank == 0 || rank > 10 {
            return;
        }
        if rank == 1 {
            analysis.depth = info.depth.or(analysis.depth);
            analysis.seldepth = info.seldepth.or(analysis.seldepth);
        }
        while analysis.lines.len() < rank {
            let rank = analysis.lines.len() as u32 + 1;
            analysis.lines.push(PvLine { rank, score: None, bound: None, depth: None, moves: Vec::new() });
            self.pvs.push(Vec::new());
        }
        let shown = &mut analysis.lines[rank - 1];
        let black = |score: Value| if self.side == Side::Black { score } else { score.negated() };
        shown.score = info.score.map(black);
        shown.bound = info.bound.map(|lower| {
            let lower = lower == (self.side == Side::Black);
            if lower { "lower" } else { "upper" }.to_owned()
        });
        shown.depth = info.depth;
        if self.pvs[rank - 1] != info.pv {
            shown.moves = named(&mut *self.line, &info.pv);
            self.pvs[rank - 1] = info.pv;
        }
        self.news = true;
    }

    fn report(&mut self) {
        self.news = false;
        self.reported = Some(Instant::now());
        self.job.tell(&Event::Analysis(self.analysis.clone()));
    }

    /// The last word, and the value for the node's graph.
    fn finish(&mut self) {
        self.analysis.done = true;
        if !self.analysis.lines.is_empty() {
            self.report();
        }
        let Some(best) = self.analysis.lines.first() else { return };
        let Some(score) = best.score else { return };
        let eval = NodeEval {
            score,
            depth: best.depth,
            engine: Some(self.job.engine.clone()),
            best: best.moves.first().cloned(),
        };
        let Some(board) = self.job.board.upgrade() else { return };
        let node = self.analysis.node;
        let mut board = lock(&board);
        let known = board.document().find(node).and_then(|node| node.shown.eval.as_ref()?.depth);
        // Only a deeper search changes what is noted.
        if known.is_none_or(|known| eval.depth.is_some_and(|depth| depth >= known)) {
            board.note(node, |node| node.shown.eval = Some(eval.clone()));
        }
    }
}

/// The moves of a line as far as they can be played.
fn named(line: &mut dyn Line, pv: &[String]) -> Vec<NamedMove> {
    let moves: Vec<NamedMove> = pv.iter().map_while(|text| line.play(text).ok()).collect();
    for _ in &moves {
        line.undo();
    }
    moves
}

//! A search with its table and threads.

use crate::history::History;
use crate::mate_probe::{MakeMateProbe, MateProbe};
use crate::vote::elect;
use crate::worker::{Shared, Worker};
use crate::{BestMove, Bound, Line, MAX_PLY, Report, Settings, Table, Task, Timer, Value};
use game::{Color, Declaration, Evaluation, Searchable};
use platform::memory::{Zeroed, available};
use platform::numa::Placement;
use platform::workers::{HEAP_ADDRESSES, STACK, share_out};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Thinks about positions of one game with one kind of evaluation.
///
/// ```
/// use search::{BestMove, Searcher, Settings, Task, Unlimited};
/// use shogi::{Change, Position};
/// #[derive(Clone)]
/// struct Material;
/// impl game::Evaluation<Position> for Material {
///     fn refresh(&mut self, _: &Position) {}
///     fn push(&mut self, _: &[Change]) {}
///     fn pop(&mut self) {}
///     fn value(&mut self, position: &Position) -> i32 {
///         if position.side() == shogi::Color::Black { position.material() } else { -position.material() }
///     }
/// }
/// let mut searcher = Searcher::new(Material, 1)?;
/// let position = Position::from_sfen("7nk/9/8P/9/9/9/9/9/9 b G 1")?;
/// let task = Task { depth: Some(3), ..Task::new(position) };
/// let found = searcher.think(&task, &Settings::default(), &Unlimited, |_| ());
/// let BestMove::Play { best, .. } = found else { panic!("there is a move") };
/// assert_eq!(best.to_string(), "G*1b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher<P: Searchable, E> {
    evaluation: E,
    table: Table,
    /// What each thread has learned about moves.
    histories: Vec<History<P>>,
    /// The mate solver of each thread, if there are any.
    mate_probes: Vec<Box<dyn MateProbe<P>>>,
    make_mate_probe: Option<MakeMateProbe<P>>,
    /// Whether large pages are wanted.
    large_pages: bool,
    /// Where threads are to run.
    placement: Placement,
    /// Where those ran that first touched the memory, and how many; nothing if the system placed them.
    touched: Option<(Placement, usize)>,
    /// For which threads memory was last cleared; nothing if there is other memory now.
    cleared_for: Option<(Placement, usize)>,
    /// Whether the table may hold anything since.
    used: bool,
    /// Whether the system has handed out the table's memory.
    table_is_there: bool,
    /// No more threads than this could be started when memory was last cleared.
    most_threads: usize,
    /// The value of the last search, for this side.
    last_value: Option<(Value, Color)>,
}

impl<P: Searchable + Sync, E: Evaluation<P> + Clone> Searcher<P, E> {
    /// A searcher with a table of `megabytes`; fails if there is not so much memory.
    pub fn new(evaluation: E, megabytes: usize) -> io::Result<Self> {
        Ok(Self {
            evaluation,
            table: Table::new(megabytes, true)?,
            histories: Vec::new(),
            mate_probes: Vec::new(),
            make_mate_probe: None,
            large_pages: true,
            placement: Placement::free(),
            touched: None,
            cleared_for: None,
            used: false,
            table_is_there: false,
            most_threads: usize::MAX,
            last_value: None,
        })
    }

    /// Changes the size of the table, forgetting its content if the size is really another. If there is not so much
    /// memory, the old table stays.
    pub fn resize_table(&mut self, megabytes: usize, large_pages: bool) -> io::Result<()> {
        if self.table.megabytes() != megabytes || self.large_pages != large_pages {
            // Systems with overcommit promise more memory than they have and kill the process that touches it.
            let free = available().map(|bytes| (bytes >> 20) + self.table.megabytes());
            if let Some(free) = free.filter(|free| *free < megabytes) {
                return Err(io::Error::new(io::ErrorKind::OutOfMemory, format!("{free} MB are free")));
            }
            self.table = Table::new(megabytes, large_pages)?;
            self.large_pages = large_pages;
            self.cleared_for = None;
            self.used = false;
            self.table_is_there = false;
        }
        Ok(())
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The evaluation that searches begin with.
    pub fn evaluation_mut(&mut self) -> &mut E {
        &mut self.evaluation
    }

    /// Sets the mate solver of each thread from the next search on; `None` for none.
    pub fn set_mate_probe(&mut self, make: Option<MakeMateProbe<P>>) {
        self.mate_probes.clear();
        self.make_mate_probe = make;
    }

    /// Says where threads run from the next search on; memory follows them when it is next cleared.
    pub fn place_threads(&mut self, placement: Placement) {
        self.placement = placement;
    }

    /// Touches the memory of the table and of the histories of so many threads, each thread's on its own node: handed out
    /// while a clock runs, it would cost most of the first second. What was learned is
    /// forgotten if that takes other memory. Returns how many threads can search: fewer where there is no memory for more,
    /// or a limit of the system forbids them.
    pub fn get_ready(&mut self, threads: usize) -> usize {
        self.make_mate_probes(threads);
        if self.cleared_for.as_ref() != Some(&(self.placement.clone(), threads)) {
            self.clear(threads);
        }
        threads.min(self.most_threads)
    }

    /// Forgets what was learned from earlier positions, with so many threads, for which memory is then ready.
    pub fn clear(&mut self, threads: usize) {
        let cleared_for = Some((self.placement.clone(), threads));
        if !self.used && self.cleared_for == cleared_for {
            return;
        }
        self.cleared_for = cleared_for;
        self.renew_misplaced_memory(threads);
        self.last_value = None;
        self.histories.truncate(threads.max(1));
        self.make_histories(threads);
        let seats = self.placement.seats(threads);
        if !seats.are_free() {
            self.table.clear_on(&seats);
        } else if self.used || !self.table_is_there {
            self.table.clear(self.histories.len());
        }
        self.used = false;
        self.table_is_there = true;
        // There is room for as many threads as have statistics.
        let most = self.histories.len();
        let can_search = share_out(self.histories.iter_mut().enumerate(), most, |(thread, history)| {
            let _seat = seats.take(thread);
            history.clear();
        });
        self.histories.truncate(can_search);
        self.most_threads = if can_search < threads { can_search.max(1) } else { usize::MAX };
    }

    /// Memory stays where it was first touched: threads that move to other nodes get new memory.
    fn renew_misplaced_memory(&mut self, threads: usize) {
        let bound = !self.placement.seats(threads).are_free();
        let touched = bound.then(|| (self.placement.clone(), threads));
        if self.touched == touched {
            return;
        }
        self.touched = touched;
        self.histories.clear();
        // A table on the wrong node is better than none.
        if let Ok(table) = Table::new(self.table.megabytes(), self.large_pages) {
            self.table = table;
            self.table_is_there = false;
        }
    }

    /// Without memory for all, the search goes on with fewer threads.
    fn make_histories(&mut self, threads: usize) {
        // A thread needs more than its statistics. That much is kept free for each until all have theirs.
        let mut kept_free = Vec::new();
        while self.histories.len() < threads
            && let Ok(room) = Zeroed::<u64>::new(ROOM / size_of::<u64>(), false)
            && let Ok(history) = History::new()
        {
            kept_free.push(room);
            self.histories.push(history);
        }
    }

    fn make_mate_probes(&mut self, threads: usize) {
        if let Some(make) = &self.make_mate_probe {
            self.mate_probes.resize_with(threads, make);
        }
    }

    /// Searches until the task's limits, the timer or a forced result end it. `report` is called after every iteration.
    pub fn think(
        &mut self,
        task: &Task<P, P::Move>,
        settings: &Settings,
        timer: &dyn Timer,
        mut report: impl FnMut(&Report<P::Move>),
    ) -> BestMove<P::Move> {
        if let Some(end) = BestMove::at_end(&task.position) {
            return end;
        }
        match task.position.declaration() {
            Some(Declaration::Win) => return BestMove::Declare,
            Some(Declaration::Try(m)) => return won_by(m),
            None => {}
        }
        self.table.age();
        let start = Instant::now();
        let side = task.position.side();
        let stop = AtomicBool::new(false);
        let threads = settings.threads.clamp(1, self.most_threads);
        self.make_histories(threads);
        self.make_mate_probes(threads);
        self.used = true;
        let nodes: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
        let shared = Shared {
            table: &self.table,
            settings,
            timer,
            stop: &stop,
            nodes: &nodes,
            node_limit: task.nodes.unwrap_or(u64::MAX),
            depth_limit: task.depth.unwrap_or(MAX_PLY - 1),
            expected_value: self.last_value.map(|(value, color)| if color == side { value } else { -value }),
        };
        let seats = self.placement.seats(threads);
        let mut histories = self.histories.iter_mut();
        let Some(own_history) = histories.next() else { return BestMove::Resign };
        let mut mate_probes = self.mate_probes.iter_mut();
        let own_mate_probe = mate_probes.next();
        let mut last: Option<Report<P::Move>> = None;
        std::thread::scope(|scope| {
            let mut helpers = Vec::new();
            for (index, history) in (1..threads).zip(histories) {
                let evaluation = self.evaluation.clone();
                let (shared, seats) = (&shared, &seats);
                let mate_probe = mate_probes.next();
                let spawned = std::thread::Builder::new()
                    .name(format!("search-{index}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        let seat = seats.take(index);
                        // A copy made here lies in memory that is near.
                        let evaluation = if seat.is_some() { evaluation.clone() } else { evaluation };
                        let mut worker = Worker::new(shared, index, task, evaluation, history);
                        worker.mate_probe = mate_probe;
                        worker.run(|_, _, _| ());
                        worker.into_finding()
                    });
                // Without a helper the search goes on with fewer threads.
                helpers.extend(spawned);
            }
            let _seat = seats.take(0);
            let mut worker = Worker::new(&shared, 0, task, self.evaluation.clone(), own_history);
            worker.mate_probe = own_mate_probe;
            let make = |depth, root_moves: &[_]| Report {
                depth,
                lines: Worker::<P, E>::best_lines(root_moves, settings.lines),
                nodes: shared.total_nodes(),
                elapsed: start.elapsed(),
                table_fullness: self.table.fullness(),
            };
            worker.run(|depth, root_moves, bound| {
                let mut made = make(depth, root_moves);
                if let Some(first) = made.lines.first_mut() {
                    first.bound = bound;
                    report(&made);
                }
            });
            stop.store(true, Relaxed);
            let mut findings = vec![worker.into_finding()];
            // A thread that panicked has no finding.
            findings.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            // MultiPV and a fixed depth are answered by the first thread.
            let settled = settings.lines > 1 || task.depth.is_some();
            let elected = if settled { 0 } else { elect(&findings) };
            let finding = &findings[elected];
            // An unfinished iteration may have found a better move.
            let mut end = make(finding.depth.max(1), &finding.root_moves);
            if end.lines.is_empty() {
                let first = finding.root_moves.first().map(|m| line_of(Value::ZERO, m.line.clone()));
                end.lines.extend(first);
            }
            last = Some(end);
        });
        self.last_value =
            last.as_ref().and_then(|report| report.lines.first()).map(|line| (line.value, side));
        conclude(task, last)
    }
}

/// What a thread takes besides its statistics: its stack, its copy of the evaluation, and the addresses of its heap.
const ROOM: usize = STACK + (8 << 20) + HEAP_ADDRESSES;

fn line_of<M>(value: Value, moves: Vec<M>) -> Line<M> {
    Line { value, bound: Bound::Exact, moves, selective_depth: 0 }
}

/// A move that wins by itself needs no search.
fn won_by<M: Copy>(m: M) -> BestMove<M> {
    let lines = vec![line_of(Value::mate_in(1), vec![m])];
    let report = Report { depth: 1, lines, nodes: 0, elapsed: Duration::ZERO, table_fullness: 0 };
    BestMove::Play { best: m, ponder: None, report }
}

fn conclude<P: Searchable>(task: &Task<P, P::Move>, report: Option<Report<P::Move>>) -> BestMove<P::Move> {
    let first_legal = || task.position.legal_moves().first().copied();
    let line = report.as_ref().and_then(|report| report.lines.first());
    let best = line.and_then(|line| line.moves.first().copied()).or_else(first_legal);
    match (best, report) {
        (Some(best), Some(report)) => {
            let ponder = report.lines.first().and_then(|line| line.moves.get(1).copied());
            BestMove::Play { best, ponder, report }
        }
        _ => BestMove::Resign,
    }
}

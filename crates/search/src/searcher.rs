//! The search of a position: table, histories and threads.

use crate::correction_history::{CorrectionHistory, SharedCorrectionHistory};
use crate::history::History;
use crate::mate_probe::{MakeMateProbe, MateProbe};
use crate::vote::elect;
use crate::worker::{RootMove, Shared, Tally, Worker};
use crate::{BestMove, Bound, Line, MAX_PLY, Report, Settings, Table, Task, Timer, Value};
use game::{Color, Declaration, Evaluation, Searchable};
use platform::clock::Instant;
use platform::memory::{Zeroed, available};
use platform::numa::Placement;
use platform::workers::{HEAP_ADDRESSES, STACK, ThreadPool};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};
use std::time::Duration;

/// Searches positions of one game with one kind of evaluation.
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
    /// The histories of each thread.
    histories: Vec<History<P>>,
    /// The correction histories.
    correction_history: SharedCorrectionHistory,
    /// The evaluation of each thread that has searched.
    copies: Vec<Option<E>>,
    /// The helper threads.
    pool: ThreadPool,
    /// The mate solver of each thread, if there are any.
    mate_probes: Vec<Box<dyn MateProbe<P>>>,
    make_mate_probe: Option<MakeMateProbe<P>>,
    /// Whether large pages are wanted.
    large_pages: bool,
    /// Where threads are to run.
    placement: Placement,
    /// Where the threads ran that first touched the memory, and their number; `None` if the system placed them.
    touched: Option<(Placement, usize)>,
    /// For which threads memory was last cleared; `None` if memory has been allocated since.
    cleared_for: Option<(Placement, usize)>,
    /// Whether the table may have entries since then.
    used: bool,
    /// Whether the system has allocated the table's memory.
    table_is_there: bool,
    /// The number of threads that could be started when memory was last cleared.
    most_threads: usize,
    /// The value of the last search, and the side it is for.
    last_value: Option<(Value, Color)>,
}

impl<P: Searchable + Sync, E: Evaluation<P> + Clone> Searcher<P, E> {
    /// A searcher with a table of `megabytes`; fails if there is not enough memory.
    pub fn new(evaluation: E, megabytes: usize) -> io::Result<Self> {
        Ok(Self {
            evaluation,
            table: Table::new(megabytes, true)?,
            histories: Vec::new(),
            correction_history: SharedCorrectionHistory::default(),
            copies: Vec::new(),
            pool: ThreadPool::new("search"),
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

    /// Changes the size of the table. Its content is lost only if the size changes. If there is not enough memory, the
    /// old table stays.
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

    /// The evaluation from which threads make their copies.
    pub fn evaluation_mut(&mut self) -> &mut E {
        self.copies.clear();
        &mut self.evaluation
    }

    /// Sets the mate solver of each thread from the next search on; `None` for none.
    pub fn set_mate_probe(&mut self, make: Option<MakeMateProbe<P>>) {
        self.mate_probes.clear();
        self.make_mate_probe = make;
    }

    /// Sets where threads run from the next search on. Memory follows them when it is next cleared.
    pub fn place_threads(&mut self, placement: Placement) {
        self.placement = placement;
    }

    /// Makes the system allocate the memory of the table and of the histories of `threads` threads, each thread's on
    /// its own node. During a search that would cost most of the first second. Histories and table are cleared if new
    /// memory is needed. Returns how many threads can search: fewer if memory or a limit of the system forbids more.
    pub fn get_ready(&mut self, threads: usize) -> usize {
        self.make_mate_probes(threads);
        if self.cleared_for.as_ref() != Some(&(self.placement.clone(), threads)) {
            self.clear(threads);
        }
        threads.min(self.most_threads)
    }

    /// Clears the table and the histories, with `threads` threads, whose memory is then allocated.
    pub fn clear(&mut self, threads: usize) {
        let cleared_for = Some((self.placement.clone(), threads));
        if !self.used && self.cleared_for == cleared_for {
            return;
        }
        self.cleared_for = cleared_for;
        self.renew_misplaced_memory(threads);
        self.last_value = None;
        self.histories.truncate(threads.max(1));
        let kept_free = self.make_histories(threads);
        let seats = self.placement.seats(threads);
        self.correction_history.make(&seats, self.histories.len(), true);
        drop(kept_free);
        if !seats.are_free() {
            self.table.clear_on(&seats);
        } else if self.used || !self.table_is_there {
            self.table.clear(self.histories.len());
        }
        self.used = false;
        self.table_is_there = true;
        self.copies.truncate(threads.max(1));
        // As many threads as have histories can search.
        let most = self.histories.len();
        self.pool.keep(most - 1);
        let of_threads = self.histories.iter_mut().zip(self.correction_history.by_first_thread(&seats, most));
        let mut of_threads = of_threads.enumerate();
        let clear = |(thread, (history, correction_history)): (
            usize,
            (&mut History<P>, Option<&mut CorrectionHistory>),
        )| {
            let _seat = seats.take(thread);
            history.clear();
            if let Some(correction_history) = correction_history {
                correction_history.clear();
            }
        };
        let own = of_threads.next();
        let (_, others) = self.pool.beside(of_threads.collect(), |_, own| clear(own), || own.map(clear));
        let can_search = 1 + others.len();
        self.histories.truncate(can_search);
        self.most_threads = if can_search < threads { can_search.max(1) } else { usize::MAX };
    }

    /// Memory stays where it was first touched: threads that have moved to other nodes get new memory.
    fn renew_misplaced_memory(&mut self, threads: usize) {
        let bound = !self.placement.seats(threads).are_free();
        let touched = bound.then(|| (self.placement.clone(), threads));
        if self.touched == touched {
            return;
        }
        self.touched = touched;
        self.histories.clear();
        self.correction_history.forget_places();
        self.copies.clear();
        // A table on the wrong node is better than none.
        if let Ok(table) = Table::new(self.table.megabytes(), self.large_pages) {
            self.table = table;
            self.table_is_there = false;
        }
    }

    /// Without memory for all threads, the search uses fewer. A thread needs more than its histories, and the rest of the
    /// program needs memory, too: the result keeps that much free until it is dropped.
    fn make_histories(&mut self, threads: usize) -> Vec<Zeroed<u64>> {
        let mut kept_free = Vec::from_iter(Zeroed::new(RESERVE / size_of::<u64>(), false));
        while self.histories.len() < threads
            && let Ok(room) = Zeroed::<u64>::new(ROOM / size_of::<u64>(), false)
            && let Ok(history) = History::new()
        {
            kept_free.push(room);
            self.histories.push(history);
        }
        kept_free
    }

    fn make_mate_probes(&mut self, threads: usize) {
        if let Some(make) = &self.make_mate_probe {
            self.mate_probes.resize_with(threads, make);
        }
    }

    /// Searches until the task's limits, the timer or a forced result ends it. Calls `report` after every iteration.
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
        drop(self.make_histories(threads));
        self.make_mate_probes(threads);
        self.used = true;
        let tallies: Vec<Tally> = (0..threads).map(|_| Tally::default()).collect();
        let again = AtomicI32::new(0);
        let shared = Shared {
            table: &self.table,
            settings,
            timer,
            stop: &stop,
            tallies: &tallies,
            again: &again,
            node_limit: task.nodes.unwrap_or(u64::MAX),
            depth_limit: task.depth.unwrap_or(MAX_PLY - 1),
            expected_value: self.last_value.map(|(value, color)| if color == side { value } else { -value }),
        };
        let seats = self.placement.seats(threads);
        self.correction_history.make(&seats, threads, false);
        self.copies.resize_with(self.copies.len().max(threads), || None);
        let mut mate_probes = self.mate_probes.iter_mut();
        let mut all = self.histories.iter_mut().zip(&mut self.copies).enumerate().take(threads).filter_map(
            |(index, (history, copy))| {
                let fresh = copy.is_none().then(|| self.evaluation.clone());
                let correction_history = self.correction_history.of_thread(&seats, index)?;
                Some(Own { history, correction_history, copy, fresh, mate_probe: mate_probes.next() })
            },
        );
        let Some(own) = all.next() else { return BestMove::Resign };
        let search = |index, own: Own<'_, P, E>, report: &mut Tell<'_, P::Move>| {
            let seat = seats.take(index);
            let evaluation = match own.fresh {
                // A copy made on this thread is placed in near memory.
                Some(fresh) => own.copy.insert(if seat.is_some() { fresh.clone() } else { fresh }),
                None => own.copy.as_mut()?,
            };
            let mut worker =
                Worker::new(&shared, index, task, evaluation, own.history, own.correction_history);
            worker.mate_probe = own.mate_probe;
            worker.run(report);
            Some(worker.into_finding())
        };
        let make = |depth, root_moves: &[_]| Report {
            depth,
            lines: Worker::<P, E>::best_lines(root_moves, settings.multi_pv),
            nodes: shared.total_nodes(),
            elapsed: start.elapsed(),
            table_fullness: self.table.fullness(),
        };
        // If a helper cannot be started, the search uses fewer threads; a helper that panicked has no finding.
        let (first, others) = self.pool.beside(
            all.collect(),
            |number, own| search(number + 1, own, &mut |_, _, _| ()),
            || {
                let _end = StopWhenOver(&stop);
                search(0, own, &mut |depth, root_moves, bound| {
                    let mut made = make(depth, root_moves);
                    if let Some(first) = made.lines.first_mut() {
                        first.bound = bound;
                        report(&made);
                    }
                })
            },
        );
        let findings: Vec<_> = first.into_iter().chain(others.into_iter().flatten()).collect();
        // With `MultiPV` or a fixed depth, the first thread's result counts.
        let settled = settings.multi_pv > 1 || task.depth.is_some();
        let elected = if settled { 0 } else { elect(&findings) };
        let last = findings.get(elected).map(|finding| {
            // An unfinished iteration may have found a better move.
            let mut end = make(finding.depth.max(1), &finding.root_moves);
            if end.lines.is_empty() {
                let first = finding.root_moves.first().map(|m| line_of(Value::ZERO, m.line.clone()));
                end.lines.extend(first);
            }
            end
        });
        self.last_value =
            last.as_ref().and_then(|report| report.lines.first()).map(|line| (line.value, side));
        conclude(task, last)
    }
}

/// Receives each iteration: its depth, the root moves, and the bound of the first one's value.
type Tell<'a, M> = dyn FnMut(usize, &[RootMove<M>], Bound) + 'a;

/// What belongs to one thread.
struct Own<'a, P: Searchable, E> {
    history: &'a mut History<P>,
    correction_history: &'a CorrectionHistory,
    copy: &'a mut Option<E>,
    /// The evaluation to start from, for a thread that has none yet.
    fresh: Option<E>,
    mate_probe: Option<&'a mut Box<dyn MateProbe<P>>>,
}

/// Stops the other threads when the first one ends, even if it panics.
struct StopWhenOver<'a>(&'a AtomicBool);

impl Drop for StopWhenOver<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Memory and addresses that a thread needs besides its histories: its stack, its copy of the evaluation, and its heap.
const ROOM: usize = STACK + (8 << 20) + HEAP_ADDRESSES;

/// Memory for the rest of the program once the threads have been started. The system's `malloc` briefly takes twice the
/// addresses of a heap to align it.
const RESERVE: usize = (32 << 20) + 2 * HEAP_ADDRESSES;

fn line_of<M>(value: Value, moves: Vec<M>) -> Line<M> {
    Line { value, bound: Bound::Exact, moves, selective_depth: 0 }
}

/// The answer with a move that wins at once, without a search.
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

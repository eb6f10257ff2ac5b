//! Parallel work on the items of an iterator; results arrive in the order of the items.

use super::STACK;
use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex};
use std::thread::Builder;
use std::time::Duration;

/// Threads for a stream of work.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// The name of the threads.
    pub name: &'a str,
    /// How many threads there are.
    pub threads: usize,
    /// Limit, per thread, of finished items that wait in memory for an earlier one.
    pub ahead: usize,
    /// Set it to end the work; long items should poll it.
    pub abandon: &'a AtomicBool,
}

/// The longest time until `abandon` is noticed.
const PAUSE: Duration = Duration::from_millis(50);

/// Hands out items, within a limited distance of the oldest unfinished one.
struct Queue<I> {
    state: Mutex<QueueState<I>>,
    moved: Condvar,
    ahead: usize,
}

struct QueueState<I> {
    items: I,
    given: usize,
    taken: usize,
}

impl<I: Iterator> Queue<Enumerate<I>> {
    fn next(&self, abandon: &AtomicBool) -> Option<(usize, I::Item)> {
        let mut state = self.state.lock().ok()?;
        while !abandon.load(Relaxed) {
            if state.given < state.taken + self.ahead {
                state.given += 1;
                return state.items.next();
            }
            state = self.moved.wait_timeout(state, PAUSE).ok()?.0;
        }
        None
    }

    fn take_up_to(&self, taken: usize) {
        if let Ok(mut state) = self.state.lock() {
            state.taken = taken;
        }
        self.moved.notify_all();
    }
}

/// Stops the other threads when one panics.
struct AbandonOnPanic<'a>(&'a AtomicBool);

impl Drop for AbandonOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

impl<'a> Workers<'a> {
    /// Threads with at most 64 finished items waiting per thread.
    #[must_use]
    pub const fn new(name: &'a str, threads: usize, abandon: &'a AtomicBool) -> Self {
        Self { name, threads, ahead: 64, abandon }
    }

    /// Runs the work. Each thread calls `make_worker` once; a worker returns `None` if the work is abandoned. `take`
    /// receives the results in the order of the items, and an error from it ends everything. `tick` is called at least
    /// every 50 ms.
    pub fn work_in_order<I: Iterator + Send, T: Send, E, W: FnMut(I::Item) -> Option<T>>(
        &self,
        items: I,
        make_worker: impl Fn() -> Option<W> + Sync,
        tick: impl Fn(),
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        self.work_with(STACK, items, make_worker, tick, take)
    }

    fn work_with<I: Iterator + Send, T: Send, E, W: FnMut(I::Item) -> Option<T>>(
        &self,
        stack: usize,
        items: I,
        make_worker: impl Fn() -> Option<W> + Sync,
        tick: impl Fn(),
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let &Self { name, threads, ahead, abandon } = self;
        let threads = threads.max(1);
        let queue = Queue {
            state: Mutex::new(QueueState { items: items.enumerate(), given: 0, taken: 0 }),
            moved: Condvar::new(),
            ahead: ahead * threads,
        };
        let (sender, receiver) = mpsc::channel::<(usize, T)>();
        std::thread::scope(|scope| {
            let mut started = 0;
            for thread in 0..threads {
                let (sender, queue, make_worker) = (sender.clone(), &queue, &make_worker);
                let work = move || {
                    let _guard = AbandonOnPanic(abandon);
                    let Some(mut worker) = make_worker() else { return };
                    while let Some((number, item)) = queue.next(abandon) {
                        let Some(done) = worker(item) else { break };
                        if sender.send((number, done)).is_err() {
                            break;
                        }
                    }
                };
                // With fewer threads the work only takes longer.
                let builder = Builder::new().name(format!("{name}-{thread}")).stack_size(stack);
                started += usize::from(builder.spawn_scoped(scope, work).is_ok());
            }
            drop(sender);
            if started == 0
                && let Some(mut worker) = make_worker()
            {
                while let Some((number, item)) = queue.next(abandon) {
                    let Some(done) = worker(item) else { break };
                    queue.take_up_to(number + 1);
                    tick();
                    take(done)?;
                }
            }
            let (mut early, mut due) = (BTreeMap::new(), 0);
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok((number, done)) => drop(early.insert(number, done)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                tick();
                while let Some(done) = early.remove(&due) {
                    due += 1;
                    queue.take_up_to(due);
                    if let Err(error) = take(done) {
                        abandon.store(true, Relaxed);
                        return Err(error);
                    }
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_comes_in_order_and_waits_within_bounds() {
        let (abandon, given) = (AtomicBool::new(false), Mutex::new(0));
        let workers = Workers::new("test", 3, &abandon);
        let items = (0..1000).inspect(|item| *given.lock().unwrap() = *item);
        let worker = || {
            Some(|item: usize| {
                // All others wait for the first item.
                std::thread::sleep(Duration::from_millis(if item == 0 { 120 } else { 0 }));
                Some(item * item)
            })
        };
        let mut done = Vec::new();
        let all = workers.work_in_order(
            items,
            worker,
            || (),
            |square| {
                assert!(*given.lock().unwrap() <= done.len() + 3 * workers.ahead);
                done.push(square);
                Ok::<_, ()>(())
            },
        );
        assert_eq!(all, Ok(()));
        assert!(done.into_iter().eq((0..1000).map(|item| item * item)));
    }

    #[test]
    fn without_another_thread_the_present_one_does_all() {
        let abandon = AtomicBool::new(false);
        let workers = Workers { ahead: 1, ..Workers::new("test", 3, &abandon) };
        let mut done = Vec::new();
        let take = |item| {
            done.push(item);
            if item == 99 { Err(item) } else { Ok(()) }
        };
        // No system can allocate such a stack.
        assert_eq!(workers.work_with(1 << 60, 0.., || Some(Some), || (), take), Err(99));
        assert!(done.into_iter().eq(0..100));
    }

    #[test]
    fn a_failure_ends_it() {
        let abandon = AtomicBool::new(false);
        let workers = Workers::new("test", 2, &abandon);
        let worker = || Some(|item: u64| (!abandon.load(Relaxed)).then_some(item));
        let failed =
            workers.work_in_order(0.., worker, || (), |item| if item == 5 { Err(item) } else { Ok(()) });
        assert_eq!(failed, Err(5));
    }
}
